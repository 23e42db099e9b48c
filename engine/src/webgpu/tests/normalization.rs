//! Batch, group and instance norm, the relatives of softmax, and weight norm.

use super::harness::*;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor};

/// Elements per row around the sizes at which lanes and workgroups change.
const LENGTHS: [usize; 12] = [1, 2, 4, 15, 16, 17, 63, 65, 255, 257, 1023, 1030];
const HALVES: [DType; 2] = [DType::F16, DType::BF16];

/// Results are around 1; near 0 the input was near the mean, and what is left has fewer digits.
fn close(dtype: DType, expected: f64) -> f64 {
    let rounding = if dtype == DType::F32 { 0.0 } else { 0.51 * crate::tensor::ulp_size(dtype, expected) };
    rounding + 2e-6 * (expected.abs() + 0.25)
}

/// `count` numbers around `mean` that vary by about 1.
fn around(mean: f64, seed: u64, shape: &[usize]) -> HostTensor {
    let values: Vec<f64> = normal(seed, shape.iter().product()).into_iter().map(|v| mean + v).collect();
    HostTensor::from_f64(DType::F32, shape, &values).unwrap()
}

fn positive(dtype: DType, seed: u64, count: usize) -> HostTensor {
    let values: Vec<f64> = normal(seed, count).into_iter().map(|v| v.abs() + 0.1).collect();
    HostTensor::from_f64(dtype, &[count], &values).unwrap()
}

