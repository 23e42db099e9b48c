//! Elementwise kernels.

use super::harness::*;
use crate::graph::Arg;
use crate::tensor::{DType, HostTensor};

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

/// Both signs of every magnitude in a wide range, and the special values.
fn sweep(largest: f32) -> Strided {
    let mut values = SPECIAL.to_vec();
    let mut x = 1e-30f32;
    while x < largest {
        values.extend([x, -x]);
        x *= 1.0137;
    }
    f32s(&values)
}

fn unary(op: &str, input: Strided, ulps: f64) {
    assert_ulps(&call(op, &[("input", input)], &[]), ulps);
}

#[test]
fn exp_is_within_two_ulp_and_saturates() {
    // Below, results are subnormal, which a GPU may flush.
    let values: Vec<f32> = (0..20_000).map(|i| -87.3 + i as f32 * 0.0088).collect();
    unary("exp", f32s(&values), 2.0);
    unary("exp", f32s(&[88.722_83, 88.722_84, 89.0, 1e30, f32::INFINITY, f32::NAN, 0.0, -0.0]), 2.0);
    let small = run(&call("exp", &[("input", f32s(&[-104.0, -1e30, f32::NEG_INFINITY]))], &[])).unwrap();
    assert_eq!(small[0].to_f32(), [0.0, 0.0, 0.0]);
}

#[test]
fn tanh_never_overflows() {
    unary("tanh", sweep(1e38), 2.0);
}

#[test]
fn sigmoid_is_accurate_for_small_results() {
    let values: Vec<f32> = (0..20_000).map(|i| -87.0 + i as f32 * 0.01).collect();
    unary("sigmoid", f32s(&values), 4.0);
    unary("sigmoid", f32s(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0]), 1.0);
}

#[test]
fn silu_and_relu() {
    let values: Vec<f32> = (0..10_000).map(|i| -80.0 + i as f32 * 0.02).collect();
    unary("silu", f32s(&values), 5.0);
    unary("relu", sweep(1e38), 0.0);
}

#[test]
fn sin_and_cos_are_reduced_exactly() {
    let mut values = vec![0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    values.extend((0..20_000).map(|i| -40.0 + i as f32 * 0.004));
    values.extend((0..4_000).map(|i| i as f32 * 25.7));
    // Neighbours of multiples of pi/2, where a lost bit of the reduction shows.
    values.extend((1..4_000).map(|i| (f64::from(i) * std::f64::consts::FRAC_PI_2) as f32));
    values.extend((0..2_000).map(|i| f32::from_bits(0x3f00_0000 + i * 0x0010_0001)));
    // 16367173 * 2^72: the f32 nearest to a multiple of pi/2 that there is.
    values.extend([16_367_173.0 * 2f32.powi(72), f32::MAX, 1e10, 1e20, 1e30]);
    unary("sin", f32s(&values), 2.0);
    unary("cos", f32s(&values), 2.0);
}

#[test]
fn sqrt_and_rsqrt_with_their_limits() {
    let positive: Vec<f32> = (0..4_000).map(|i| f32::from_bits(0x0080_0000 + i * 0x0007_d001)).collect();
    unary("rsqrt", f32s(&positive), 3.0);
    unary("sqrt", f32s(&positive), 3.0);
    for op in ["sqrt", "rsqrt"] {
        unary(op, f32s(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, -0.0, f32::MAX]), 3.0);
    }
}

#[test]
fn neg_keeps_every_bit() {
    let input = sweep(1e38);
    let result = run(&call("neg", &[("input", input.clone())], &[])).unwrap().remove(0);
    for (a, b) in result.to_f32().into_iter().zip(input.host().to_f32()) {
        assert_eq!(a.to_bits(), b.to_bits() ^ 0x8000_0000);
    }
    unary("neg", i64s(&[3, -4, 0]), 0.0);
}

