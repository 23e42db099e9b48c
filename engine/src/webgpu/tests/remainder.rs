//! Division with its remainder.

use super::harness::*;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor};
use crate::webgpu::GpuError;

/// Operator and rounding mode of everything that divides to integers.
const WAYS: [(&str, Option<&str>); 5] =
    [("floor_divide", None), ("remainder", None), ("fmod", None), ("div", Some("trunc")), ("div", Some("floor"))];

fn way(way: (&str, Option<&str>), tensors: &[(&str, Strided)], other: Option<Arg>) -> Call<Strided> {
    let (op, mode) = way;
    let mut args: Vec<(&str, Arg)> = other.into_iter().map(|other| ("other", other)).collect();
    args.extend(mode.map(|mode| ("rounding_mode", Arg::Str(mode.to_owned()))));
    call(op, tensors, &args)
}

#[test]
fn remainders_are_exact_at_every_distance() {
    let mut values = vec![0.0, -0.0, 1.0, -3.0, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    let mut x = 1e-37f32;
    while x < 1e38 {
        values.extend([x, -x * 1.379]);
        x *= 7.31;
    }
    let column = HostTensor::from_f32(&[values.len(), 1], &values).unwrap();
    let tensors = [("input", column.into()), ("other", f32s(&values))];
    assert_ulps(&call("fmod", &tensors, &[]), 0.0);
    // Where the signs differ, a sum is rounded.
    assert_ulps(&call("remainder", &tensors, &[]), 0.5);
    for mode in [("floor_divide", None), ("div", Some("floor")), ("div", Some("trunc"))] {
        // Exact but for quotients that f32 has to round.
        let tolerance = |_: DType, expected: f64| if expected.abs() < 1.6e7 { 0.0 } else { 4e-7 * expected.abs() };
        assert_close(&way(mode, &tensors, None), tolerance);
    }
}

#[test]
fn quotients_near_integers_are_not_rounded_up() {
    // 1 / 0.1 in f32 is 9.99999985, which rounds to 10.
    let tensors = [("input", f32s(&[1.0, -1.0, 6.0, 0.3])), ("other", f32s(&[0.1, 0.1, 0.2, 0.1]))];
    let floors = run(&call("floor_divide", &tensors, &[])).unwrap();
    assert_eq!(floors[0].to_f64(), [9.0, -10.0, 29.0, 3.0]);
}

#[test]
fn integers_divided_by_zero_are_reported() {
    for dtype in [DType::I64, DType::I32, DType::I16, DType::I8, DType::U8] {
        let of = |values: &[f64]| Strided::from(HostTensor::from_f64(dtype, &[values.len()], values).unwrap());
        for mode in WAYS {
            let tensors = [("input", of(&[7.0, 5.0, 0.0])), ("other", of(&[2.0, 0.0, 0.0]))];
            let error = run(&way(mode, &tensors, None)).unwrap_err();
            assert_eq!(error, GpuError::DivisionByZero { index: 1 }, "{mode:?} {dtype}");
            let error = run(&way(mode, &tensors[..1], Some(Arg::Int(0)))).unwrap_err();
            assert_eq!(error, GpuError::DivisionByZero { index: 0 }, "{mode:?} {dtype}");
        }
    }
}

#[test]
fn what_leaves_32_bits_is_refused() {
    let tensors = [("input", i64s(&[3, i64::from(i32::MIN)])), ("other", i64s(&[-1, -1]))];
    for mode in [("floor_divide", None), ("div", Some("trunc")), ("div", Some("floor"))] {
        assert_eq!(run(&way(mode, &tensors, None)).unwrap_err(), GpuError::ResultRange { index: 1 });
    }
    for mode in ["remainder", "fmod"] {
        assert_ulps(&call(mode, &tensors, &[]), 0.0);
    }
}

/// Calls that make these kernels in every form.
pub(super) fn variants() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    let floats = [DType::F32, DType::F16, DType::BF16];
    for dtype in floats.into_iter().chain([DType::I64, DType::I32, DType::I16, DType::I8, DType::U8]) {
        let of = |shape: &[usize]| Strided::from(typed(dtype, 1, shape));
        let view = Strided::view(typed(dtype, 1, &[4, 3, 2]), &[2, 3, 4], &[1, 2, 6], 0);
        for input in [of(&[5]), view] {
            for mode in WAYS {
                calls.push(way(mode, &[("input", input.clone()), ("other", of(&[1]))], None));
                calls.push(way(mode, &[("input", input.clone())], Some(Arg::Int(3))));
                calls.push(way(mode, &[("input", input.clone())], Some(Arg::Float(0.5))));
            }
        }
    }
    calls
}
