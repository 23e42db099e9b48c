//! Tensors made from numbers, triangles, `masked_fill`: sizes around workgroups, views, integers beyond 32 bits.

use super::harness::*;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor};
use crate::webgpu::GpuError;

const DTYPES: [DType; 9] =
    [DType::F32, DType::F16, DType::BF16, DType::I64, DType::I32, DType::I16, DType::I8, DType::U8, DType::Bool];

fn named(dtype: DType) -> (&'static str, Arg) {
    ("dtype", Arg::Str(dtype.name().to_owned()))
}

fn mask(shape: &[usize]) -> Strided {
    let bits: Vec<bool> = normal(9, shape.iter().product()).iter().map(|x| *x > 0.0).collect();
    HostTensor::from_bool(shape, &bits).unwrap().into()
}

/// A call of every operator here in every form.
pub(super) fn variants() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    for dtype in DTYPES {
        let input = Strided::view(typed(dtype, 1, &[4, 3, 2]), &[2, 3, 4], &[1, 2, 6], 0);
        let tensor = [("input", input.clone())];
        let size = || ("size", Arg::Ints(vec![2, 3]));
        for op in ["zeros", "ones"] {
            calls.push(call(op, &[], &[size(), named(dtype)]));
            calls.push(call(&format!("{op}_like"), &tensor, &[]));
            calls.push(call(&format!("new_{op}"), &tensor, &[size()]));
        }
        let value = || ("fill_value", Arg::Int(1));
        calls.push(call("full", &[], &[size(), value(), named(dtype)]));
        calls.push(call("full_like", &tensor, &[value()]));
        calls.push(call("new_full", &tensor, &[size(), value()]));
        calls.push(call("scalar_tensor", &[], &[("s", Arg::Int(1)), named(dtype)]));
        if dtype != DType::Bool {
            calls.push(call("arange", &[], &[("end", Arg::Int(5)), named(dtype)]));
        }
        calls.push(call("eye", &[], &[("n", Arg::Int(3)), named(dtype)]));
        for op in ["tril", "triu"] {
            calls.push(call(op, &tensor, &[]));
        }
        let masked = [("input", input), ("mask", mask(&[3, 1]))];
        calls.push(call("masked_fill", &masked, &[("value", Arg::Int(1))]));
        for value in [DType::F32, DType::I64] {
            let mut masked = masked.to_vec();
            masked.push(("value", typed(value, 2, &[]).into()));
            calls.push(call("masked_fill", &masked, &[]));
        }
    }
    calls
}

#[test]
fn every_dtype_is_filled_and_cut_as_the_oracle_does() {
    // Half a ULP: an f32 value among f16 is rounded, and integers and bool leave no room for it.
    for call in variants() {
        assert_ulps(&call, 0.5);
    }
}

#[test]
fn sizes_around_a_workgroup_are_filled_whole() {
    for length in [1, 255, 256, 257, 70_000] {
        let end = Arg::Int(length);
        assert_ulps(&call("arange", &[], &[("end", end.clone())]), 0.0);
        assert_ulps(&call("full", &[], &[("size", Arg::Ints(vec![length])), ("fill_value", Arg::Float(0.5))]), 0.0);
        assert_ulps(&call("eye", &[], &[("n", Arg::Int(3)), ("m", end)]), 0.0);
    }
    for (rows, columns) in [(1, 1), (15, 17), (16, 16), (257, 3)] {
        let input = || Strided::from(typed(DType::F32, 1, &[2, rows, columns]));
        for diagonal in [i64::MIN, -16, 0, 1, i64::MAX] {
            for op in ["tril", "triu"] {
                assert_ulps(&call(op, &[("input", input())], &[("diagonal", Arg::Int(diagonal))]), 0.0);
            }
        }
        let tensors = [("input", input()), ("mask", mask(&[rows, columns]))];
        assert_ulps(&call("masked_fill", &tensors, &[("value", Arg::Float(-0.25))]), 0.0);
    }
}

#[test]
fn integers_beyond_32_bits_are_refused_by_name() {
    let wide = Arg::Int(1 << 40);
    let fill = call("full", &[], &[("size", Arg::Ints(vec![2])), ("fill_value", wide.clone())]);
    let range = call("arange", &[], &[("start", Arg::Int(i64::from(i32::MAX) - 1)), ("end", Arg::Int(1 << 31))]);
    assert_ulps(&range, 0.0);
    let beyond = call("arange", &[], &[("start", Arg::Int(i64::from(i32::MAX))), ("end", Arg::Int((1 << 31) + 1))]);
    let tensors = [("input", Strided::from(typed(DType::I64, 1, &[3]))), ("mask", mask(&[3]))];
    let masked = call("masked_fill", &tensors, &[("value", wide)]);
    for (call, argument) in [(fill, "fill_value"), (beyond, "end"), (masked, "value")] {
        let refused = matches!(run(&call), Err(GpuError::ScalarRange { argument: named, .. }) if named == argument);
        assert!(refused, "{}", call.op());
    }
}
