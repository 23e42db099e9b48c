//! Scans, sorts and histograms.

use super::harness::*;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor, ulp_size};

/// What the tests of WGSL variants try.
pub(super) fn calls(dtype: DType) -> Vec<Call<Strided>> {
    let view = Strided::view(typed(dtype, 1, &[4, 3, 2]), &[2, 3, 4], &[1, 2, 6], 0);
    let mut calls = Vec::new();
    for op in ["cumsum", "cumprod", "cummax", "cummin", "sort", "argsort", "topk"] {
        let dim = |dim| match op {
            "topk" => vec![("dim", Arg::Int(dim)), ("k", Arg::Int(2))],
            _ => vec![("dim", Arg::Int(dim))],
        };
        for length in [3, 20, 100, 2100] {
            calls.push(call(op, &[("input", typed(dtype, 1, &[2, length]).into())], &dim(1)));
        }
        calls.push(call(op, &[("input", view.clone())], &dim(1)));
        calls.push(call(
            op,
            &[("input", typed(dtype, 1, &[]).into())],
            &[("dim", Arg::Int(0)), ("k", Arg::Int(1))][..dim(0).len()],
        ));
    }
    for descending in [true, false] {
        calls.push(call("sort", &[("input", view.clone())], &[("descending", Arg::Bool(descending))]));
    }
    if dtype != DType::Bool {
        let range = [("min", Arg::Int(0)), ("max", Arg::Int(3)), ("bins", Arg::Int(4))];
        calls.push(call("histc", &[("input", view.clone())], &range));
        if dtype.is_float() {
            calls.push(call("histc", &[("input", view)], &[]));
        }
    }
    calls
}

/// Sums of up to 5000 numbers around 1, some 70 on the way, carried over up to 20 times.
fn close(dtype: DType, expected: f64) -> f64 {
    0.51 * ulp_size(dtype, expected) + 4e-5
}

const ORDERED: [&str; 4] = ["cummax", "cummin", "sort", "argsort"];

#[test]
fn lengths_around_lanes_tiles_and_runs() {
    for length in [1, 2, 8, 9, 64, 65, 255, 257, 512, 513, 1023, 1024, 1025, 2048, 2049, 5000] {
        let input = Strided::from(floats(length as u64, &[3, length]));
        let dim = [("dim", Arg::Int(-1))];
        assert_close(&call("cumsum", &[("input", input.clone())], &dim), close);
        for op in ORDERED {
            assert_ulps(&call(op, &[("input", input.clone())], &dim), 0.0);
        }
        let k = [("k", Arg::Int((length as i64).min(40)))];
        assert_ulps(&call("topk", &[("input", input)], &k), 0.0);
    }
}

/// Many equal elements in each line, so that stability shows across blocks and runs.
#[test]
fn equal_elements_keep_their_order() {
    for length in [40, 1500, 4100] {
        let values: Vec<f64> = normal(length as u64, 2 * length).into_iter().map(|x| (x * 3.0).round()).collect();
        for dtype in [DType::F32, DType::F16, DType::I64, DType::U8] {
            let values: Vec<f64> = values.iter().map(|x| if dtype == DType::U8 { x.abs() } else { *x }).collect();
            let input = Strided::from(HostTensor::from_f64(dtype, &[2, length], &values).unwrap());
            for op in ORDERED {
                assert_ulps(&call(op, &[("input", input.clone())], &[("dim", Arg::Int(1))]), 0.0);
            }
            for descending in [true, false] {
                let args = [("descending", Arg::Bool(descending)), ("stable", Arg::Bool(true))];
                assert_ulps(&call("sort", &[("input", input.clone())], &args), 0.0);
                assert_ulps(&call("argsort", &[("input", input.clone())], &args), 0.0);
                let args = [("largest", Arg::Bool(descending)), ("k", Arg::Int(30))];
                assert_ulps(&call("topk", &[("input", input.clone())], &args), 0.0);
            }
        }
    }
}

