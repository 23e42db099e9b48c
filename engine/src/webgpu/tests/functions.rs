//! Comparisons, truth values, bits, rounding and functions of one number.

use super::harness::*;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor};
use crate::webgpu::GpuError;

const SPECIAL: [f32; 12] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    0.5,
];

/// Both signs of magnitudes from `low` up to `high`, evenly on a logarithmic scale, and the special values.
fn sweep(low: f32, high: f32) -> Strided {
    let mut values = SPECIAL.to_vec();
    let mut x = low;
    while x < high {
        values.extend([x, -x]);
        x *= 1.0061;
    }
    f32s(&values)
}

#[test]
fn functions_are_within_their_ulp() {
    let cases = [
        ("log", 1e-37, 1e38, 2.0),
        ("log2", 1e-37, 1e38, 2.0),
        ("log10", 1e-37, 1e38, 2.0),
        ("log1p", 1e-37, 1e38, 3.5),
        ("expm1", 1e-37, 1e38, 3.5),
        ("exp2", 1e-37, 125.9, 2.5),
        ("sinh", 1e-37, 1e38, 5.5),
        ("cosh", 1e-37, 1e38, 4.5),
        ("asinh", 1e-37, 1e38, 7.5),
        ("acosh", 0.9, 1e38, 9.0),
        ("atanh", 1e-37, 1.1, 7.0),
        ("erf", 1e-37, 1e38, 2.5),
        ("tan", 1e-37, 1e38, 6.5),
        ("atan", 1e-37, 1e38, 7.5),
        ("asin", 1e-37, 1.1, 12.0),
        ("acos", 1e-37, 1.1, 7.0),
        ("reciprocal", 1e-37, 1e37, 3.0),
        ("square", 1e-18, 1e19, 1.0),
    ];
    for (op, low, high, ulps) in cases {
        assert_ulps(&call(op, &[("input", sweep(low, high))], &[]), ulps);
    }
}

#[test]
fn functions_near_their_hard_places() {
    // Around 1: zeros of logarithms, edges of inverse functions.
    let near_1: Vec<f32> = (-4000i32..4000).map(|i| f32::from_bits((0x3f80_0000 + i * 37) as u32)).collect();
    for (op, ulps) in
        [("log", 2.0), ("log2", 2.0), ("log10", 2.0), ("acosh", 9.0), ("atanh", 7.0), ("asin", 12.0), ("acos", 7.0)]
    {
        assert_ulps(&call(op, &[("input", f32s(&near_1))], &[]), ulps);
    }
    // Every piece of the polynomials meets its neighbour somewhere in here.
    let plain: Vec<f32> = (0..20_000).map(|i| -5.0 + i as f32 * 0.000_507).collect();
    for (op, ulps) in
        [("log1p", 3.5), ("expm1", 3.5), ("erf", 2.5), ("atan", 7.5), ("tan", 6.5), ("sinh", 5.5), ("asinh", 7.5)]
    {
        assert_ulps(&call(op, &[("input", f32s(&plain))], &[]), ulps);
    }
    // Neighbours of multiples of pi/2.
    let poles: Vec<f32> = (1..4_000).map(|i| (f64::from(i) * std::f64::consts::FRAC_PI_2) as f32).collect();
    assert_ulps(&call("tan", &[("input", f32s(&poles))], &[]), 6.5);
}

#[test]
fn rounding_of_every_size() {
    let mut values: Vec<f32> = (-40..40).map(|i| i as f32 * 0.25).collect();
    values.extend([8_388_607.5, -8_388_607.5, 4_194_303.8, 1e10, -1e30]);
    values.extend(SPECIAL);
    for op in ["abs", "sign", "floor", "ceil", "trunc", "round"] {
        assert_ulps(&call(op, &[("input", f32s(&values))], &[]), 0.0);
        assert_ulps(&call(op, &[("input", i64s(&[3, -4, 0, i64::from(i32::MAX)]))], &[]), 0.0);
        let view = Strided::view(typed(DType::F16, 23, &[4, 5]), &[5, 3], &[1, 5], 5);
        assert_ulps(&call(op, &[("input", view)], &[]), 0.0);
    }
    for decimals in [1, 2, -1] {
        let tolerance = |_: DType, expected: f64| 3e-7 * expected.abs();
        let input = Strided::from(floats(3, &[5, 60]));
        assert_close(&call("round", &[("input", input)], &[("decimals", Arg::Int(decimals))]), tolerance);
    }
}