#[test]
fn gelu_in_both_forms() {
    let values: Vec<f32> = (0..20_000).map(|i| -13.0 + i as f32 * 0.0013).collect();
    // The tanh form rounds its cubic polynomial, which counts as many times as it is large: down there the result is small.
    for (approximate, small) in [("none", 1e-30), ("tanh", 1e-2)] {
        let tolerance = |_: DType, expected: f64| 8e-7 * expected.abs().max(small);
        let args = [("approximate", Arg::Str(approximate.to_owned()))];
        assert_close(&call("gelu", &[("input", f32s(&values))], &args), tolerance);
        let limits = f32s(&[f32::NAN, f32::INFINITY, 0.0, -0.0, 1e30, -1e30, 1e38, -1e38]);
        assert_ulps(&call("gelu", &[("input", limits)], &args), 1.0);
    }
}

#[test]
fn arithmetic_broadcasts_over_strides() {
    let transposed = Strided::view(floats(1, &[5, 4]), &[4, 5], &[1, 4], 0);
    let row = Strided::from(floats(2, &[5]));
    let column = Strided::from(floats(3, &[3, 4, 1]));
    let sliced = Strided::view(floats(4, &[4, 11]), &[4, 5], &[11, 2], 1);
    let scalar = Strided::view(floats(5, &[2]), &[], &[], 1);
    for op in ["add", "sub", "mul", "div"] {
        for other in [&row, &column, &sliced, &scalar, &transposed] {
            assert_ulps(&call(op, &[("input", transposed.clone()), ("other", other.clone())], &[]), 3.0);
        }
    }
}

#[test]
fn arithmetic_up_to_rank_eight() {
    let shape = [2, 1, 3, 1, 2, 2, 1, 2];
    let other = Strided::view(floats(7, &[2, 3, 5, 2]), &[2, 3, 3, 2, 2, 1, 1, 1], &[30, 10, 2, 1, 0, 1, 1, 1], 4);
    assert_ulps(&call("mul", &[("input", floats(6, &shape).into()), ("other", other)], &[]), 1.0);
}

#[test]
fn scalars_and_alpha() {
    let input = Strided::from(floats(8, &[3, 7]));
    for op in ["add", "sub", "mul", "div"] {
        for scalar in [Arg::Int(3), Arg::Float(-0.37), Arg::Float(f64::INFINITY)] {
            assert_ulps(&call(op, &[("input", input.clone())], &[("other", scalar)]), 3.0);
        }
    }
    let other = Strided::from(floats(9, &[7]));
    // alpha * other is rounded on its own unless the compiler fuses.
    let tolerance = |_: DType, expected: f64| 3e-7 * (expected.abs() + 2.0);
    for op in ["add", "sub"] {
        let args = [("alpha", Arg::Float(-1.7))];
        assert_close(&call(op, &[("input", input.clone()), ("other", other.clone())], &args), tolerance);
    }
}

#[test]
fn integers_stay_integers() {
    let a = i64s(&[7, -3, 0, 1 << 20, 5]);
    let b = i64s(&[2, 5, -1, 3, 0]);
    for op in ["add", "sub", "mul", "le", "eq"] {
        assert_ulps(&call(op, &[("input", a.clone()), ("other", b.clone())], &[]), 0.0);
    }
    assert_ulps(&call("add", &[("input", a.clone()), ("other", b.clone())], &[("alpha", Arg::Int(-4))]), 0.0);
    assert_ulps(&call("mul", &[("input", a.clone())], &[("other", Arg::Float(0.5))]), 1.0);
    assert_ulps(&call("div", &[("input", a.clone()), ("other", i64s(&[2, 5, -1, 3, 7]))], &[]), 3.0);
    let exponents = i64s(&[3, 2, 5, 1, 0]);
    assert_ulps(&call("pow", &[("input", a), ("exponent", exponents)], &[]), 0.0);
    let bools = HostTensor::from_bool(&[4], &[true, false, true, false]).unwrap();
    let others = HostTensor::from_bool(&[4], &[true, true, false, false]).unwrap();
    for op in ["add", "mul"] {
        let tensors = [("input", bools.clone().into()), ("other", others.clone().into())];
        assert_ulps(&call(op, &tensors, &[]), 0.0);
    }
}

