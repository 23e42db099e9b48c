//! Variances, standard deviations, and vector norms by their older names.

use super::harness::*;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor, ulp_size};

const VARIANCES: [&str; 4] = ["var", "std", "var_mean", "std_mean"];

/// Means near 0 have lost what cancelled.
fn close(dtype: DType, expected: f64) -> f64 {
    let rounding = if dtype == DType::F32 { 0.0 } else { 0.51 * ulp_size(dtype, expected) };
    rounding + 1e-6 * (expected.abs() + 0.1)
}

#[test]
fn rows_of_all_lengths() {
    for length in [1, 2, 3, 15, 16, 17, 64, 65, 255, 257, 1023, 1030] {
        for op in VARIANCES {
            let given = [("input", floats(length as u64, &[3, length]).into())];
            assert_close(&call(op, &given, &[("dim", Arg::Int(1))]), close);
            assert_close(&call(op, &given, &[("correction", Arg::Int(0))]), close);
        }
    }
}

#[test]
fn dimensions_of_views() {
    let permuted = Strided::view(floats(2, &[7, 5, 6]), &[6, 5, 7], &[1, 6, 30], 0);
    let every_other = Strided::view(floats(3, &[2, 12, 5]), &[2, 6, 5], &[60, 10, 1], 5);
    let stretched = Strided::view(floats(4, &[8]), &[3, 4, 2], &[0, 1, 0], 2);
    for input in [permuted, every_other, stretched] {
        for dims in [vec![0], vec![1], vec![-1], vec![0, 2], vec![1, 2], vec![]] {
            for keepdim in [false, true] {
                let args = [("dim", Arg::Ints(dims.clone())), ("keepdim", Arg::Bool(keepdim))];
                for op in VARIANCES {
                    assert_close(&call(op, &[("input", input.clone())], &args), close);
                }
            }
        }
    }
}

#[test]
fn halves() {
    for dtype in [DType::F16, DType::BF16] {
        for op in VARIANCES {
            let args = [("dim", Arg::Int(1)), ("unbiased", Arg::Bool(false))];
            assert_close(&call(op, &[("input", typed(dtype, 1, &[5, 77]).into())], &args), close);
        }
    }
}

/// A mean of up to a million times the deviation: mean(x²) − mean² would have lost every digit.
#[test]
fn large_means() {
    for mean in [1e3, -1e6] {
        for length in [3, 300, 3000] {
            let values: Vec<f64> = normal(length as u64, 2 * length).into_iter().map(|v| mean + v).collect();
            let input = HostTensor::from_f64(DType::F32, &[2, length], &values).unwrap();
            for op in VARIANCES {
                let given = [("input", input.clone().into())];
                assert_ulps(&call(op, &given, &[("dim", Arg::Int(1))]), 8.0);
            }
        }
    }
}

#[test]
fn too_few_and_special_numbers() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let rows: [&[f32]; 8] =
        [&[], &[2.0], &[inf], &[nan], &[1.0, inf, 2.0], &[1.0, nan, 2.0], &[-inf, inf], &[-0.0, 0.0, -0.0]];
    for row in rows {
        for op in VARIANCES {
            for correction in [0.0, 1.0, 0.5] {
                let args = [("correction", Arg::Float(correction))];
                assert_close(&call(op, &[("input", f32s(row))], &args), close);
            }
        }
    }
    for op in VARIANCES {
        let of = |shape: &[usize]| [("input", floats(1, shape).into())];
        assert_close(&call(op, &of(&[]), &[]), close);
        assert_close(&call(op, &of(&[0, 3]), &[("dim", Arg::Int(1))]), close);
        assert_close(&call(op, &of(&[3, 0]), &[("dim", Arg::Int(1))]), close);
        assert_close(&call(op, &of(&[3, 2]), &[("dim", Arg::Int(1)), ("correction", Arg::Int(7))]), close);
    }
}

#[test]
fn older_names_of_vector_norms() {
    let input = Strided::view(floats(2, &[7, 5, 6]), &[6, 5, 7], &[1, 6, 30], 0);
    for (op, name) in [("norm", "p"), ("linalg_norm", "ord")] {
        for order in [0.0, 1.0, 2.0, 3.0, f64::INFINITY, f64::NEG_INFINITY] {
            let args = [(name, Arg::Float(order)), ("dim", Arg::Ints(vec![1]))];
            assert_ulps(&call(op, &[("input", input.clone())], &args), 8.0);
        }
        let args = [(name, Arg::Str("fro".to_owned())), ("dim", Arg::Ints(vec![0, 2]))];
        assert_ulps(&call(op, &[("input", input.clone())], &args), 8.0);
        assert_ulps(&call(op, &[("input", input.clone())], &[]), 8.0);
    }
    let spectral = call("linalg_norm", &[("input", floats(1, &[3, 3]).into())], &[("ord", Arg::Int(2))]);
    assert!(run(&spectral).unwrap_err().to_string().contains("the norm of a matrix is not supported"));
}

/// Calls that together make every kernel in every form.
pub(super) fn variants() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    for dtype in [DType::F32, DType::F16, DType::BF16] {
        for length in [3, 20, 100, 600] {
            let given = [("input", Strided::from(typed(dtype, 1, &[2, length])))];
            for op in VARIANCES.into_iter().chain(["norm", "linalg_norm"]) {
                calls.push(call(op, &given, &[("dim", Arg::Int(1))]));
            }
        }
        let view = Strided::view(typed(dtype, 1, &[4, 3, 2]), &[2, 3, 4], &[1, 2, 6], 0);
        calls.push(call("var_mean", &[("input", view)], &[("dim", Arg::Ints(vec![0, 2]))]));
    }
    calls
}
