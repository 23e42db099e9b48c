//! Pooling.

use super::harness::*;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, ulp_size};

const MAX: [&str; 2] = ["max_pool2d", "max_pool2d_with_indices"];

fn close(dtype: DType, expected: f64) -> f64 {
    0.51 * ulp_size(dtype, expected) + 1e-6
}

fn ints(name: &'static str, values: &[i64]) -> (&'static str, Arg) {
    (name, Arg::Ints(values.to_vec()))
}

#[test]
fn views() {
    let input = Strided::view(floats(1, &[3 * 9 * 10 * 4 + 7]), &[2, 4, 9, 10], &[360, 1, 40, 4], 7);
    for kernel in [[1, 1], [2, 3], [4, 1]] {
        let args = [ints("kernel_size", &kernel), ints("stride", &[1, 2])];
        for op in MAX {
            assert_ulps(&call(op, &[("input", input.clone())], &args), 0.0);
        }
        assert_close(&call("avg_pool2d", &[("input", input.clone())], &args), close);
    }
    for size in [[1, 1], [3, 4], [9, 10], [11, 3]] {
        let args = [ints("output_size", &size)];
        assert_close(&call("adaptive_avg_pool2d", &[("input", input.clone())], &args), close);
        assert_ulps(&call("adaptive_max_pool2d", &[("input", input.clone())], &args), 0.0);
    }
}

#[test]
fn windows_around_lanes() {
    for length in [31, 32, 33, 511, 512, 513, 2047, 2049, 5000] {
        let input = Strided::from(floats(1, &[3, 5, length]));
        assert_close(&call("adaptive_avg_pool1d", &[("input", input.clone())], &[ints("output_size", &[1])]), close);
        let args = [ints("kernel_size", &[length as i64]), ints("padding", &[7]), ints("stride", &[3])];
        assert_close(&call("avg_pool1d", &[("input", input)], &args), close);
    }
}

#[test]
fn windows_far_larger_than_the_input() {
    let input = Strided::from(floats(1, &[1, 2, 5, 5]));
    let args = [ints("kernel_size", &[1 << 40]), ints("stride", &[1 << 41]), ("ceil_mode", Arg::Bool(true))];
    assert_ulps(&call("max_pool2d", &[("input", input.clone())], &args), 0.0);
    assert_close(&call("avg_pool2d", &[("input", input)], &args), close);
}

#[test]
fn integers_keep_their_dtype() {
    for dtype in [DType::I64, DType::I32, DType::I16, DType::I8, DType::U8] {
        let input = crate::tensor::HostTensor::from_f64(dtype, &[1, 4, 4], &[3.0; 16]).unwrap();
        for op in MAX {
            let args = [ints("kernel_size", &[2]), ints("padding", &[1])];
            assert_ulps(&call(op, &[("input", input.clone().into())], &args), 0.0);
        }
    }
}

#[test]
fn windows_without_elements() {
    let input = Strided::from(floats(1, &[1, 2, 1]));
    let args = [ints("kernel_size", &[2]), ints("dilation", &[3]), ints("padding", &[2])];
    assert_ulps(&call("max_pool1d", &[("input", input)], &args), 0.0);
}

/// Calls that together make every kernel in every form.
pub(super) fn variants() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    let floats = [DType::F32, DType::F16, DType::BF16];
    for dtype in floats.into_iter().chain([DType::I64, DType::I32, DType::I16, DType::I8, DType::U8]) {
        for (dims, shape) in [(1, vec![2, 50]), (2, vec![2, 9, 9]), (3, vec![2, 5, 4, 3])] {
            let input = [("input", Strided::from(typed(dtype, 1, &shape)))];
            let (kernel, size) = (ints("kernel_size", &[2]), ints("output_size", &[1]));
            calls.push(call(&format!("max_pool{dims}d"), &input, std::slice::from_ref(&kernel)));
            calls.push(call(&format!("max_pool{dims}d_with_indices"), &input, std::slice::from_ref(&kernel)));
            if dims == 2 {
                calls.push(call("adaptive_max_pool2d", &input, std::slice::from_ref(&size)));
            }
            if !dtype.is_float() {
                continue;
            }
            for padded in [true, false] {
                let args = [kernel.clone(), ("count_include_pad", Arg::Bool(padded))];
                calls.push(call(&format!("avg_pool{dims}d"), &input, &args));
            }
            calls.push(call(&format!("adaptive_avg_pool{dims}d"), &input, std::slice::from_ref(&size)));
            if dims > 1 {
                calls.push(call(&format!("_adaptive_avg_pool{dims}d"), &input, std::slice::from_ref(&size)));
                let args = [kernel, ("divisor_override", Arg::Int(3))];
                calls.push(call(&format!("avg_pool{dims}d"), &input, &args));
            }
        }
    }
    for length in [40, 600, 3000] {
        let input = Strided::from(super::harness::floats(1, &[1, length]));
        calls.push(call("adaptive_avg_pool1d", &[("input", input)], &[ints("output_size", &[1])]));
    }
    calls
}
