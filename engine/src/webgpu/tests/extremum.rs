//! Largest and smallest elements, counts of non-zeros, and products.

use super::harness::*;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor};

/// What the tests of WGSL variants try.
pub(super) fn calls(dtype: DType) -> Vec<Call<Strided>> {
    let view = Strided::view(typed(dtype, 1, &[4, 3, 2]), &[2, 3, 4], &[1, 2, 6], 0);
    let mut calls = Vec::new();
    for op in ["prod", "any", "all", "count_nonzero", "amax", "amin", "max", "min", "argmin"] {
        if op == "argmin" && dtype == DType::Bool {
            continue;
        }
        for length in [3, 100, 3000] {
            calls.push(call(op, &[("input", typed(dtype, 1, &[2, length]).into())], &[("dim", Arg::Int(1))]));
        }
        calls.push(call(op, &[("input", view.clone())], &[("dim", Arg::Int(1))]));
        calls.push(call(op, &[("input", view.clone())], &[]));
    }
    for op in ["max", "min"] {
        calls.push(call(op, &[("input", view.clone()), ("other", typed(dtype, 2, &[3, 1]).into())], &[]));
    }
    for ord in [0.0, 1.0, 3.0, f64::INFINITY, f64::NEG_INFINITY] {
        calls.push(call("linalg_vector_norm", &[("input", view.clone())], &[("ord", Arg::Float(ord))]));
    }
    for target in ["f32", "i32"] {
        let args = [("dim", Arg::Int(1)), ("dtype", Arg::Str(target.to_owned()))];
        calls.push(call("sum", &[("input", view.clone())], &args));
    }
    calls
}

#[test]
fn lengths_around_lanes_and_workgroups() {
    for length in [1, 8, 9, 32, 33, 128, 129, 512, 513, 3000] {
        let input = Strided::from(floats(length as u64, &[5, length]));
        for op in ["any", "all", "count_nonzero", "amax", "amin", "max", "min", "argmin"] {
            assert_ulps(&call(op, &[("input", input.clone())], &[("dim", Arg::Int(-1))]), 0.0);
            assert_ulps(&call(op, &[("input", input.clone())], &[]), 0.0);
        }
    }
}

#[test]
fn any_dimensions_of_a_view() {
    let input = Strided::view(floats(2, &[7, 6, 4, 5]), &[4, 5, 6], &[5, 1, 20], 120);
    let stretched = Strided::view(floats(3, &[40]), &[2, 3, 1, 2, 2, 1, 3, 2], &[4, 0, 7, 3, 1, 9, 0, 8], 5);
    for dims in [vec![0], vec![1], vec![2], vec![0, 2], vec![-1, -2], vec![0, 1, 2], vec![]] {
        let args = [("dim", Arg::Ints(dims)), ("keepdim", Arg::Bool(true))];
        for op in ["any", "all", "amax", "amin"] {
            assert_ulps(&call(op, &[("input", input.clone())], &args), 0.0);
            assert_ulps(&call(op, &[("input", stretched.clone())], &args), 0.0);
        }
        assert_ulps(&call("count_nonzero", &[("input", stretched.clone())], &args[..1]), 0.0);
    }
    for dim in [0, 1, -1] {
        for op in ["max", "min", "argmin"] {
            assert_ulps(&call(op, &[("input", input.clone())], &[("dim", Arg::Int(dim))]), 0.0);
            assert_ulps(&call(op, &[("input", stretched.clone())], &[("dim", Arg::Int(dim))]), 0.0);
        }
    }
    let other = Strided::view(floats(4, &[30]), &[4, 1, 6], &[0, 0, 3], 2);
    for op in ["max", "min"] {
        assert_ulps(&call(op, &[("input", input.clone()), ("other", other.clone())], &[]), 0.0);
    }
}

/// Two of 300 ties, which different lanes see: the first counts.
#[test]
fn the_first_of_ties_far_apart() {
    let mut values = vec![0.5f32; 5000];
    (values[300], values[299], values[4999]) = (2.0, 2.0, 2.0);
    (values[700], values[600]) = (-2.0, -2.0);
    for op in ["max", "min", "argmin", "argmax"] {
        assert_ulps(&call(op, &[("input", f32s(&values))], &[("dim", Arg::Int(0))]), 0.0);
    }
}

/// More results than one row of workgroups has.
#[test]
fn many_results() {
    let input = Strided::view(floats(5, &[300]), &[70_000 * 64, 2], &[0, 1], 7);
    assert_ulps(&call("amax", &[("input", input)], &[("dim", Arg::Int(1))]), 0.0);
}

#[test]
fn products_keep_their_digits() {
    for length in [1, 9, 300, 1000] {
        let values: Vec<f64> = normal(length as u64, 3 * length).into_iter().map(|x| (x * 0.1).exp()).collect();
        for dtype in [DType::F32, DType::F16, DType::BF16] {
            let input = HostTensor::from_f64(dtype, &[3, length], &values).unwrap();
            assert_close(&call("prod", &[("input", input.into())], &[("dim", Arg::Int(1))]), |dtype, expected| {
                0.51 * crate::tensor::ulp_size(dtype, expected) + expected.abs() * 6e-8 * (length as f64).sqrt() * 2.0
            });
        }
    }
}
