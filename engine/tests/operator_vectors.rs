//! Holds the oracle, the signatures, the views and the verdicts against what PyTorch computed (`tests/vectors`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod vectors;

use std::collections::BTreeSet;
use taproot_engine::compare::{Comparands, Comparison, Verdict, compare};
use taproot_engine::graph::{Call, Meta};
use taproot_engine::operators::{self, Definition};
use taproot_engine::oracle::{self, Array};
use taproot_engine::tensor::{DType, HostTensor, Layout};
use vectors::{Case, Vectors};

/// Relative to the element.
const RELATIVE: f64 = 1e-12;
/// Relative to 1 or the largest number that takes part, whichever is more: a few roundings of f64, which PyTorch's own formulas
/// make where they cancel (1 + erf x, x − mean).
const OF_LARGEST: f64 = 1e-15;

#[test]
fn every_operator_has_cases() {
    let vectors = Vectors::load();
    let with_cases: BTreeSet<&str> = vectors.cases.iter().map(|case| case.op.as_str()).collect();
    for kernel in operators::KERNELS {
        assert!(with_cases.contains(kernel.signature.name), "{} has no case", kernel.signature.name);
    }
    let with_views: BTreeSet<&str> = vectors.views.iter().map(|case| case.op.as_str()).collect();
    for view in operators::VIEWS {
        assert!(with_views.contains(view.name), "{} has no case", view.name);
    }
}

#[test]
fn oracle_agrees_with_pytorch_in_f64() {
    let vectors = Vectors::load();
    let failures: Vec<String> = vectors.cases.iter().filter_map(|case| check_oracle(&vectors, case).err()).collect();
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), vectors.cases.len(), failures.join("\n"));
}

fn check_oracle(vectors: &Vectors, case: &Case) -> Result<(), String> {
    let call = vectors.call(case).map_tensors(Array::from_host);
    let results = oracle::run(&call).map_err(|error| format!("{}: {error}", case.id))?;
    let expected = vectors.expected(case);
    assert_eq!(results.len(), expected.len(), "{}", case.id);
    for (result, expected) in results.iter().zip(expected) {
        if result.shape != expected.shape() {
            return Err(format!("{}: shape {:?}, not {:?}", case.id, result.shape, expected.shape()));
        }
        if let Ok(expected) = expected.to_i64() {
            if *result.ints() != expected {
                return Err(format!("{}: {:?}, not {expected:?}", case.id, result.ints()));
            }
            continue;
        }
        let expected = expected.to_f64();
        let largest = largest(&call, &expected);
        for (at, (&found, &e)) in result.floats().iter().zip(&expected).enumerate() {
            let close = found == e
                || (found.is_nan() && e.is_nan())
                || (found - e).abs() <= RELATIVE * e.abs() + OF_LARGEST * largest;
            if !close {
                return Err(format!("{}: element {at} is {found:e}, not {e:e}", case.id));
            }
        }
    }
    Ok(())
}

/// The largest finite magnitude among the tensors of a call and its result, and 1.
fn largest(call: &Call<Array>, result: &[f64]) -> f64 {
    let mut values = result.to_vec();
    let _ = call.map_tensors(|array| values.extend(array.to_f64()));
    values.into_iter().filter(|value| value.is_finite()).fold(1.0, |largest, value| largest.max(value.abs()))
}

#[test]
fn signatures_give_pytorchs_dtypes_and_shapes() {
    let vectors = Vectors::load();
    for case in &vectors.cases {
        let call = vectors.call(case).map_tensors(|tensor| Meta::new(tensor.dtype(), tensor.shape()));
        let inferred = operators::infer(&call).unwrap();
        let source: Vec<Meta> =
            vectors.source(case).iter().map(|tensor| Meta::new(tensor.dtype(), tensor.shape())).collect();
        assert_eq!(inferred, source, "{}", case.id);
    }
}