#[test]
fn pow_is_accurate_over_the_whole_range() {
    let bases: Vec<f32> = (0..3_000).map(|i| f32::from_bits(0x0100_0000 + i * 0x000a_7001)).collect();
    for exponent in [2.0, 3.0, 0.5, -0.5, -1.0, -2.0, 1.0, 0.0, 0.333, 17.3, -0.041] {
        let expected_normal: Vec<f32> = bases
            .iter()
            .copied()
            .filter(|&base| {
                let magnitude = f64::from(base).powf(exponent);
                !(0.0..1.2e-38).contains(&magnitude)
            })
            .collect();
        assert_ulps(&call("pow", &[("input", f32s(&expected_normal))], &[("exponent", Arg::Float(exponent))]), 3.0);
    }
    // Frequencies of rotary embeddings: a scalar base would be folded, a tensor base is not.
    let base = HostTensor::from_f32(&[1], &[10_000.0]).unwrap();
    let exponents: Vec<f32> = (0..64).map(|i| -(i as f32) / 64.0).collect();
    assert_ulps(&call("pow", &[("input", base.into()), ("exponent", f32s(&exponents))], &[]), 2.0);
}

#[test]
fn pow_of_special_values() {
    let specials = HostTensor::from_f32(&[12, 1], &SPECIAL).unwrap();
    let exponents = [0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -3.0, 0.5, -0.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e20];
    assert_ulps(&call("pow", &[("input", specials.into()), ("exponent", f32s(&exponents))], &[]), 3.0);
}

#[test]
fn comparisons_know_nan_and_infinity() {
    let column = HostTensor::from_f32(&[12, 1], &SPECIAL).unwrap();
    for op in ["le", "eq"] {
        assert_ulps(&call(op, &[("input", column.clone().into()), ("other", f32s(&SPECIAL))], &[]), 0.0);
        assert_ulps(&call(op, &[("input", i64s(&[1, 2, 3]))], &[("other", Arg::Float(2.5))]), 0.0);
        assert_ulps(&call(op, &[("input", i64s(&[1, 2, 3]))], &[("other", Arg::Int(2))]), 0.0);
    }
}

#[test]
fn where_takes_the_right_side_bit_for_bit() {
    let condition = HostTensor::from_bool(&[2, 1], &[true, false]).unwrap();
    let tensors =
        [("condition", condition.clone().into()), ("input", f32s(&SPECIAL)), ("other", floats(11, &[2, 12]).into())];
    assert_ulps(&call("where", &tensors, &[]), 0.0);
    let tensors = [("condition", condition.clone().into()), ("input", i64s(&[4, 5, 6]))];
    assert_ulps(&call("where", &tensors, &[("other", Arg::Int(-9))]), 0.0);
    let tensors = [("condition", condition.into()), ("input", f32s(&[1.0, f32::NAN]))];
    assert_ulps(&call("where", &tensors, &[("other", Arg::Float(f64::NEG_INFINITY))]), 0.0);
}

#[test]
fn clamp_of_floats_and_integers() {
    let input = sweep(1e38);
    for args in [
        vec![("min", Arg::Float(-1.5)), ("max", Arg::Float(2.0))],
        vec![("min", Arg::Int(0))],
        vec![("max", Arg::Float(0.25))],
        vec![("min", Arg::Float(f64::from(f32::MIN))), ("max", Arg::Float(f64::INFINITY))],
    ] {
        assert_ulps(&call("clamp", &[("input", input.clone())], &args), 0.0);
    }
    assert_ulps(&call("clamp", &[("input", i64s(&[-5, 0, 9]))], &[("min", Arg::Int(-1)), ("max", Arg::Int(4))]), 0.0);
}

#[test]
fn casts_between_dtypes() {
    let integers = i64s(&[0, 1, -1, 100, -100, 1 << 24]);
    let reals = f32s(&[0.0, -0.0, 1.5, -1.5, 99.99, -0.2, 65504.0, 1e-7, 3.0e38, f32::NAN]);
    for target in [DType::F32, DType::F16, DType::BF16] {
        for input in [&integers, &reals] {
            let args = [("dtype", Arg::Str(target.name().to_owned()))];
            assert_ulps(&call("to", &[("input", input.clone())], &args), 0.5);
        }
    }
    for target in [DType::I64, DType::I32, DType::I16, DType::I8, DType::Bool] {
        let args = [("dtype", Arg::Str(target.name().to_owned()))];
        assert_ulps(&call("to", &[("input", f32s(&[0.0, -0.0, 1.5, -1.5, 99.99, -0.2]))], &args), 0.0);
        assert_ulps(&call("to", &[("input", i64s(&[0, 1, -1, 100, 127]))], &args), 0.0);
    }
}

