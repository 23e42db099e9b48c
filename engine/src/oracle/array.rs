//! The oracle's values: contiguous arrays of f64, or of i64 where PyTorch's result is integer or bool.

use crate::tensor::{DType, HostTensor};

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

    /// The stored values of a tensor, exactly.
    pub fn from_host(tensor: &HostTensor) -> Self {
        let data = match tensor.to_i64() {
            Ok(values) => Data::Int(values),
            Err(_) => Data::Float(tensor.to_f64()),
        };
        Array { dtype: tensor.dtype(), shape: tensor.shape().to_vec(), data }
    }

    /// Number of elements.
    pub fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// Every element as f64.
    pub fn to_f64(&self) -> Vec<f64> {
        match &self.data {
            Data::Float(values) => values.clone(),
            Data::Int(values) => values.iter().map(|&v| v as f64).collect(),
        }
    }
}
