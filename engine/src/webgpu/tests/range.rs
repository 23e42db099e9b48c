//! i64 results that the GPU's 32-bit words cannot hold are an error, never a wrong number. Expected values are i64
//! arithmetic of the host.

use super::harness::*;
use crate::graph::Arg;
use crate::tensor::{DType, HostTensor};
use crate::webgpu::GpuError;

const MIN: i64 = i32::MIN as i64;
const MAX: i64 = i32::MAX as i64;

fn i64s(values: &[i64]) -> Strided {
    HostTensor::from_i64(&[values.len()], values).unwrap().into()
}

/// `op` of each pair gives what `expected` says, or fails where that is beyond 32 bits.
fn assert_exact_or_refused(op: &str, other: &str, pairs: &[(i64, i64)], expected: fn(i64, i64) -> i128) {
    for &(a, b) in pairs {
        let exact = expected(a, b);
        let outcome = run(&call(op, &[("input", i64s(&[0, a])), (other, i64s(&[1, b]))], &[]));
        match (i32::try_from(exact), outcome) {
            (Ok(_), Ok(results)) => assert_eq!(results[0].to_f64()[1], exact as f64, "{op} {a} {b}"),
            (Err(_), Err(error)) => assert_eq!(error, GpuError::ResultRange { index: 1 }, "{op} {a} {b}"),
            (_, outcome) => panic!("{op} of {a} and {b} is {exact}, but: {outcome:?}"),
        }
    }
}

fn edges() -> Vec<(i64, i64)> {
    let values = [0, 1, -1, 2, -2, 46_340, 46_341, -46_341, 65_536, MAX, MIN, MAX - 1, MIN + 1];
    values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).collect()
}

#[test]
fn sums_differences_and_products_are_exact_or_refused() {
    assert_exact_or_refused("add", "other", &edges(), |a, b| i128::from(a) + i128::from(b));
    assert_exact_or_refused("sub", "other", &edges(), |a, b| i128::from(a) - i128::from(b));
    assert_exact_or_refused("mul", "other", &edges(), |a, b| i128::from(a) * i128::from(b));
}

#[test]
fn powers_are_exact_or_refused() {
    let pairs: Vec<_> = [-3, -2, -1, 0, 1, 2, 3, 46_340, 46_341]
        .into_iter()
        .flat_map(|base| [0, 1, 2, 3, 15, 19, 20, 30, 31, 32].map(|exponent| (base, exponent)))
        .collect();
    assert_exact_or_refused("pow", "exponent", &pairs, |a, b| {
        i128::from(a).checked_pow(u32::try_from(b).unwrap()).unwrap_or(i128::MAX)
    });
}

#[test]
fn shifts_are_exact_or_refused() {
    let values = [0, 1, -1, 2, 3, 1 << 30, MAX, MIN];
    let pairs: Vec<_> = values.iter().flat_map(|&a| [0, 1, 2, 30, 31, 32, 33, 62, 63].map(|b| (a, b))).collect();
    // Bits beyond the 64 of an i64 are lost, as in PyTorch.
    assert_exact_or_refused("bitwise_left_shift", "other", &pairs, |a, b| i128::from(a << b));
    assert_exact_or_refused("bitwise_right_shift", "other", &pairs, |a, b| i128::from(a >> b));
}

#[test]
fn neg_and_abs_of_the_smallest_are_refused() {
    for op in ["neg", "abs"] {
        let result = |value| run(&call(op, &[("input", i64s(&[value]))], &[]));
        assert_eq!(result(MIN).unwrap_err(), GpuError::ResultRange { index: 0 }, "{op}");
        assert_eq!(result(-MAX).unwrap()[0].to_f64(), [MAX as f64], "{op}");
    }
}

#[test]
fn sums_that_fit_are_exact_whatever_their_parts() {
    let sum = |values: &[i64]| run(&call("sum", &[("input", i64s(values))], &[]));
    let mut values = vec![MAX; 300];
    assert_eq!(sum(&values).unwrap_err(), GpuError::ResultRange { index: 0 });
    values.extend(vec![-MAX; 299]);
    assert_eq!(sum(&values).unwrap()[0].to_f64(), [MAX as f64]);
    values.push(MIN);
    assert_eq!(sum(&values).unwrap()[0].to_f64(), [-1.0]);
    assert_eq!(sum(&[MIN, -1]).unwrap_err(), GpuError::ResultRange { index: 0 });
}

#[test]
fn narrower_integers_wrap_as_in_pytorch() {
    let i32s = |values: &[f64]| Strided::from(HostTensor::from_f64(DType::I32, &[values.len()], values).unwrap());
    let product = run(&call("mul", &[("input", i32s(&[65_536.0])), ("other", i32s(&[65_537.0]))], &[])).unwrap();
    assert_eq!(product[0].to_f64(), [65_536.0]);
}

#[test]
fn casts_of_large_floats_are_refused() {
    let cast = |value| run(&call("to", &[("input", f32s(&[0.0, value]))], &[("dtype", Arg::Str("i64".into()))]));
    for value in [2_147_483_648.0, -2_147_483_904.0, f32::INFINITY, f32::NAN] {
        assert_eq!(cast(value).unwrap_err(), GpuError::ResultRange { index: 1 }, "{value}");
    }
    for value in [2_147_483_520.0, -2_147_483_648.0, -0.9] {
        assert_eq!(cast(value).unwrap()[0].to_f64()[1], f64::from(value.trunc()));
    }
}

#[test]
fn scalars_beyond_32_bits_are_refused_by_name() {
    let large = Arg::Int(MAX + 1);
    for op in ["add", "mul", "eq", "le"] {
        let error = run(&call(op, &[("input", i64s(&[1]))], &[("other", large.clone())])).unwrap_err();
        assert_eq!(error, GpuError::ScalarRange { argument: "other", value: MAX + 1 });
    }
    let error = run(&call("add", &[("input", i64s(&[1])), ("other", i64s(&[1]))], &[("alpha", large.clone())]));
    assert_eq!(error.unwrap_err(), GpuError::ScalarRange { argument: "alpha", value: MAX + 1 });
    // A bound beyond every element changes nothing.
    let clamped = run(&call("clamp", &[("input", i64s(&[5]))], &[("max", large)])).unwrap();
    assert_eq!(clamped[0].to_f64(), [5.0]);
}
