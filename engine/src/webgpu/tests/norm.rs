//! Softmax and norms.

use super::harness::*;
use crate::graph::Arg;
use crate::tensor::{DType, HostTensor};

/// Lengths around the sizes of workgroups.
const LENGTHS: [usize; 14] = [1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 512, 513, 1027];

/// Results are around 1; near 0 the input was near the mean, and what is left has fewer digits.
fn close(_: DType, expected: f64) -> f64 {
    2e-6 * (expected.abs() + 0.25)
}

#[test]
fn softmax_around_workgroup_sizes() {
    for length in LENGTHS {
        assert_ulps(
            &call("softmax", &[("input", floats(length as u64, &[3, length]).into())], &[("dim", Arg::Int(-1))]),
            8.0,
        );
    }
}

#[test]
fn softmax_over_any_dimension_and_strides() {
    for dim in 0..3 {
        let input = Strided::view(floats(2, &[7, 5, 6]), &[6, 5, 7], &[1, 6, 30], 0);
        assert_ulps(&call("softmax", &[("input", input)], &[("dim", Arg::Int(dim))]), 8.0);
    }
    assert_ulps(&call("softmax", &[("input", floats(3, &[]).into())], &[("dim", Arg::Int(0))]), 0.0);
    assert_ulps(&call("softmax", &[("input", floats(3, &[2, 0]).into())], &[("dim", Arg::Int(1))]), 0.0);
    assert_ulps(&call("softmax", &[("input", floats(3, &[0, 2]).into())], &[("dim", Arg::Int(1))]), 0.0);
}

#[test]
fn softmax_of_large_logits_and_of_infinities() {
    let args = [("dim", Arg::Int(-1))];
    assert_ulps(&call("softmax", &[("input", f32s(&[1e4, 1e4 - 1.0, -3e38, 9_990.0]))], &args), 8.0);
    assert_ulps(&call("softmax", &[("input", f32s(&[3e38, 3e38, -3e38]))], &args), 1.0);
    let inf = f32::INFINITY;
    assert_ulps(&call("softmax", &[("input", f32s(&[0.5, -inf, 0.25, -inf]))], &args), 8.0);
    for undefined in [[-inf, -inf, -inf], [inf, 0.0, 1.0], [f32::NAN, 0.0, 1.0], [inf, -inf, f32::NAN]] {
        assert_ulps(&call("softmax", &[("input", f32s(&undefined))], &args), 0.0);
    }
}

#[test]
fn layer_norm_around_workgroup_sizes() {
    for length in LENGTHS {
        let shape = ("normalized_shape", Arg::Ints(vec![length as i64]));
        let input = ("input", floats(length as u64, &[3, length]).into());
        let (weight, bias) = (floats(1, &[length]), floats(2, &[length]));
        assert_close(&call("layer_norm", std::slice::from_ref(&input), std::slice::from_ref(&shape)), close);
        let tensors = [input, ("weight", weight.into()), ("bias", bias.into())];
        assert_close(&call("layer_norm", &tensors, &[shape, ("eps", Arg::Float(1e-12))]), close);
    }
}

#[test]
fn rms_norm_around_workgroup_sizes() {
    for length in LENGTHS {
        let shape = ("normalized_shape", Arg::Ints(vec![length as i64]));
        let input = ("input", floats(length as u64, &[3, length]).into());
        assert_ulps(&call("rms_norm", std::slice::from_ref(&input), std::slice::from_ref(&shape)), 8.0);
        let tensors = [input, ("weight", floats(1, &[length]).into())];
        assert_ulps(&call("rms_norm", &tensors, &[shape, ("eps", Arg::Float(1e-5))]), 8.0);
    }
}

#[test]
fn norms_over_several_dimensions_of_a_view() {
    let input = Strided::view(floats(5, &[6, 4, 5]), &[4, 5, 6], &[5, 1, 20], 0);
    let weight = Strided::view(floats(6, &[6, 5]), &[5, 6], &[1, 5], 0);
    let args = [("normalized_shape", Arg::Ints(vec![5, 6]))];
    for op in ["layer_norm", "rms_norm"] {
        assert_close(&call(op, &[("input", input.clone()), ("weight", weight.clone())], &args), close);
        assert_close(&call(op, &[("input", floats(0, &[0, 5, 6]).into())], &args), close);
    }
}

#[test]
fn layer_norm_of_a_large_mean() {
    // 1000 ± 1: a variance as mean of squares minus square of the mean would have lost all its digits.
    let values: Vec<f64> = normal(7, 600).into_iter().map(|v| 1000.0 + v).collect();
    let input = HostTensor::from_f64(DType::F32, &[2, 300], &values).unwrap();
    let args = [("normalized_shape", Arg::Ints(vec![300]))];
    assert_close(&call("layer_norm", &[("input", input.into())], &args), close);
}

#[test]
fn norms_of_halves() {
    for dtype in [DType::F16, DType::BF16] {
        let tensors = [("input", typed(dtype, 8, &[3, 77]).into()), ("weight", typed(dtype, 9, &[77]).into())];
        let args = [("normalized_shape", Arg::Ints(vec![77]))];
        for op in ["layer_norm", "rms_norm"] {
            assert_close(&call(op, &tensors, &args), |dtype, expected| {
                0.51 * crate::tensor::ulp_size(dtype, expected) + 1e-6
            });
        }
        let args = [("dim", Arg::Int(1))];
        assert_ulps(&call("softmax", &tensors[..1], &args), 0.51);
    }
}
