//! Attention.

use super::harness::*;
use crate::graph::Arg;
use crate::tensor::{DType, HostTensor};

/// Few rows and enough for a tile: each has its kernel.
const ROWS: [usize; 2] = [5, 19];
const OP: &str = "scaled_dot_product_attention";

/// Results are weighted means of values around 1.
fn close(dtype: DType, expected: f64) -> f64 {
    let rounding = if dtype == DType::F32 { 0.0 } else { 0.51 * crate::tensor::ulp_size(dtype, expected) };
    rounding + 2e-6 * (expected.abs() + 0.5)
}

fn heads(seed: u64, shape: [usize; 4]) -> Strided {
    floats(seed, &shape).into()
}

fn check(query: Strided, key: Strided, value: Strided, mask: Option<Strided>, args: &[(&str, Arg)]) {
    let mut tensors = vec![("query", query), ("key", key), ("value", value)];
    tensors.extend(mask.map(|mask| ("attn_mask", mask)));
    assert_close(&call(OP, &tensors, args), close);
}

#[test]
fn lengths_around_chunks_of_keys() {
    for (rows, keys) in
        [(1, 1), (3, 15), (8, 9), (15, 16), (16, 17), (17, 63), (2, 64), (33, 65), (1, 127), (5, 130), (20, 130)]
    {
        for causal in [false, true] {
            let args = [("is_causal", Arg::Bool(causal))];
            let (query, key) = (heads(1, [2, 3, rows, 16]), heads(2, [2, 3, keys, 16]));
            check(query, key, heads(3, [2, 3, keys, 16]), None, &args);
        }
    }
}

#[test]
fn every_head_size() {
    for (width, value_width) in
        [(1, 1), (7, 9), (31, 33), (32, 32), (64, 96), (65, 127), (128, 128), (80, 256), (256, 3)]
    {
        for rows in ROWS {
            let (query, key) = (heads(1, [1, 2, rows, width]), heads(2, [1, 2, 21, width]));
            check(query, key, heads(3, [1, 2, 21, value_width]), None, &[]);
        }
    }
}

#[test]
fn grouped_heads_and_scale() {
    let args = [("enable_gqa", Arg::Bool(true)), ("scale", Arg::Float(0.3))];
    for rows in ROWS {
        let (query, key) = (heads(1, [2, 9, rows, 8]), heads(2, [2, 3, 20, 8]));
        check(query, key, heads(3, [2, 3, 20, 8]), None, &args);
    }
}

#[test]
fn views_as_models_make_them() {
    // [batch, length, heads, width] seen as [batch, heads, length, width].
    let split = |seed, length: usize, count: usize| {
        let base = floats(seed, &[2, length, count * 8]);
        Strided::view(base, &[2, count, length, 8], &[length * count * 8, 8, count * 8, 1], 0)
    };
    for rows in ROWS {
        check(split(1, rows, 4), split(2, 19, 4), split(3, 19, 4), None, &[]);
    }
    // Three dimensions: [heads, length, width].
    check(floats(1, &[3, 5, 8]).into(), floats(2, &[3, 6, 8]).into(), floats(3, &[3, 6, 4]).into(), None, &[]);
}

#[test]
fn masks_broadcast() {
    for rows in ROWS {
        let values: Vec<bool> = normal(9, rows * 70).into_iter().map(|v| v > -0.5).collect();
        let masks = [
            Strided::from(HostTensor::from_bool(&[rows, 70], &values).unwrap()),
            floats(10, &[2, 1, 1, 70]).into(),
            floats(11, &[1, 3, rows, 1]).into(),
            Strided::view(floats(12, &[70, rows]), &[rows, 70], &[1, rows], 0),
            typed(DType::F16, 13, &[rows, 70]).into(),
        ];
        for mask in masks {
            let (query, key) = (heads(1, [2, 3, rows, 16]), heads(2, [2, 3, 70, 16]));
            check(query, key, heads(3, [2, 3, 70, 16]), Some(mask), &[]);
        }
    }
}

#[test]
fn wholly_masked_rows_give_zeros() {
    for rows in ROWS {
        let mut values = vec![0.0f32; rows * 70];
        values[70..140].fill(f32::NEG_INFINITY);
        // The third row only sees keys of the second chunk.
        values[140..206].fill(f32::NEG_INFINITY);
        let mask = HostTensor::from_f32(&[rows, 70], &values).unwrap();
        let (query, key, value) = (heads(1, [1, 2, rows, 8]), heads(2, [1, 2, 70, 8]), heads(3, [1, 2, 70, 8]));
        check(query, key, value, Some(mask.into()), &[]);
    }
}

#[test]
fn large_scores_do_not_overflow() {
    let scaled = |seed, shape: &[usize], by: f64| {
        let values: Vec<f64> = normal(seed, shape.iter().product()).into_iter().map(|v| v * by).collect();
        Strided::from(HostTensor::from_f64(DType::F32, shape, &values).unwrap())
    };
    for rows in ROWS {
        let (query, key) = (scaled(1, &[1, 1, rows, 8], 100.0), scaled(2, &[1, 1, 90, 8], 100.0));
        let tensors = [("query", query), ("key", key), ("value", heads(3, [1, 1, 90, 8]))];
        // Scores around 10^4 have a rounding error of 10^-3, which the exponential makes a relative one.
        assert_close(&call(OP, &tensors, &[]), |_, _| 5e-3);
    }
}

#[test]
fn nan_and_infinity_stay_in_their_row() {
    for rows in ROWS {
        let mut values: Vec<f32> = normal(1, rows * 8).into_iter().map(|v| v as f32).collect();
        values[9] = f32::NAN;
        values[17] = f32::INFINITY;
        let query = HostTensor::from_f32(&[1, 1, rows, 8], &values).unwrap();
        // Positive keys, so that the infinite query scores +inf everywhere.
        let positive: Vec<f64> = normal(2, 70 * 8).into_iter().map(|v| v.abs() + 0.1).collect();
        let key = HostTensor::from_f64(DType::F32, &[1, 1, 70, 8], &positive).unwrap();
        check(query.into(), key.into(), heads(3, [1, 1, 70, 8]), None, &[]);
    }
}

#[test]
fn halves() {
    for dtype in [DType::F16, DType::BF16] {
        for rows in ROWS {
            let of = |seed, length| Strided::from(typed(dtype, seed, &[1, 2, length, 24]));
            check(of(1, rows), of(2, 70), of(3, 70), None, &[("is_causal", Arg::Bool(true))]);
        }
    }
}

#[test]
fn empty_attention() {
    check(heads(1, [1, 2, 0, 8]), heads(2, [1, 2, 5, 8]), heads(3, [1, 2, 5, 8]), None, &[]);
    check(heads(1, [1, 2, 3, 8]), heads(2, [1, 2, 0, 8]), heads(3, [1, 2, 0, 8]), None, &[]);
}
