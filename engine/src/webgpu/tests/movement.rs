//! Copies and look-ups.

use super::harness::*;
use super::matmul::quantized;
use crate::graph::{Arg, Call, Value};
use crate::tensor::{DType, HostTensor};

#[test]
fn clone_makes_views_contiguous() {
    for dtype in [DType::F32, DType::F16, DType::BF16, DType::I64, DType::U8, DType::Bool] {
        let base = HostTensor::from_f64(dtype, &[5, 6], &[0.0, 1.0, 1.0, 0.0, 1.0].repeat(6)).unwrap();
        let transposed = Strided::view(base.clone(), &[6, 5], &[1, 6], 0);
        let expanded = Strided::view(base.clone(), &[3, 2, 5], &[0, 7, 1], 3);
        for view in [transposed, expanded, Strided::view(base, &[0, 3], &[6, 1], 29)] {
            assert_ulps(&call("clone", &[("input", view)], &[]), 0.0);
        }
    }
}

fn cat(tensors: Vec<Strided>, dim: i64) {
    assert_ulps(&Call::new("cat").with("tensors", Value::Tensors(tensors)).arg("dim", Arg::Int(dim)), 0.0);
}

#[test]
fn cat_along_every_dimension() {
    for dim in [0, 1, 2, -1] {
        let shape = |size: usize| {
            let mut shape = [2, 3, 5];
            shape[if dim < 0 { 2 } else { dim as usize }] = size;
            shape
        };
        cat([4, 0, 1].map(|size| floats(size as u64, &shape(size)).into()).to_vec(), dim);
        cat([3, 4].map(|size| typed(DType::F16, size as u64, &shape(size)).into()).to_vec(), dim);
    }
}

#[test]
fn cat_of_views_and_of_mixed_dtypes() {
    let transposed = Strided::view(floats(1, &[3, 2]), &[2, 3], &[1, 2], 0);
    cat(vec![transposed, floats(2, &[4, 3]).into()], 0);
    cat(vec![i64s(&[1, 2]), f32s(&[0.5])], 0);
    cat(vec![typed(DType::F16, 1, &[3]).into(), typed(DType::BF16, 2, &[2]).into()], 0);
    cat(vec![i64s(&[1, -2]), HostTensor::from_bool(&[1], &[true]).unwrap().into()], 0);
}

#[test]
fn embedding_in_every_stored_form() {
    let indices = HostTensor::from_i64(&[2, 3], &[0, 4, 2, 2, 6, 1]).unwrap();
    let mut tables = quantized(&[7, 64]);
    tables.extend([DType::F32, DType::F16, DType::BF16].map(|dtype| typed(dtype, 5, &[7, 9])));
    for table in tables {
        assert_ulps(&call("embedding", &[("weight", table.into()), ("indices", indices.clone().into())], &[]), 0.0);
    }
    let view = Strided::view(floats(6, &[9, 7]), &[7, 9], &[1, 7], 0);
    assert_ulps(&call("embedding", &[("weight", view.clone()), ("indices", indices.into())], &[]), 0.0);
    assert_ulps(&call("embedding", &[("weight", view), ("indices", i64s(&[]))], &[]), 0.0);
}

#[test]
fn an_index_outside_the_table_gives_nan() {
    let tensors = [("weight", floats(1, &[3, 4]).into()), ("indices", i64s(&[2, 3, -1]))];
    let result = run(&call("embedding", &tensors, &[])).unwrap().remove(0).to_f32();
    assert!(result[..4].iter().all(|value| value.is_finite()));
    assert!(result[4..].iter().all(|value| value.is_nan()));
}