#[test]
fn any_dimension_of_a_view() {
    let input = Strided::view(floats(2, &[7, 6, 4, 5]), &[4, 5, 6], &[5, 1, 20], 120);
    let stretched = Strided::view(floats(3, &[40]), &[2, 3, 1, 2, 2, 1, 3, 2], &[4, 0, 7, 3, 1, 9, 0, 8], 5);
    for input in [input, stretched] {
        for dim in [0, 1, 2, -1] {
            let dim = [("dim", Arg::Int(dim)), ("k", Arg::Int(1))];
            assert_close(&call("cumsum", &[("input", input.clone())], &dim[..1]), close);
            for op in ORDERED {
                assert_ulps(&call(op, &[("input", input.clone())], &dim[..1]), 0.0);
            }
            assert_ulps(&call("topk", &[("input", input.clone())], &dim), 0.0);
        }
        let range = [("bins", Arg::Int(8)), ("min", Arg::Float(-2.0)), ("max", Arg::Float(2.0))];
        assert_ulps(&call("histc", &[("input", input)], &range), 0.0);
    }
}

/// Lines that lie across memory are taken one per invocation where there are enough of them.
#[test]
fn many_lines() {
    for shape in [[300, 20], [20, 300], [1000, 3]] {
        let input = Strided::from(floats(4, &shape));
        for dim in [0, 1] {
            assert_close(&call("cumsum", &[("input", input.clone())], &[("dim", Arg::Int(dim))]), close);
            for op in ORDERED {
                assert_ulps(&call(op, &[("input", input.clone())], &[("dim", Arg::Int(dim))]), 0.0);
            }
        }
    }
}

#[test]
fn integers_count_exactly() {
    let values: Vec<i64> = (0..3000).map(|i| (i * 7919) % 64).collect();
    let input = Strided::from(HostTensor::from_i64(&[3000], &values).unwrap());
    assert_ulps(&call("cumsum", &[("input", input.clone())], &[("dim", Arg::Int(0))]), 0.0);
    for (min, max) in [(0, 63), (-5, 10), (10, 10_000)] {
        let range = [("bins", Arg::Int(64)), ("min", Arg::Int(min)), ("max", Arg::Int(max))];
        assert_ulps(&call("histc", &[("input", input.clone())], &range), 0.0);
    }
    let flags = HostTensor::from_bool(&[700], &[true; 700]).unwrap();
    assert_ulps(&call("cumsum", &[("input", flags.into())], &[("dim", Arg::Int(0))]), 0.0);
}

#[test]
fn a_histogram_of_its_own_range() {
    let values: Vec<f32> = (0..=1024).map(|i| (i - 512) as f32).collect();
    for bins in [1, 16, 100, 300] {
        assert_ulps(&call("histc", &[("input", f32s(&values))], &[("bins", Arg::Int(bins))]), 0.0);
    }
    assert_ulps(&call("histc", &[("input", f32s(&[3.0; 9]))], &[("bins", Arg::Int(5))]), 0.0);
}

#[test]
fn totals_beyond_32_bits_are_refused() {
    let rows = |values: &[i64]| Strided::from(HostTensor::from_i64(&[2, values.len() / 2], values).unwrap());
    let dim = [("dim", Arg::Int(1))];
    let (max, big) = (i64::from(i32::MAX), 65_536);
    for (op, values, index) in [
        ("cumsum", [1, 2, 3, max, 1, -1], 4),
        ("cumprod", [1, 2, 3, big, big, 0], 4),
        ("prod", [1, 2, 3, big, big, 1], 1),
    ] {
        let call = call(op, &[("input", rows(&values))], &dim);
        assert_eq!(run(&call), Err(crate::webgpu::GpuError::ResultRange { index }), "{op}");
    }
    // What is too large on the way does not matter.
    assert_ulps(&call("sum", &[("input", rows(&[1, 2, 3, max, 1, -1]))], &dim), 0.0);
    assert_ulps(&call("prod", &[("input", rows(&[1, 2, 3, big, big, 0]))], &dim), 0.0);
    let large = f32s(&[1.0, 3e9]);
    let args = [("dtype", Arg::Str("i64".to_owned()))];
    assert!(run(&call("sum", &[("input", large)], &args)).is_err());
}
