//! The oracle's values: contiguous arrays of f64, or of i64 where PyTorch's result is integer or bool.

use crate::graph::Meta;
use crate::tensor::{DType, HostTensor};
use std::borrow::Cow;

/// Float tensors with more elements than this stay in their stored form, so that a vocabulary-sized weight does not become eight
/// bytes per element.
const EXPAND_LIMIT: usize = 1 << 20;

/// A contiguous, row-major array.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// dtype of the tensor that this array stands for; the elements themselves are not rounded to it.
    pub dtype: DType,
    /// Size of each dimension.
    pub shape: Vec<usize>,
    /// Elements.
    pub data: Data,
}

/// Elements of an [`Array`].
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Real numbers.
    Float(Vec<f64>),
    /// Integers, and bool as 0 and 1.
    Int(Vec<i64>),
    /// Real numbers in a tensor's stored form (quantised blocks, large weights), read when they are needed.
    Stored(HostTensor),
}

impl Array {
    /// An array of real numbers.
    pub fn float(dtype: DType, shape: &[usize], values: Vec<f64>) -> Self {
        Array { dtype, shape: shape.to_vec(), data: Data::Float(values) }
    }

    /// An array of integers or bool.
    pub fn int(dtype: DType, shape: &[usize], values: Vec<i64>) -> Self {
        Array { dtype, shape: shape.to_vec(), data: Data::Int(values) }
    }

    /// The stored values of a tensor, exactly; quantised and large float tensors are kept as they are and read row by row.
    pub fn from_host(tensor: &HostTensor) -> Self {
        let data = match tensor.to_i64() {
            Ok(values) => Data::Int(values),
            Err(_) if tensor.dtype().is_quantized() || tensor.numel() > EXPAND_LIMIT => Data::Stored(tensor.clone()),
            Err(_) => Data::Float(tensor.to_f64()),
        };
        Array { dtype: tensor.dtype(), shape: tensor.shape().to_vec(), data }
    }

    /// dtype and shape.
    pub fn meta(&self) -> Meta {
        Meta::new(self.dtype, &self.shape)
    }

    /// Number of elements.
    pub fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// Every element as f64.
    pub fn to_f64(&self) -> Vec<f64> {
        self.floats().into_owned()
    }

    /// Every element as f64, borrowed where it is one.
    pub fn floats(&self) -> Cow<'_, [f64]> {
        match &self.data {
            Data::Float(values) => Cow::Borrowed(values),
            Data::Int(values) => Cow::Owned(values.iter().map(|&v| v as f64).collect()),
            Data::Stored(tensor) => Cow::Owned(tensor.to_f64()),
        }
    }

    /// Every element as an integer (floats are truncated toward zero), borrowed where it is one.
    pub fn ints(&self) -> Cow<'_, [i64]> {
        match &self.data {
            Data::Int(values) => Cow::Borrowed(values),
            _ => Cow::Owned(self.floats().iter().map(|&v| v as i64).collect()),
        }
    }

    /// Whether the elements are integers or bool.
    pub fn is_int(&self) -> bool {
        matches!(self.data, Data::Int(_))
    }

    /// Row `row` of the array seen as rows of its last dimension, as f64; `None` where there is no such row.
    pub fn row(&self, row: usize) -> Option<Cow<'_, [f64]>> {
        let width = self.shape.last().copied().unwrap_or(1);
        let range = row.checked_mul(width)?..row.checked_add(1)?.checked_mul(width)?;
        match &self.data {
            Data::Float(values) => values.get(range).map(Cow::Borrowed),
            Data::Int(values) => Some(Cow::Owned(values.get(range)?.iter().map(|&v| v as f64).collect())),
            Data::Stored(tensor) => {
                let size = self.dtype.byte_len(&[width])?;
                let bytes = tensor.bytes().get(row * size..(row + 1) * size)?;
                Some(Cow::Owned(HostTensor::new(self.dtype, &[width], bytes).ok()?.to_f64()))
            }
        }
    }
}
