//! Activations, functions of two and three numbers, bounds, channels.

use super::harness::*;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor};
use crate::webgpu::GpuError;

/// Both signs of magnitudes from `low` up to `high`, evenly on a logarithmic scale.
fn sweep(low: f32, high: f32) -> Vec<f32> {
    let mut values = Vec::new();
    let mut x = low;
    while x < high {
        values.extend([x, -x]);
        x *= 1.0061;
    }
    values
}

#[test]
fn activations_are_within_their_ulp() {
    // The largest inputs leave results that are not subnormal.
    let cases = [
        ("softplus", 80.0, 6.0),
        ("mish", 80.0, 9.0),
        ("logsigmoid", 80.0, 6.0),
        ("elu", 1e38, 4.0),
        ("selu", 1e38, 5.0),
        ("celu", 1e38, 4.0),
        ("hardsigmoid", 1e38, 4.0),
        ("hardswish", 1e37, 5.0),
        ("softsign", 1e37, 4.0),
        ("erfc", 9.0, 9.0),
        ("hardshrink", 1e38, 0.0),
        ("softshrink", 1e38, 0.5),
        ("relu6", 1e38, 0.0),
        ("hardtanh", 1e38, 0.0),
    ];
    for (op, high, ulps) in cases {
        assert_ulps(&call(op, &[("input", f32s(&sweep(1e-30, high)))], &[]), ulps);
        let plain: Vec<f32> = (0..10_000).map(|i| -5.0 + i as f32 * 0.001_013).collect();
        assert_ulps(&call(op, &[("input", f32s(&plain))], &[]), ulps);
    }
}

#[test]
fn sinc_keeps_its_zeros() {
    let plain: Vec<f32> = (0..20_000).map(|i| -9.9 + i as f32 * 0.001_01).collect();
    // Relative to 1: the oracle takes PyTorch's formula, whose zeros are not quite where they should be.
    assert_close(&call("sinc", &[("input", f32s(&plain))], &[]), |_, expected| 5e-7 * expected.abs() + 2e-16);
    let zeros = run(&call("sinc", &[("input", f32s(&[1.0, -2.0, 3.0, 8_388_609.0]))], &[])).unwrap();
    assert!(zeros[0].to_f64().iter().all(|&value| value == 0.0));
}

#[test]
fn functions_of_two_over_their_range() {
    let values: Vec<f32> = sweep(1e-30, 1e30).into_iter().step_by(137).chain([0.0, 1.0, -1.0]).collect();
    let column = HostTensor::from_f32(&[values.len(), 1], &values).unwrap();
    let pair = |op: &str| call(op, &[("input", column.clone().into()), ("other", f32s(&values))], &[]);
    assert_ulps(&pair("atan2"), 7.5);
    assert_ulps(&pair("hypot"), 8.5);
    assert_ulps(&pair("xlogy"), 2.5);
    for op in ["logaddexp", "logaddexp2"] {
        // The sum cancels where both are near −ln 2.
        assert_close(&pair(op), |_, expected| 6e-7 * expected.abs().max(1.0));
    }
}

#[test]
fn tensors_bound_as_numbers_do() {
    let input = Strided::view(floats(1, &[5, 4]), &[4, 5], &[1, 4], 0);
    let (low, high) = (HostTensor::from_f32(&[], &[-0.25]).unwrap(), HostTensor::from_f32(&[1], &[0.75]).unwrap());
    let by_tensors = [("input", input.clone()), ("min", low.into()), ("max", high.into())];
    let by_numbers = [("min", Arg::Float(-0.25)), ("max", Arg::Float(0.75))];
    assert_ulps(&call("clamp", &by_tensors, &[]), 0.0);
    assert_ulps(&call("clamp", &[("input", input)], &by_numbers), 0.0);
}

