//! The CPU source against PyTorch's numbers (`tests/vectors`) and against the oracle.

use crate::tiny::Random;
use crate::vectors::{Case, Vectors};
use std::collections::BTreeSet;
use taproot::cpu;
use taproot_engine::compare::{Comparands, Verdict, compare};
use taproot_engine::graph::{Arg, Call, Meta, OpError};
use taproot_engine::operators::{self, Definition, Kernel};
use taproot_engine::oracle::Array;
use taproot_engine::tensor::{DType, HostTensor, quantize_q4_1};

/// What the graphs that are built from checkpoints hold; the rest of the vocabulary comes from other carvers.
const OPERATORS: &str = "add sub mul div pow le eq where clamp to gelu neg rsqrt sqrt cos sin exp tanh sigmoid silu relu clone cat \
    embedding sum mean linalg_vector_norm argmax linear matmul softmax layer_norm rms_norm scaled_dot_product_attention";

/// Whether the CPU source says that it does not do something.
fn is_refusal(error: &OpError) -> bool {
    matches!(error, OpError::Unsupported { by: "the CPU source", .. })
}

fn kernel(op: &str) -> &'static Kernel {
    match operators::lookup(op) {
        Some(Definition::Kernel(kernel)) => kernel,
        _ => panic!("{op} is no kernel"),
    }
}

/// Judges results as a target's would be: against what PyTorch computed on CUDA and the oracle.
fn judge(call: &Call<HostTensor>, found: &[HostTensor], source: &[&HostTensor], id: &str) -> Result<(), String> {
    let kernel = kernel(call.op());
    let exact = call.map_tensors(Array::from_host);
    let oracle = (kernel.oracle)(&exact).map_err(|error| format!("{id}: {error}"))?;
    let allowances = (kernel.allowance)(&exact, &oracle);
    for (at, ((target, source), oracle)) in found.iter().zip(source).zip(&oracle).enumerate() {
        let allowance = allowances.get(at).map(Vec::as_slice).unwrap_or_default();
        let comparison =
            compare(&Comparands { target, source, oracle, allowance, noise: None, op: call.op(), webnn: None });
        if comparison.verdict != Verdict::Pass {
            return Err(format!("{id}: {} {:?}", comparison.verdict, comparison.reason));
        }
    }
    Ok(())
}

#[test]
fn the_cpu_source_agrees_with_pytorch() {
    let vectors = Vectors::load();
    // A file that is cut down would leave little to judge.
    assert!(vectors.cases.len() > 200, "{} cases", vectors.cases.len());
    let mut judged = BTreeSet::new();
    let mut check = |case: &Case| {
        let call = vectors.call(case);
        let found = match cpu::run(&cpu::load(&call)) {
            Ok(found) => found,
            Err(error) if is_refusal(&error) => return Ok(()),
            Err(error) => return Err(format!("{}: {error}", case.id)),
        };
        judged.insert(case.op.clone());
        judge(&call, &found, &vectors.source(case), &case.id)
    };
    let failures: Vec<String> = vectors.cases.iter().filter_map(|case| check(case).err()).collect();
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), vectors.cases.len(), failures.join("\n"));
    let skipped: Vec<&str> = OPERATORS.split_whitespace().filter(|op| !judged.contains(*op)).collect();
    assert!(skipped.is_empty(), "no case of {skipped:?} was judged");
}

fn tensor(random: &mut Random, shape: &[usize]) -> HostTensor {
    HostTensor::from_f32(shape, &random.values(shape.iter().product())).unwrap()
}

