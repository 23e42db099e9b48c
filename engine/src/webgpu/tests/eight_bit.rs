//! 8-bit floats: as weights, moved and cast.

use super::harness::*;
use super::matmul::assert_product;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor};

const DTYPES: [DType; 2] = [DType::F8E4M3, DType::F8E5M2];

fn every_code(dtype: DType) -> HostTensor {
    HostTensor::new(dtype, &[256], (0..=255u8).collect::<Vec<_>>()).unwrap()
}

fn cast(input: Strided, dtype: DType) -> Call<Strided> {
    call("to", &[("input", input)], &[("dtype", Arg::Str(dtype.name().to_owned()))])
}

/// Calls that together load and store 8-bit floats in every form.
pub(super) fn variants() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    for dtype in DTYPES {
        let weight = || Strided::from(typed(dtype, 1, &[8, 8]));
        for rows in [1, 20] {
            let input = || Strided::from(floats(2, &[rows, 8]));
            calls.push(call("linear", &[("input", input()), ("weight", weight())], &[]));
            calls.push(call("mm", &[("input", input()), ("mat2", weight())], &[]));
        }
        for target in DTYPES.into_iter().chain([DType::F32, DType::I32]) {
            calls.push(cast(weight(), target));
            calls.push(cast(typed(target, 3, &[5]).into(), dtype));
        }
    }
    calls
}

#[test]
fn every_code_is_loaded_exactly() {
    for dtype in DTYPES {
        assert_ulps(&cast(every_code(dtype).into(), DType::F32), 0.0);
        // Out of step with the words.
        assert_ulps(&cast(Strided::view(every_code(dtype), &[25, 3], &[7, 2], 3), DType::F32), 0.0);
    }
}

/// NaN aside, which has one code here, a copy has the bytes that it was made of.
#[test]
fn copies_keep_their_bytes() {
    for dtype in DTYPES {
        for length in [1, 2, 3, 4, 5, 125] {
            let view = Strided::view(every_code(dtype), &[length], &[1], 127 - 125);
            for call in [call("clone", &[("input", view.clone())], &[]), cast(view.clone(), dtype)] {
                assert_eq!(run(&call).unwrap()[0].bytes()[..length.min(122)], view.host().bytes()[..length.min(122)]);
            }
        }
    }
}

/// Numbers, the middle between neighbours, and a little to either side of it; beyond the largest too.
#[test]
fn casts_round_to_nearest_even() {
    for dtype in DTYPES {
        let numbers: Vec<f32> = every_code(dtype).to_f32();
        let mut values = vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 464.0, 465.0, 61439.0, 61440.0, 1e30, 1e-30];
        for pair in numbers.windows(2).filter(|pair| pair.iter().all(|x| x.is_finite())) {
            let middle = f32::midpoint(pair[0], pair[1]);
            values.extend([pair[0], middle, middle.next_up(), middle.next_down()]);
        }
        let input = HostTensor::from_f32(&[values.len()], &values).unwrap();
        let exact = HostTensor::from_f64(dtype, input.shape(), &input.to_f64()).unwrap();
        assert_eq!(run(&cast(input.into(), dtype)).unwrap()[0].bytes(), exact.bytes(), "{dtype}");
    }
}

#[test]
fn products_read_weights_of_8_bits() {
    for dtype in DTYPES {
        for rows in [1, 3, 20] {
            for depth in [5, 33] {
                let (input, weight) = (floats(1, &[rows, depth]), typed(dtype, 2, &[11, depth]));
                assert_product(
                    &call("linear", &[("input", input.clone().into()), ("weight", weight.into())], &[]),
                    depth,
                );
                let other = Strided::view(typed(dtype, 3, &[9, depth]), &[depth, 9], &[1, depth], 0);
                for (op, name) in [("matmul", "other"), ("mm", "mat2")] {
                    let tensors = [("input", input.clone().into()), (name, other.clone())];
                    assert_product(&call(op, &tensors, &[]), depth);
                }
            }
        }
    }
}

#[test]
fn rows_of_a_table_keep_the_dtype() {
    for dtype in DTYPES {
        let tensors = [("weight", typed(dtype, 1, &[5, 7]).into()), ("indices", i64s(&[4, 0, 0, 3]))];
        assert_ulps(&call("embedding", &tensors, &[]), 0.0);
    }
}
