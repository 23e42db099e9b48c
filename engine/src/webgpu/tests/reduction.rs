//! Reductions over dimensions.

use super::harness::*;
use crate::graph::Arg;
use crate::tensor::{DType, HostTensor};

/// Terms are around 1, so rounding grows with the root of their number, at most some hundred.
fn close(dtype: DType, expected: f64) -> f64 {
    let rounding = if dtype.is_float() { 0.51 * crate::tensor::ulp_size(dtype, expected) } else { 0.0 };
    rounding + 4e-6
}

const FLOAT_OPS: [&str; 3] = ["sum", "mean", "linalg_vector_norm"];

#[test]
fn lengths_around_lanes() {
    for length in [1, 7, 8, 9, 31, 33, 127, 129, 511, 513, 1500] {
        for op in FLOAT_OPS {
            assert_close(&call(op, &[("input", floats(1, &[5, length]).into())], &[("dim", Arg::Int(-1))]), close);
        }
        assert_ulps(&call("argmax", &[("input", floats(1, &[5, length]).into())], &[("dim", Arg::Int(-1))]), 0.0);
    }
}

#[test]
fn any_dimensions_of_a_view() {
    let input = Strided::view(floats(2, &[6, 4, 5]), &[4, 5, 6], &[5, 1, 20], 0);
    for dims in [vec![0], vec![1], vec![2], vec![0, 2], vec![-1, -2], vec![0, 1, 2], vec![]] {
        for keepdim in [false, true] {
            let args = [("dim", Arg::Ints(dims.clone())), ("keepdim", Arg::Bool(keepdim))];
            for op in FLOAT_OPS {
                assert_close(&call(op, &[("input", input.clone())], &args), close);
            }
        }
    }
    for dim in [Arg::Int(0), Arg::Int(1), Arg::Int(2), Arg::None] {
        assert_ulps(&call("argmax", &[("input", input.clone())], &[("dim", dim)]), 0.0);
    }
    for op in FLOAT_OPS {
        assert_close(&call(op, &[("input", floats(1, &[]).into())], &[]), close);
    }
}

#[test]
fn integers_sum_exactly() {
    let input = Strided::from(HostTensor::from_i64(&[2, 3], &[1, -2, 1 << 24, 3, 1, 1 << 24]).unwrap());
    assert_ulps(&call("sum", &[("input", input.clone())], &[("dim", Arg::Int(0))]), 0.0);
    assert_ulps(&call("mean", &[("input", input.clone())], &[]), 1.0);
    assert_ulps(&call("argmax", &[("input", input)], &[]), 0.0);
    let flags = HostTensor::from_bool(&[300], &[true; 300]).unwrap();
    assert_ulps(&call("sum", &[("input", flags.into())], &[]), 0.0);
}

#[test]
fn halves_are_summed_in_f32() {
    for dtype in [DType::F16, DType::BF16] {
        for op in FLOAT_OPS {
            let input = typed(dtype, 4, &[3, 1000]);
            assert_close(&call(op, &[("input", input.into())], &[("dim", Arg::Int(1))]), close);
        }
    }
}

#[test]
fn nothing_to_reduce() {
    for op in FLOAT_OPS {
        assert_ulps(&call(op, &[("input", floats(1, &[3, 0]).into())], &[("dim", Arg::Int(1))]), 0.0);
        assert_ulps(&call(op, &[("input", floats(1, &[0, 3]).into())], &[("dim", Arg::Int(1))]), 0.0);
    }
}

#[test]
fn argmax_of_ties_nan_and_zeros() {
    let nan = f32::NAN;
    for values in [
        [1.0, 3.0, 3.0, 2.0],
        [-0.0, 0.0, -0.0, 0.0],
        [1.0, nan, f32::INFINITY, nan],
        [f32::NEG_INFINITY; 4],
        [-3.0, -1.0, -2.0, -1.0],
    ] {
        assert_ulps(&call("argmax", &[("input", f32s(&values))], &[]), 0.0);
    }
    // Ties far apart, which different lanes see.
    let mut values = vec![0.5f32; 5000];
    (values[300], values[299], values[4999]) = (2.0, 2.0, 2.0);
    assert_ulps(&call("argmax", &[("input", f32s(&values))], &[]), 0.0);
    assert_ulps(&call("argmax", &[("input", i64s(&[-5, -1, -1, -9]))], &[]), 0.0);
}

#[test]
fn nan_and_infinity_are_passed_on() {
    let inf = f32::INFINITY;
    let input = HostTensor::from_f32(&[4, 2], &[1.0, f32::NAN, 1.0, inf, inf, -inf, 3.0, -inf]).unwrap();
    for op in FLOAT_OPS {
        assert_ulps(&call(op, &[("input", input.clone().into())], &[("dim", Arg::Int(1))]), 1.0);
    }
}