/// Weight, bias and running statistics.
fn parameters(dtype: DType, channels: usize) -> [(&'static str, Strided); 4] {
    [
        ("weight", typed(dtype, 1, &[channels]).into()),
        ("bias", typed(dtype, 2, &[channels]).into()),
        ("running_mean", typed(dtype, 3, &[channels]).into()),
        ("running_var", positive(dtype, 4, channels).into()),
    ]
}

fn with_input(input: impl Into<Strided>, parameters: &[(&'static str, Strided)]) -> Vec<(&'static str, Strided)> {
    std::iter::once(("input", input.into())).chain(parameters.iter().cloned()).collect()
}

#[test]
fn rows_of_all_lengths() {
    for length in LENGTHS {
        let input = floats(length as u64, &[2, 6, length]);
        let given = with_input(input.clone(), &parameters(DType::F32, 6)[..2]);
        assert_close(&call("group_norm", &given, &[("num_groups", Arg::Int(3))]), close);
        if length > 1 {
            assert_close(&call("instance_norm", &given, &[]), close);
        }
        assert_close(&call("batch_norm", &given, &[("training", Arg::Bool(true))]), close);
        assert_close(&call("batch_norm", &with_input(input, &parameters(DType::F32, 6)), &[]), close);
    }
}

/// Many short rows, more than a row of workgroups has.
#[test]
fn many_rows() {
    let input = Strided::view(floats(1, &[600]), &[270_000 * 16, 2], &[0, 1], 5);
    assert_close(&call("native_layer_norm", &[("input", input)], &[("normalized_shape", Arg::Ints(vec![2]))]), close);
}

/// Channels that lie last, channels of every other row, a parameter that is repeated.
#[test]
fn views() {
    let last = Strided::view(floats(1, &[2, 5, 7, 6]), &[2, 6, 5, 7], &[210, 1, 42, 6], 0);
    let every_other = Strided::view(floats(2, &[2, 12, 5]), &[2, 6, 5], &[60, 10, 1], 5);
    let stretched = Strided::view(floats(3, &[35]), &[2, 6, 5, 7], &[0, 0, 7, 1], 0);
    let channels = [
        ("weight", Strided::view(floats(4, &[12]), &[6], &[2], 1)),
        ("bias", Strided::view(floats(5, &[1]), &[6], &[0], 0)),
        ("running_mean", Strided::view(floats(6, &[18]), &[6], &[3], 2)),
        ("running_var", Strided::view(positive(DType::F32, 7, 12), &[6], &[2], 0)),
    ];
    for input in [last, every_other, stretched] {
        let given = with_input(input, &channels);
        assert_close(&call("batch_norm", &given, &[]), close);
        assert_close(&call("batch_norm", &given, &[("training", Arg::Bool(true))]), close);
        assert_close(&call("instance_norm", &given, &[]), close);
        assert_close(&call("instance_norm", &given, &[("use_input_stats", Arg::Bool(false))]), close);
        assert_close(&call("group_norm", &given[..3], &[("num_groups", Arg::Int(2))]), close);
    }
    let rows = Strided::view(floats(5, &[6, 4, 5]), &[4, 5, 6], &[5, 1, 20], 0);
    let weight = Strided::view(floats(6, &[6, 5]), &[5, 6], &[1, 5], 0);
    let shape = [("normalized_shape", Arg::Ints(vec![5, 6]))];
    assert_close(&call("native_layer_norm", &[("input", rows), ("weight", weight)], &shape), close);
}

#[test]
fn halves() {
    for dtype in HALVES {
        for of_parameters in [dtype, DType::F32] {
            let given = with_input(typed(dtype, 5, &[2, 6, 33]), &parameters(of_parameters, 6));
            assert_close(&call("batch_norm", &given, &[]), close);
            assert_close(&call("batch_norm", &given, &[("training", Arg::Bool(true))]), close);
            assert_close(&call("instance_norm", &given, &[]), close);
            assert_close(&call("group_norm", &given[..3], &[("num_groups", Arg::Int(3))]), close);
            assert_close(&call("native_group_norm", &given[..3], &group_sizes(2, 6, 33, 3)), close);
        }
    }
}

fn group_sizes(batch: i64, channels: i64, pixels: i64, groups: i64) -> [(&'static str, Arg); 4] {
    [("N", batch), ("C", channels), ("HxW", pixels), ("group", groups)].map(|(name, size)| (name, Arg::Int(size)))
}

/// A mean 10,000 and 1,000,000 times the deviation: mean(x²) − mean² would have lost every digit, and so would a mean that is rounded
/// once. The inputs themselves are exact.
#[test]
fn large_means() {
    for mean in [1e4, -1e6] {
        for length in [3, 300, 3000] {
            let input = around(mean, length as u64, &[2, 4, length]);
            let given = [("input", input.clone().into())];
            let relative = |_: DType, e: f64| 1e-5 * (e.abs() + 0.1);
            assert_close(&call("group_norm", &given, &[("num_groups", Arg::Int(2))]), relative);
            assert_close(&call("instance_norm", &given, &[]), relative);
            assert_close(&call("batch_norm", &given, &[("training", Arg::Bool(true))]), relative);
            let shape = ("normalized_shape", Arg::Ints(vec![length as i64]));
            let statistics = |_: DType, e: f64| 1e-5 * (e.abs() + 0.1);
            assert_close(&call("native_layer_norm", &given, &[shape]), statistics);
            // x − mean is exact where the running mean is one of the numbers.
            let running = [("running_mean", f32s(&[mean as f32; 4])), ("running_var", f32s(&[1.0; 4]))];
            assert_ulps(&call("batch_norm", &with_input(input, &running), &[("eps", Arg::Float(0.0))]), 4.0);
        }
    }
}

#[test]
fn nothing_and_special_numbers() {
    for shape in [[0, 6, 4], [2, 0, 4]] {
        let given = with_input(floats(1, &shape), &parameters(DType::F32, shape[1]));
        assert_ulps(&call("batch_norm", &given, &[]), 0.0);
        assert_ulps(&call("batch_norm", &given, &[("training", Arg::Bool(true))]), 0.0);
        assert_ulps(&call("instance_norm", &given, &[]), 0.0);
        assert_ulps(&call("group_norm", &given[..3], &[("num_groups", Arg::Int(2))]), 0.0);
    }
    let empty_rows = [("input", floats(1, &[2, 0]).into())];
    assert_ulps(&call("native_layer_norm", &empty_rows, &[("normalized_shape", Arg::Ints(vec![0]))]), 0.0);
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    for odd in [inf, -inf, nan] {
        let input = HostTensor::from_f32(&[1, 2, 3], &[1.0, odd, 2.0, 1.0, 2.0, 4.0]).unwrap();
        let given = [("input", input.into())];
        assert_close(&call("group_norm", &given, &[("num_groups", Arg::Int(2))]), close);
        assert_close(&call("group_norm", &given, &[("num_groups", Arg::Int(1))]), close);
        let running = [("running_mean", f32s(&[0.5, odd])), ("running_var", f32s(&[0.0, 1.0]))];
        assert_close(&call("batch_norm", &with_input(floats(2, &[2, 2, 3]), &running), &[]), close);
        let running = [("running_mean", f32s(&[0.5, 1.0])), ("running_var", f32s(&[odd, -1.0]))];
        assert_close(&call("batch_norm", &with_input(floats(2, &[2, 2, 3]), &running), &[]), close);
    }
    // All equal: a variance of nothing, never one below it.
    let equal = HostTensor::from_f32(&[1, 1, 3000], &[0.1; 3000]).unwrap();
    let results = run(&call("native_group_norm", &[("input", equal.into())], &group_sizes(1, 1, 3000, 1))).unwrap();
    assert!(results[0].to_f64().iter().all(|value| value.abs() < 1e-4), "{:?}", &results[0].to_f64()[..4]);
}

/// Where the logarithm of the sum and the difference cancel, what is left is as good as they were.
fn of_log(dtype: DType, expected: f64) -> f64 {
    let rounding = if dtype == DType::F32 { 0.0 } else { 0.51 * crate::tensor::ulp_size(dtype, expected) };
    rounding + 4e-7 * (expected.abs() + 1.0)
}

#[test]
fn relatives_of_softmax() {
    let args = [("dim", Arg::Int(1))];
    for length in LENGTHS {
        let given = [("input", Strided::from(floats(length as u64, &[3, length])))];
        assert_close(&call("log_softmax", &given, &args), of_log);
        assert_close(&call("_log_softmax", &given, &args), of_log);
        assert_close(&call("logsumexp", &given, &args), of_log);
        assert_ulps(&call("softmin", &given, &args), 8.0);
        assert_ulps(&call("_softmax", &given, &args), 8.0);
    }
    for dim in 0..3 {
        let input = Strided::view(floats(2, &[7, 5, 6]), &[6, 5, 7], &[1, 6, 30], 0);
        let args = [("dim", Arg::Int(dim))];
        assert_close(&call("log_softmax", &[("input", input.clone())], &args), of_log);
        assert_close(&call("logsumexp", &[("input", input.clone())], &args), of_log);
        assert_ulps(&call("softmin", &[("input", input)], &args), 8.0);
    }
    let input = Strided::view(floats(2, &[7, 5, 6]), &[6, 5, 7], &[1, 6, 30], 0);
    let args = [("dim", Arg::Ints(vec![0, 2])), ("keepdim", Arg::Bool(true))];
    assert_close(&call("logsumexp", &[("input", input)], &args), of_log);
    for dtype in HALVES {
        let given = [("input", Strided::from(typed(dtype, 1, &[3, 70])))];
        for op in ["log_softmax", "logsumexp", "softmin"] {
            assert_close(&call(op, &given, &[("dim", Arg::Int(1))]), of_log);
        }
    }
}

#[test]
fn relatives_of_softmax_at_extremes() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let rows: [&[f32]; 8] = [
        &[1e4, 1e4 - 1.0, -3e38, 9_990.0],
        &[3e38, 3e38, -3e38],
        &[0.5, -inf, 0.25, -inf],
        &[-inf, -inf, -inf],
        &[inf, 0.0, 1.0],
        &[nan, 0.0, 1.0],
        &[inf, -inf, nan],
        &[],
    ];
    for row in rows {
        for op in ["log_softmax", "logsumexp", "softmin", "_softmax"] {
            assert_close(&call(op, &[("input", f32s(row))], &[("dim", Arg::Int(0))]), of_log);
        }
    }
}

#[test]
fn weight_norms() {
    let ulps = |dtype: DType, expected: f64| {
        let ulp = crate::tensor::ulp_size(dtype, expected);
        if dtype == DType::F32 { 8.0 * ulp } else { 0.51 * ulp }
    };
    for length in LENGTHS {
        let tensors = [("v", floats(length as u64, &[5, length]).into()), ("g", floats(1, &[5, 1]).into())];
        assert_close(&call("_weight_norm", &tensors, &[("dim", Arg::Int(0))]), ulps);
    }
    let v = Strided::view(floats(2, &[7, 5, 6]), &[6, 5, 7], &[1, 6, 30], 0);
    for (dim, shape) in [(0, vec![6, 1, 1]), (1, vec![1, 5, 1]), (2, vec![1, 1, 7]), (-2, vec![1, 5, 1]), (-1, vec![])]
    {
        let tensors = [("v", v.clone()), ("g", floats(3, &shape).into())];
        assert_close(&call("_weight_norm", &tensors, &[("dim", Arg::Int(dim))]), ulps);
    }
    for dtype in HALVES {
        let tensors = [("v", typed(dtype, 4, &[3, 70]).into()), ("g", typed(dtype, 5, &[3, 1]).into())];
        assert_close(&call("_weight_norm", &tensors, &[]), ulps);
    }
    let zeros = [("v", f32s(&[0.0, 2.0])), ("g", f32s(&[1.0, -3.0]))];
    assert_close(&call("_weight_norm", &zeros, &[]), ulps);
}

/// Calls that together make every kernel in every form.
pub(super) fn variants() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    for dtype in [DType::F32, DType::F16, DType::BF16] {
        for length in [3, 20, 100, 600] {
            let input = typed(dtype, 1, &[2, 6, length]);
            let rows = [("input", typed(dtype, 1, &[2, length]).into())];
            let dim = [("dim", Arg::Int(1))];
            for op in ["log_softmax", "_log_softmax", "softmin", "_softmax", "logsumexp"] {
                calls.push(call(op, &rows, &dim));
            }
            let lengths = ("g", typed(dtype, 2, &[2, 1]).into());
            calls.push(call("_weight_norm", &[("v", typed(dtype, 1, &[2, length]).into()), lengths], &[]));
            for of_parameters in [dtype, DType::F32] {
                let all = parameters(of_parameters, 6);
                for count in [0, 1, 2] {
                    let given = with_input(input.clone(), &all[..count]);
                    calls.push(call("group_norm", &given, &[("num_groups", Arg::Int(3))]));
                    calls.push(call("native_group_norm", &given, &group_sizes(2, 6, length as i64, 3)));
                    calls.push(call("instance_norm", &given, &[]));
                    calls.push(call("batch_norm", &given, &[("training", Arg::Bool(true))]));
                    let running = with_input(input.clone(), &[&all[..count], &all[2..]].concat());
                    calls.push(call("batch_norm", &running, &[]));
                    calls.push(call("_native_batch_norm_legit_no_training", &running, &[]));
                }
            }
            let shape = [("normalized_shape", Arg::Ints(vec![length as i64]))];
            calls.push(call("native_layer_norm", &rows, &shape));
        }
    }
    calls
}
