//! One element, to the last bit.

use super::{HeatmapError, Subject};
use crate::compare::ulps_apart;
use crate::oracle::Array;
use crate::tensor::{DType, HostTensor, Layout};
use serde::{Deserialize, Serialize};

/// What is known of one element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// Where it is.
    pub index: Vec<usize>,
    /// As recorded.
    pub expected: Number,
    /// As the target computed it.
    pub actual: Option<Number>,
    /// As the oracle computed it: the value in f64, the bits of the nearest number of the result's dtype.
    pub oracle: Option<Number>,
    /// ULP between target and record.
    pub ulp: Option<u32>,
    /// ULP between target and oracle.
    pub ulp_of_target: Option<u32>,
    /// ULP between record and oracle.
    pub ulp_of_source: Option<u32>,
}

/// A number and how it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Number {
    /// Its value.
    pub value: f64,
    /// In decimal, with enough digits to read back as the same number.
    pub text: String,
    /// Its bits, as many hexadecimal digits as its dtype has; None for elements of quantised blocks.
    pub bits: Option<String>,
}

/// Looks at the element at `index`.
///
/// # Errors
/// When the index does not fit the tensor, or shapes differ.
pub fn element(subject: &Subject<'_>, index: &[usize]) -> Result<Element, HeatmapError> {
    let shape = subject.expected.shape();
    let position = position(shape, index)
        .ok_or_else(|| HeatmapError::Outside { what: format!("the index {index:?}"), shape: shape.to_vec() })?;
    let same_shape = |actual: &[usize]| {
        let shapes = || HeatmapError::Shapes { actual: actual.to_vec(), expected: shape.to_vec() };
        if actual == shape { Ok(()) } else { Err(shapes()) }
    };
    let expected = stored(subject.expected, position)?;
    let actual = match subject.actual {
        Some(tensor) => {
            same_shape(tensor.shape())?;
            Some(stored(tensor, position)?)
        }
        None => None,
    };
    let dtype = subject.expected.dtype();
    let oracle = match subject.oracle {
        Some(array) => {
            same_shape(&array.shape)?;
            Some(computed(array, dtype, position))
        }
        None => None,
    };
    let apart = |a: Option<&Number>, b: Option<&Number>| match (a, b) {
        (Some(a), Some(b)) if dtype.is_float() => ulps_apart(dtype, a.value, b.value),
        _ => None,
    };
    Ok(Element {
        index: index.to_vec(),
        ulp: apart(actual.as_ref(), Some(&expected)),
        ulp_of_target: apart(actual.as_ref(), oracle.as_ref()),
        ulp_of_source: apart(Some(&expected), oracle.as_ref()),
        expected,
        actual,
        oracle,
    })
}

fn position(shape: &[usize], index: &[usize]) -> Option<usize> {
    let fits = shape.len() == index.len() && index.iter().zip(shape).all(|(at, size)| at < size);
    let strides = Layout::contiguous(shape).strides;
    fits.then(|| index.iter().zip(strides).map(|(at, stride)| at * stride).sum())
}

fn stored(tensor: &HostTensor, position: usize) -> Result<Number, HeatmapError> {
    if tensor.dtype().is_quantized() {
        let value = tensor.to_f64().get(position).copied().unwrap_or(f64::NAN);
        return Ok(Number { value, text: (value as f32).to_string(), bits: None });
    }
    let one = tensor.view(&Layout { shape: vec![], strides: vec![], offset: position })?;
    Ok(number(&one))
}

fn computed(array: &Array, dtype: DType, position: usize) -> Number {
    if array.is_int() {
        let value = array.ints().get(position).copied().unwrap_or(0);
        let bits = match HostTensor::from_f64(dtype, &[], &[value as f64]) {
            Ok(one) if dtype != DType::I64 => hex(one.bytes()),
            _ => hex(&value.to_le_bytes()),
        };
        return Number { value: value as f64, text: value.to_string(), bits: Some(bits) };
    }
    let value = array.floats().get(position).copied().unwrap_or(f64::NAN);
    let bits = HostTensor::from_f64(dtype, &[], &[value]).ok().map(|one| hex(one.bytes()));
    Number { value, text: value.to_string(), bits }
}

/// The only element of a rank-0 tensor.
fn number(one: &HostTensor) -> Number {
    let value = one.to_f64().first().copied().unwrap_or(f64::NAN);
    let text = match (one.dtype(), one.to_i64()) {
        (_, Ok(values)) => values.first().map(i64::to_string).unwrap_or_default(),
        (DType::F64, _) => value.to_string(),
        (DType::F16, _) => half::f16::from_f64(value).to_string(),
        (DType::BF16, _) => half::bf16::from_f64(value).to_string(),
        _ => (value as f32).to_string(),
    };
    Number { value, text, bits: Some(hex(one.bytes())) }
}

/// Little-endian bytes as one number.
fn hex(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    format!("0x{digits}")
}