#[test]
fn halves_round_to_nearest_even_like_the_host() {
    let mut values: Vec<f32> = (0..60_000u32).map(|i| f32::from_bits(i * 71_563)).collect();
    values.extend(SPECIAL);
    values.extend([
        65_519.996,
        65_520.0,
        -65_520.0,
        2f32.powi(-25),
        2f32.powi(-25) * 1.0001,
        2f32.powi(-14),
        1.0009766,
    ]);
    for target in [DType::F16, DType::BF16] {
        let args = [("dtype", Arg::Str(target.name().to_owned()))];
        let input = f32s(&values);
        let result = run(&call("to", &[("input", input)], &args)).unwrap().remove(0);
        for (pair, &value) in result.bytes().as_chunks::<2>().0.iter().zip(&values) {
            let bits = u16::from_le_bytes(*pair);
            let (expected, nan) = match target {
                DType::F16 => (half::f16::from_f32(value).to_bits(), half::f16::from_bits(bits).is_nan()),
                _ => (half::bf16::from_f32(value).to_bits(), half::bf16::from_bits(bits).is_nan()),
            };
            assert!(
                bits == expected || (value.is_nan() && nan),
                "{target} of {value:e}: {bits:#06x}, not {expected:#06x}"
            );
        }
    }
}

#[test]
fn every_half_is_read_exactly() {
    let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    for dtype in [DType::F16, DType::BF16] {
        let stored = HostTensor::new(dtype, &[1 << 16], bytes.clone()).unwrap();
        let args = [("dtype", Arg::Str("f32".to_owned()))];
        let result = run(&call("to", &[("input", stored.clone().into())], &args)).unwrap().remove(0);
        for (a, b) in result.to_f32().into_iter().zip(stored.to_f32()) {
            assert!(a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()), "{dtype}: {a:e} for {b:e}");
        }
    }
}

#[test]
fn halves_are_computed_in_f32_and_rounded_once() {
    for dtype in [DType::F16, DType::BF16] {
        // An odd number of elements leaves half a word over.
        let tensors = [("input", typed(dtype, 21, &[3, 5]).into()), ("other", typed(dtype, 22, &[5]).into())];
        for op in ["add", "mul"] {
            assert_ulps(&call(op, &tensors, &[]), 0.501);
        }
        assert_ulps(&call("silu", &tensors[..1], &[]), 0.501);
        // A view that begins in the middle of a word.
        let view = Strided::view(typed(dtype, 23, &[4, 5]), &[4, 3], &[5, 1], 1);
        assert_ulps(&call("neg", &[("input", view)], &[]), 0.0);
    }
}

#[test]
fn empty_and_rank_zero_tensors() {
    for op in ["exp", "neg", "relu"] {
        assert_ulps(&call(op, &[("input", floats(0, &[0]).into())], &[]), 2.0);
        assert_ulps(&call(op, &[("input", floats(1, &[]).into())], &[]), 2.0);
    }
    let tensors = [("input", floats(0, &[3, 0]).into()), ("other", floats(0, &[3, 1]).into())];
    assert_ulps(&call("add", &tensors, &[]), 0.0);
    assert_ulps(&call("add", &[("input", typed(DType::F16, 0, &[0, 2]).into())], &[("other", Arg::Int(1))]), 0.0);
}

#[test]
fn more_elements_than_one_row_of_workgroups() {
    // 65535 workgroups of 256 hold 16776960 elements.
    let count = 16_777_300;
    let input = Strided::view(floats(31, &[1]), &[count], &[0], 0);
    let result = run(&call("neg", &[("input", input.clone())], &[])).unwrap().remove(0);
    let expected = -input.base.to_f32()[0];
    assert_eq!(result.numel(), count);
    assert!(result.to_f32().iter().all(|&value| value == expected));
}
