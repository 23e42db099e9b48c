//! Look-ups and writes by tensors of indices: views on either side, sizes around workgroups, indices out of range.

use super::harness::*;
use crate::graph::{Arg, Call, Value};
use crate::oracle::{self, Array};
use crate::tensor::{DType, HostTensor};

/// Indices from 0 to below `size` that look random.
fn indices(seed: u64, shape: &[usize], size: i64) -> HostTensor {
    let values: Vec<i64> =
        normal(seed, shape.iter().product()).iter().map(|x| ((x * 1e6) as i64).rem_euclid(size)).collect();
    HostTensor::from_i64(shape, &values).unwrap()
}

fn listed(op: &str, input: Strided, list: Vec<Option<Strided>>) -> Call<Strided> {
    Call::new(op).tensor_arg("input", input).with("indices", Value::SomeTensors(list))
}

fn dim(dim: i64) -> [(&'static str, Arg); 1] {
    [("dim", Arg::Int(dim))]
}

/// A call of every operator here for one dtype.
pub(super) fn variants(dtype: DType) -> Vec<Call<Strided>> {
    let of = |shape: &[usize]| Strided::from(typed(dtype, 1, shape));
    let index = || Strided::from(indices(1, &[2, 3, 2], 2));
    let row = || Strided::from(indices(1, &[2], 2));
    let mut calls = Vec::new();
    for input in [of(&[2, 3, 4]), Strided::view(typed(dtype, 1, &[4, 3, 2]), &[2, 3, 4], &[1, 2, 6], 0)] {
        let tensors = [("input", input.clone()), ("index", index()), ("src", of(&[2, 3, 2]))];
        calls.push(call("gather", &tensors[..2], &dim(2)));
        calls.push(call("index_select", &[("input", input.clone()), ("index", row())], &dim(1)));
        calls.push(call("scatter_add", &tensors, &dim(2)));
        for reduce in [Arg::None, Arg::Str("add".to_owned()), Arg::Str("multiply".to_owned())] {
            let args = [("dim", Arg::Int(2)), ("reduce", reduce.clone())];
            calls.push(call("scatter", &tensors, &args));
            let args = [("dim", Arg::Int(2)), ("reduce", reduce), ("value", Arg::Int(1))];
            calls.push(call("scatter", &tensors[..2], &args));
        }
        for list in [vec![Some(row())], vec![Some(row()), None, Some(row())]] {
            calls.push(listed("index", input.clone(), list.clone()));
            for accumulate in [false, true] {
                let put = listed("index_put", input.clone(), list.clone()).tensor_arg("values", of(&[1, 1]));
                calls.push(put.arg("accumulate", Arg::Bool(accumulate)));
            }
        }
        let mask = HostTensor::from_bool(&[2], &[true, false]).unwrap();
        calls.push(listed("index_put", input, vec![Some(mask.into())]).tensor_arg("values", of(&[])));
    }
    calls
}

/// Sums are as the order of a few terms leaves them.
fn close(dtype: DType, expected: f64) -> f64 {
    if dtype.is_float() { 0.51 * crate::tensor::ulp_size(dtype, expected) + 2e-5 } else { 0.0 }
}

#[test]
fn everything_may_be_a_view() {
    for dtype in [DType::F32, DType::F16, DType::BF16, DType::I64, DType::I32, DType::U8, DType::Bool] {
        let input = Strided::view(typed(dtype, 1, &[4, 5, 7]), &[7, 4, 5], &[1, 35, 7], 0);
        let src = Strided::view(typed(dtype, 2, &[6, 5, 4]), &[4, 3, 5], &[1, 8, 4], 20);
        let index = Strided::view(indices(3, &[5, 9, 4], 4), &[4, 3, 5], &[1, 4, 36], 4);
        for at in 0..3 {
            // Only dimension 0 and 1 are long enough for indices below 4.
            let small = Strided::view(indices(3, &[5, 9, 4], 4), &[4, 3, 5], &[1, 4, 36], 4);
            let tensors = [("input", input.clone()), ("index", small), ("src", src.clone())];
            assert_ulps(&call("gather", &tensors[..2], &dim(at)), 0.0);
            assert_ulps(&call("scatter", &tensors, &dim(at)), 0.0);
            assert_close(&call("scatter_add", &tensors, &dim(at)), close);
        }
        let row = Strided::view(indices(4, &[12], 4), &[4], &[3], 1);
        assert_ulps(&call("index_select", &[("input", input.clone()), ("index", row.clone())], &dim(2)), 0.0);
        let column = Strided::view(indices(5, &[4, 4], 4), &[4, 4], &[1, 4], 0);
        for list in [vec![None, Some(row.clone())], vec![Some(column), None, Some(row)], vec![Some(index)]] {
            let call = listed("index", input.clone(), list.clone());
            assert_ulps(&call, 0.0);
            let values = Strided::view(typed(dtype, 6, &[5]), &[1, 1], &[1, 1], 3);
            let put = listed("index_put", input.clone(), list).tensor_arg("values", values);
            assert_ulps(&put, 0.0);
            assert_close(&put.arg("accumulate", Arg::Bool(true)), close);
        }
    }
}

#[test]
fn eight_dimensions() {
    let shape = [2, 3, 1, 2, 2, 2, 1, 3];
    let input = Strided::from(floats(1, &shape));
    for at in [0, 1, 3, 7] {
        let index = indices(2, &shape, shape[at] as i64);
        let tensors = [("input", input.clone()), ("index", index.into()), ("src", floats(3, &shape).into())];
        assert_ulps(&call("gather", &tensors[..2], &dim(at as i64)), 0.0);
        assert_ulps(&call("scatter", &tensors, &dim(at as i64)), 0.0);
        assert_close(&call("scatter_add", &tensors, &dim(at as i64)), close);
    }
    let two = || Some(Strided::from(indices(4, &[2], 2)));
    for list in [vec![two(), None, None, two()], vec![None, None, None, two(), two(), two()]] {
        assert_ulps(&listed("index", input.clone(), list.clone()), 0.0);
        assert_ulps(&listed("index_put", input.clone(), list).tensor_arg("values", floats(5, &[3]).into()), 0.0);
    }
    // More index tensors than a kernel may have buffers.
    let every =
        |size: usize| (0..8).map(move |at| Some(Strided::from(indices(at, &[size], shape[at as usize] as i64))));
    assert_ulps(&listed("index", input.clone(), every(9).collect()), 0.0);
    let put = listed("index_put", input, every(9).collect()).tensor_arg("values", floats(6, &[9]).into());
    assert_ulps(&put, 0.0);
}

#[test]
fn sizes_around_workgroups() {
    for size in [1, 255, 256, 257, 1025] {
        let index = Strided::from(indices(1, &[2, size], size as i64));
        let tensors =
            [("input", floats(2, &[2, size]).into()), ("index", index), ("src", floats(3, &[2, size]).into())];
        assert_ulps(&call("gather", &tensors[..2], &dim(1)), 0.0);
        assert_ulps(&call("scatter", &tensors, &dim(1)), 0.0);
        assert_close(&call("scatter_add", &tensors, &dim(1)), close);
    }
}

/// All sources meet in one place, from many workgroups: the last one stays, none is lost.
#[test]
fn crowded_places() {
    let count = 20_000;
    let index: Strided = HostTensor::from_i64(&[count], &vec![1; count]).unwrap().into();
    let counted: Vec<f64> = (0..count).map(|at| (at % 7) as f64).collect();
    let counted = HostTensor::from_f64(DType::F32, &[count], &counted).unwrap();
    let tensors = [("input", f32s(&[0.5, 0.25, -1.0])), ("index", index.clone()), ("src", counted.into())];
    assert_ulps(&call("scatter", &tensors, &dim(0)), 0.0);
    // Small integers and a quarter: their sum is exact in any order.
    assert_ulps(&call("scatter_add", &tensors, &dim(0)), 0.0);
    let ones = HostTensor::from_i64(&[count], &vec![3; count]).unwrap();
    let tensors = [("input", i64s(&[1, 2, 3])), ("index", index), ("src", ones.into())];
    assert_ulps(&call("scatter_add", &tensors, &dim(0)), 0.0);
}

/// Nothing is read or written outside, and the result cannot pass; the oracle refuses the call.
#[test]
fn an_index_out_of_range_is_never_quiet() {
    for bad in [3, -4, 1 << 20, i64::from(i32::MIN)] {
        let index = i64s(&[1, bad]);
        let input = f32s(&[1.0, 2.0, 3.0]);
        let tensors = [("input", input.clone()), ("index", index.clone()), ("src", f32s(&[5.0, 6.0]))];
        let list = || vec![Some(index.clone())];
        let put = || listed("index_put", input.clone(), list()).tensor_arg("values", f32s(&[5.0, 6.0]));
        let calls = [
            call("gather", &tensors[..2], &dim(0)),
            call("index_select", &tensors[..2], &dim(0)),
            call("scatter", &tensors, &dim(0)),
            call("scatter_add", &tensors, &dim(0)),
            listed("index", input.clone(), list()),
            put(),
            put().arg("accumulate", Arg::Bool(true)),
        ];
        for call in calls {
            let values = run(&call).unwrap().remove(0).to_f32();
            assert!(values.iter().any(|value| value.is_nan()), "{}: {values:?}", call.op());
            let refused = oracle::run(&call.map_tensors(|tensor| Array::from_host(&tensor.host())));
            assert!(refused.unwrap_err().to_string().contains("out of range"), "{}", call.op());
        }
        let integers = call("gather", &[("input", i64s(&[1, 2, 3])), ("index", index)], &dim(0));
        assert_eq!(run(&integers).unwrap().remove(0).to_i64().unwrap(), [2, i64::from(i32::MIN)]);
    }
    // A negative index that PyTorch takes in one operator and not in the other.
    let tensors = [("input", f32s(&[1.0, 2.0])), ("index", i64s(&[-1]))];
    assert!(run(&call("gather", &tensors, &dim(0))).unwrap().remove(0).to_f32()[0].is_nan());
    assert_ulps(&listed("index", f32s(&[1.0, 2.0]), vec![Some(i64s(&[-1]))]), 0.0);
}