/// Shapes as models have them, larger than PyTorch's small cases: blocking in the matrix product and threads show here.
#[test]
fn the_cpu_source_agrees_with_the_oracle_on_models_shapes() {
    let mut random = Random(5);
    let r = &mut random;
    let weight = HostTensor::new(DType::Q4_1, &[70, 320], quantize_q4_1(&r.values(70 * 320))).unwrap();
    let half = HostTensor::from_f64(DType::F16, &[70, 320], &tensor(r, &[70, 320]).to_f64()).unwrap();
    let linear = |input: HostTensor, weight: HostTensor| {
        Call::new("linear").tensor_arg("input", input).tensor_arg("weight", weight)
    };
    let attention = |queries: usize, causal: bool, r: &mut Random| {
        Call::new("scaled_dot_product_attention")
            .tensor_arg("query", tensor(r, &[1, 6, queries, 32]))
            .tensor_arg("key", tensor(r, &[1, 2, 19, 32]))
            .tensor_arg("value", tensor(r, &[1, 2, 19, 32]))
            .arg("is_causal", Arg::Bool(causal))
            .arg("enable_gqa", Arg::Bool(true))
    };
    let norm = |op: &str, r: &mut Random| {
        Call::new(op)
            .tensor_arg("input", tensor(r, &[3, 5, 577]))
            .tensor_arg("weight", tensor(r, &[577]))
            .arg("normalized_shape", Arg::Ints(vec![577]))
            .arg("eps", Arg::Float(1e-5))
    };
    let calls = [
        linear(tensor(r, &[2, 9, 320]), weight.clone()),
        linear(tensor(r, &[1, 1, 320]), weight),
        linear(tensor(r, &[2, 9, 320]), half).tensor_arg("bias", tensor(r, &[70])),
        Call::new("matmul").tensor_arg("input", tensor(r, &[4, 33, 65])).tensor_arg("other", tensor(r, &[4, 65, 17])),
        Call::new("matmul").tensor_arg("input", tensor(r, &[3, 1, 5, 7])).tensor_arg("other", tensor(r, &[2, 7, 6])),
        attention(19, true, r),
        attention(1, false, r),
        norm("layer_norm", r),
        norm("rms_norm", r),
        Call::new("softmax").tensor_arg("input", tensor(r, &[2, 12, 40, 41])).arg("dim", Arg::Int(-1)),
        Call::new("softmax").tensor_arg("input", tensor(r, &[3, 50, 7])).arg("dim", Arg::Int(1)),
        Call::new("gelu").tensor_arg("input", tensor(r, &[500])),
        Call::new("mean").tensor_arg("input", tensor(r, &[40, 30])).arg("dim", Arg::Int(0)),
        Call::new("linalg_vector_norm").tensor_arg("input", tensor(r, &[3, 384])).arg("dim", Arg::Int(1)),
    ];
    for (at, call) in calls.iter().enumerate() {
        let found = cpu::run(&cpu::load(call)).unwrap();
        // The source is the oracle's result, rounded: the ratio's denominator is then what rounding and WGSL cost.
        let exact = (kernel(call.op()).oracle)(&call.map_tensors(Array::from_host)).unwrap();
        let rounded: Vec<HostTensor> = found
            .iter()
            .zip(&exact)
            .map(|(found, exact)| HostTensor::from_f64(found.dtype(), found.shape(), &exact.to_f64()).unwrap())
            .collect();
        let result = judge(call, &found, &rounded.iter().collect::<Vec<_>>(), &format!("{} ({at})", call.op()));
        assert_eq!(result, Ok(()));
    }
}

/// A result that is off by more than rounding is not let through: the test above can fail.
#[test]
fn a_wrong_result_is_noticed() {
    let input = tensor(&mut Random(6), &[3, 40]);
    let call = Call::new("softmax").tensor_arg("input", input).arg("dim", Arg::Int(1));
    let right = cpu::run(&cpu::load(&call)).unwrap();
    let off: Vec<f32> = right[0].to_f32().iter().map(|value| value * 1.000_01).collect();
    let wrong = [HostTensor::from_f32(&[3, 40], &off).unwrap()];
    assert!(judge(&call, &wrong, &[&right[0]], "softmax").is_err());
}

#[test]
fn what_the_cpu_source_cannot_do_is_an_error() {
    let unknown = Call::new("erfinv").tensor_arg("input", tensor(&mut Random(7), &[2]));
    let message = cpu::run(&cpu::load(&unknown)).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains("erfinv"), "{message}");
    let table = tensor(&mut Random(8), &[4, 2]);
    let outside = HostTensor::from_i64(&[1], &[4]).unwrap();
    let call = Call::new("embedding").tensor_arg("weight", table).tensor_arg("indices", outside);
    let message = cpu::run(&cpu::load(&call)).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains("'indices'") && message.contains("holds 4"), "{message}");
}

#[test]
fn results_have_the_dtypes_of_the_signatures() {
    let vectors = Vectors::load();
    for case in &vectors.cases {
        let call = vectors.call(case);
        let metas = operators::infer(&call.map_tensors(|tensor| Meta::new(tensor.dtype(), tensor.shape()))).unwrap();
        let found = match cpu::run(&cpu::load(&call)) {
            Err(error) if is_refusal(&error) => continue,
            found => found.unwrap(),
        };
        let found: Vec<Meta> = found.iter().map(|tensor| Meta::new(tensor.dtype(), tensor.shape())).collect();
        assert_eq!(found, metas, "{}", case.id);
    }
}