#[test]
fn comparisons_and_extremes_know_nan_and_infinity() {
    let column = HostTensor::from_f32(&[12, 1], &SPECIAL).unwrap();
    for op in ["ne", "ge", "gt", "lt", "maximum", "minimum", "logical_and", "logical_or", "logical_xor"] {
        assert_ulps(&call(op, &[("input", column.clone().into()), ("other", f32s(&SPECIAL))], &[]), 0.0);
        let transposed = Strided::view(floats(1, &[5, 4]), &[4, 5], &[1, 4], 0);
        let column = Strided::from(floats(3, &[3, 4, 1]));
        assert_ulps(&call(op, &[("input", transposed), ("other", column)], &[]), 0.0);
    }
    for op in ["isnan", "isinf", "logical_not"] {
        assert_ulps(&call(op, &[("input", f32s(&SPECIAL))], &[]), 0.0);
        assert_ulps(&call(op, &[("input", i64s(&[0, 1, -1, i64::from(i32::MIN)]))], &[]), 0.0);
    }
}

#[test]
fn bits_of_strided_integers() {
    let base = HostTensor::from_f64(DType::I32, &[4, 6], &(0..24).map(|i| f64::from(i * 7 - 60)).collect::<Vec<_>>());
    let view = Strided::view(base.unwrap(), &[3, 4], &[1, 6], 2);
    let other = HostTensor::from_f64(DType::I32, &[4], &[0.0, 3.0, 31.0, 32.0]).unwrap();
    for op in ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"] {
        assert_ulps(&call(op, &[("input", view.clone()), ("other", other.clone().into())], &[]), 0.0);
        assert_ulps(&call(op, &[("input", view.clone())], &[("other", Arg::Int(5))]), 0.0);
    }
    assert_ulps(&call("bitwise_not", &[("input", view)], &[]), 0.0);
}

#[test]
fn what_leaves_32_bits_is_refused() {
    let min = i64::from(i32::MIN);
    let refused = |call| assert_eq!(run(&call).unwrap_err(), GpuError::ResultRange { index: 1 });
    refused(call("abs", &[("input", i64s(&[3, min]))], &[]));
    refused(call("square", &[("input", i64s(&[3, 46_341]))], &[]));
    for by in [31, 32, 63] {
        let tensors = [("input", i64s(&[0, 1])), ("other", i64s(&[by, by]))];
        refused(call("bitwise_left_shift", &tensors, &[]));
    }
    let tensors = [("input", i64s(&[1, 5, -1, -1])), ("other", i64s(&[30, 64, 31, -1]))];
    assert_ulps(&call("bitwise_left_shift", &tensors, &[]), 0.0);
}

/// Calls that make every kernel of these families in every form.
pub(super) fn variants() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    let floats = [DType::F32, DType::F16, DType::BF16];
    let integers = [DType::I64, DType::I32, DType::I16, DType::I8, DType::U8];
    for dtype in floats.into_iter().chain(integers).chain([DType::Bool]) {
        let of = |shape: &[usize]| Strided::from(typed(dtype, 1, shape));
        let view = Strided::view(typed(dtype, 1, &[4, 3, 2]), &[2, 3, 4], &[1, 2, 6], 0);
        let (is_bool, is_integer) = (dtype == DType::Bool, integers.contains(&dtype));
        for input in [of(&[5]), view.clone()] {
            let of_two = |op: &str| call(op, &[("input", input.clone()), ("other", of(&[1]))], &[]);
            let of_one = |op: &str| call(op, &[("input", input.clone())], &[]);
            let with_number = |op: &str, number: Arg| call(op, &[("input", input.clone())], &[("other", number)]);
            for op in ["ne", "ge", "gt", "lt"] {
                calls.extend([of_two(op), with_number(op, Arg::Int(2)), with_number(op, Arg::Float(0.5))]);
            }
            calls.extend(["maximum", "minimum", "logical_and", "logical_or", "logical_xor"].map(of_two));
            calls.extend(["isnan", "isinf", "logical_not", "sign", "square", "reciprocal"].map(of_one));
            calls.extend(["log", "log2", "log10", "log1p", "asinh", "acosh", "atanh", "exp2", "expm1"].map(of_one));
            calls.extend(["sinh", "cosh", "erf", "tan", "asin", "acos", "atan"].map(of_one));
            if !is_bool {
                calls.extend(["abs", "floor", "ceil", "trunc", "round"].map(of_one));
            }
            if is_integer || is_bool {
                calls.push(of_one("bitwise_not"));
                calls.extend(["bitwise_and", "bitwise_or", "bitwise_xor", "__and__"].map(of_two));
                calls.push(with_number("bitwise_and", Arg::Int(2)));
            }
            if is_integer {
                calls.extend(["bitwise_left_shift", "bitwise_right_shift"].map(of_two));
            }
            if floats.contains(&dtype) {
                for decimals in [-2, 2] {
                    calls.push(call("round", &[("input", input.clone())], &[("decimals", Arg::Int(decimals))]));
                }
            }
        }
    }
    calls
}