#[test]
fn sums_of_products_are_exact_or_refused() {
    let edge = i64::from(i32::MAX);
    let of = |x: i64, a: i64, b: i64, value: i64| {
        let tensors = [("input", i64s(&[0, x])), ("tensor1", i64s(&[0, a])), ("tensor2", i64s(&[0, b]))];
        run(&call("addcmul", &tensors, &[("value", Arg::Int(value))]))
    };
    assert_eq!(of(7, 46_340, 46_340, 1).unwrap()[0].to_f64()[1], 46_340f64.powi(2) + 7.0);
    for (x, a, b, value) in [(edge, 1, 1, 1), (0, 65_536, 65_536, 1), (0, edge, 1, 2), (1, 46_341, 46_341, 1)] {
        assert_eq!(of(x, a, b, value).unwrap_err(), GpuError::ResultRange { index: 1 }, "{x} {a} {b} {value}");
    }
}

/// Calls that make every kernel of these families in every form.
pub(super) fn variants() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    let floats = [DType::F32, DType::F16, DType::BF16];
    let integers = [DType::I64, DType::I32, DType::I16, DType::I8, DType::U8];
    let number = |name: &'static str, value: f64| (name, Arg::Float(value));
    for dtype in floats.into_iter().chain(integers).chain([DType::Bool]) {
        let of = |shape: &[usize]| Strided::from(typed(dtype, 1, shape));
        let view = Strided::view(typed(dtype, 1, &[4, 3, 2]), &[2, 3, 4], &[1, 2, 6], 0);
        let (is_float, is_bool) = (floats.contains(&dtype), dtype == DType::Bool);
        for input in [of(&[5]), view.clone()] {
            let of_one = |op: &str| call(op, &[("input", input.clone())], &[]);
            let of_two = |op: &str| call(op, &[("input", input.clone()), ("other", of(&[1]))], &[]);
            calls.extend(["erfc", "sinc"].map(of_one));
            calls.extend(["xlogy", "atan2"].map(of_two));
            calls.push(call("xlogy", &[("input", input.clone())], &[("other", Arg::Float(0.5))]));
            calls.push(call("clamp", &[("input", input.clone()), ("min", of(&[1])), ("max", of(&[]))], &[]));
            for (op, name) in [("clamp_min", "min"), ("clamp_max", "max")] {
                calls.push(call(op, &[("input", input.clone()), (name, of(&[1]))], &[]));
                calls.push(call(op, &[("input", input.clone())], &[(name, Arg::Int(1))]));
            }
            if is_bool {
                continue;
            }
            calls.push(of_two("rsub"));
            calls.push(call("rsub", &[("input", input.clone())], &[("other", Arg::Int(2))]));
            calls.extend(["relu6", "hardtanh", "softsign"].map(of_one));
            calls.push(call(
                "threshold",
                &[("input", input.clone())],
                &[number("threshold", 1.0), number("value", 2.0)],
            ));
            let three = [("input", input.clone()), ("tensor1", of(&[1])), ("tensor2", of(&[]))];
            calls.push(call("addcmul", &three, &[]));
            if !is_float {
                continue;
            }
            calls.push(call("addcdiv", &three, &[]));
            calls.extend(["softplus", "leaky_relu", "elu", "celu", "selu", "hardsigmoid", "hardswish"].map(of_one));
            calls.extend(["hardshrink", "softshrink", "mish", "logsigmoid", "log_sigmoid"].map(of_one));
            calls.extend(["logaddexp", "logaddexp2", "hypot"].map(of_two));
            calls.push(call("prelu", &[("input", input.clone()), ("weight", of(&[1]))], &[]));
            calls.push(call("lerp", &[("input", input.clone()), ("end", of(&[1]))], &[number("weight", 0.5)]));
            calls.push(call("lerp", &[("input", input.clone()), ("end", of(&[1])), ("weight", of(&[]))], &[]));
        }
        if is_float {
            calls.push(call("glu", &[("input", view.clone())], &[("dim", Arg::Int(0))]));
            calls.push(call("prelu", &[("input", view.clone()), ("weight", of(&[3]))], &[]));
        }
        calls.push(call("pixel_shuffle", &[("input", of(&[4, 2, 3]))], &[("upscale_factor", Arg::Int(2))]));
        calls.push(call("pixel_unshuffle", &[("input", of(&[2, 4, 2]))], &[("downscale_factor", Arg::Int(2))]));
        calls.push(call("channel_shuffle", &[("input", of(&[2, 4, 3]))], &[("groups", Arg::Int(2))]));
    }
    calls
}