#[test]
fn views_have_pytorchs_layouts() {
    let vectors = Vectors::load();
    for case in &vectors.views {
        let Some(Definition::View(view)) = operators::lookup(&case.op) else { panic!("{} is no view", case.op) };
        let call = case.args.iter().fold(Call::new(&case.op), |call, (name, arg)| call.arg(name, arg.clone()));
        let call = case.other.iter().fold(call, |call, other| call.tensor_arg("other", other.clone()));
        let results = view.check(&call.tensor_arg("input", case.input.clone()));
        assert_eq!(results.is_err(), case.error, "{}: {results:?}", case.id);
        let elements = |layouts: &[Layout]| -> Vec<(Vec<usize>, Vec<usize>)> {
            layouts.iter().map(|layout| (layout.shape.clone(), layout.positions().collect())).collect()
        };
        let results = results.unwrap_or_default();
        assert_eq!(elements(&results), elements(&case.expected), "{}", case.id);
        assert!(results.iter().all(|layout| layout.check(case.base).is_ok()), "{}", case.id);
    }
}

/// An honest device passes even beside a perfect source: CUDA's results are judged where the record is the oracle's, rounded. What
/// WGSL allows, and the order of summation, must cover all that CUDA does.
#[test]
fn cuda_passes_beside_a_perfect_source() {
    let vectors = Vectors::load();
    for case in &vectors.cases {
        let perfect = rounded_oracle(&vectors, case, 1.0);
        for comparison in judge(&vectors, case, &vectors.source(case), &perfect.iter().collect::<Vec<_>>()) {
            assert_eq!(comparison.verdict, Verdict::Pass, "{}: {comparison:?}", case.id);
        }
    }
}

/// The best target there is, the oracle rounded to the result's dtype, passes beside CUDA.
#[test]
fn rounded_oracle_passes_beside_cuda() {
    let vectors = Vectors::load();
    for case in &vectors.cases {
        let target = rounded_oracle(&vectors, case, 1.0);
        for comparison in judge(&vectors, case, &target.iter().collect::<Vec<_>>(), &vectors.source(case)) {
            assert_eq!(comparison.verdict, Verdict::Pass, "{}: {comparison:?}", case.id);
        }
    }
}

/// A target that is off by 5 % fails everywhere, whatever WGSL allows (but for results that are nothing beside 1, where gelu and
/// others are allowed to be).
#[test]
fn five_per_cent_off_fails() {
    let vectors = Vectors::load();
    for case in &vectors.cases {
        let targets = rounded_oracle(&vectors, case, 1.05);
        let comparisons = judge(&vectors, case, &targets.iter().collect::<Vec<_>>(), &vectors.source(case));
        for (target, comparison) in targets.iter().zip(comparisons) {
            let something = target.to_f64().iter().any(|value| value.is_finite() && value.abs() > 1e-3);
            // Neighbouring 8-bit floats are 6 to 25 % apart: rounding takes the 5 % away again.
            if target.dtype().is_float() && !target.dtype().is_f8() && something {
                assert_eq!(comparison.verdict, Verdict::Fail, "{}: {comparison:?}", case.id);
            }
        }
    }
}

/// The oracle's results times `factor`, rounded to their dtypes.
fn rounded_oracle(vectors: &Vectors, case: &Case, factor: f64) -> Vec<HostTensor> {
    let results = oracle::run(&vectors.call(case).map_tensors(Array::from_host)).unwrap();
    let round = |result: Array| match result.dtype {
        DType::I64 => HostTensor::from_i64(&result.shape, &result.ints()).unwrap(),
        dtype => {
            let values: Vec<f64> = result.floats().iter().map(|value| value * factor).collect();
            HostTensor::from_f64(dtype, &result.shape, &values).unwrap()
        }
    };
    results.into_iter().map(round).collect()
}

/// The comparison of each result.
fn judge(vectors: &Vectors, case: &Case, targets: &[&HostTensor], sources: &[&HostTensor]) -> Vec<Comparison> {
    let call = vectors.call(case).map_tensors(Array::from_host);
    let oracles = oracle::run(&call).unwrap();
    let Some(Definition::Kernel(kernel)) = operators::lookup(&case.op) else { panic!("{} is no kernel", case.op) };
    let allowances = (kernel.allowance)(&call, &oracles);
    assert!([oracles.len(), allowances.len(), targets.len()].iter().all(|&len| len == sources.len()), "{}", case.id);
    let judge_one = |at: usize| {
        compare(&Comparands {
            target: targets[at],
            source: sources[at],
            oracle: &oracles[at],
            allowance: &allowances[at],
            noise: None,
            op: &case.op,
            webnn: None,
        })
    };
    (0..sources.len()).map(judge_one).collect()
}
