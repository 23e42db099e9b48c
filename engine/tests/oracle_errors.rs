//! Calls that the oracle must refuse in a sentence, and the forms in which it takes its tensors.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use taproot_engine::graph::{Arg, Call, Value};
use taproot_engine::oracle::{self, Array, Data};
use taproot_engine::tensor::{DType, HostTensor, dequantize};

fn floats(shape: &[usize]) -> Array {
    let count = shape.iter().product::<usize>();
    Array::float(DType::F32, shape, (0..count).map(|i| i as f64).collect())
}

fn ints(values: &[i64]) -> Array {
    Array::int(DType::I64, &[values.len()], values.to_vec())
}

#[test]
fn refusals_name_operator_and_argument() {
    let input = |op: &str| Call::new(op).tensor_arg("input", floats(&[2, 3]));
    let cases = [
        (Call::new("conv9d"), "conv9d"),
        (Call::new("add").tensor_arg("input", floats(&[2])), "other"),
        (input("add").tensor_arg("other", floats(&[4])), "broadcast"),
        (input("exp").arg("base", Arg::Int(2)), "base"),
        (Call::new("embedding").tensor_arg("weight", floats(&[5, 2])).tensor_arg("indices", ints(&[0, 5])), "5 rows"),
        (Call::new("embedding").tensor_arg("weight", floats(&[5, 2])).tensor_arg("indices", ints(&[-1])), "hold -1"),
        (Call::new("pow").tensor_arg("input", ints(&[2])).arg("exponent", Arg::Int(-1)), "exponent"),
        (input("clamp"), "min"),
        (input("to").arg("dtype", Arg::Str("q4_1".to_owned())), "not supported by the oracle"),
        (input("argmax").arg("dim", Arg::Ints(vec![0, 1])), "dim"),
        (Call::new("argmax").tensor_arg("input", floats(&[0])), "without elements"),
        (input("softmax").arg("dim", Arg::Int(2)), "dim"),
        (input("view").arg("size", Arg::Ints(vec![5])), "size"),
        (Call::new("cat").with("tensors", Value::Tensors(vec![])), "tensors"),
        (input("linear").tensor_arg("weight", floats(&[2, 4])), "input"),
    ];
    for (call, what) in cases {
        let error = oracle::run(&call).expect_err(call.op()).to_string();
        assert!(error.contains(call.op()) && error.contains(what), "{error}");
    }
}

#[test]
fn views_are_copied() {
    let call =
        Call::new("transpose").tensor_arg("input", floats(&[2, 3])).arg("dim0", Arg::Int(0)).arg("dim1", Arg::Int(1));
    assert_eq!(oracle::run(&call).unwrap(), [Array::float(DType::F32, &[3, 2], vec![0.0, 3.0, 1.0, 4.0, 2.0, 5.0])]);
    let call =
        Call::new("select").tensor_arg("input", ints(&[4, 5, 6])).arg("dim", Arg::Int(0)).arg("index", Arg::Int(-1));
    assert_eq!(oracle::run(&call).unwrap(), [Array::int(DType::I64, &[], vec![6])]);
}

/// Large and quantised tensors stay as they are stored, and give the same rows.
#[test]
fn stored_tensors_are_read_row_by_row() {
    let (rows, columns) = (1030, 1024);
    let values: Vec<f32> = (0..rows * columns).map(|i| (i % 977) as f32 - 400.0).collect();
    let large = Array::from_host(&HostTensor::from_f32(&[rows, columns], &values).unwrap());
    assert!(matches!(large.data, Data::Stored(_)));
    assert_eq!(large.row(1029).unwrap()[5], f64::from(values[1029 * columns + 5]));
    assert_eq!(large.row(1030), None);
    let bytes: Vec<u8> = (0..2 * 40).map(|i| if i % 20 < 4 { 0x2c } else { i as u8 }).collect();
    let blocks = Array::from_host(&HostTensor::new(DType::Q4_1, &[2, 64], bytes.clone()).unwrap());
    assert!(matches!(blocks.data, Data::Stored(_)));
    let expected: Vec<f64> = dequantize(DType::Q4_1, &bytes).into_iter().map(f64::from).collect();
    assert_eq!(blocks.row(1).unwrap().as_ref(), &expected[64..]);
    assert_eq!(blocks.to_f64(), expected);
}
