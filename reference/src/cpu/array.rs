//! The CPU source's values: contiguous arrays of f32, or of i64 where a tensor holds integers or bool.

use std::borrow::Cow;
use std::sync::Arc;
use taproot_engine::graph::Meta;
use taproot_engine::tensor::{DType, HostTensor, Layout, TensorError};

/// A contiguous, row-major array. Copies share their elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// dtype of the tensor that this array stands for.
    pub dtype: DType,
    /// Size of each dimension.
    pub shape: Vec<usize>,
    /// Elements.
    pub data: Data,
}

/// Elements of an [`Array`].
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Floats of any width.
    Float(Arc<[f32]>),
    /// Integers, and bool as 0 and 1.
    Int(Arc<[i64]>),
}

impl Array {
    /// A tensor's values; other floats than f32 are widened, or rounded from f64.
    pub fn from_host(tensor: &HostTensor) -> Self {
        let data = match tensor.to_i64() {
            Ok(values) => Data::Int(values.into()),
            Err(_) => Data::Float(tensor.to_f32().into()),
        };
        Array { dtype: tensor.dtype(), shape: tensor.shape().to_vec(), data }
    }

    pub(super) fn float(shape: &[usize], values: Vec<f32>) -> Self {
        Array { dtype: DType::F32, shape: shape.to_vec(), data: Data::Float(values.into()) }
    }

    pub(super) fn int(dtype: DType, shape: &[usize], values: Vec<i64>) -> Self {
        Array { dtype, shape: shape.to_vec(), data: Data::Int(values.into()) }
    }

    pub(super) fn meta(&self) -> Meta {
        Meta::new(self.dtype, &self.shape)
    }

    pub(super) fn is_int(&self) -> bool {
        matches!(self.data, Data::Int(_))
    }

    /// Elements as f32.
    pub(super) fn floats(&self) -> Cow<'_, [f32]> {
        match &self.data {
            Data::Float(values) => Cow::Borrowed(values),
            Data::Int(values) => values.iter().map(|&value| value as f32).collect(),
        }
    }

    /// Elements as i64; floats are truncated, as `Tensor.to` does.
    pub(super) fn ints(&self) -> Cow<'_, [i64]> {
        match &self.data {
            Data::Int(values) => Cow::Borrowed(values),
            Data::Float(values) => values.iter().map(|&value| value as i64).collect(),
        }
    }

    /// In stored form, in the dtype of `meta`: floats are rounded, integers wrap around.
    pub(super) fn to_host(&self, meta: &Meta) -> Result<HostTensor, TensorError> {
        match (&self.data, meta.dtype) {
            (Data::Float(values), DType::F32) => HostTensor::from_f32(&meta.shape, values),
            (Data::Int(values), dtype) if dtype.is_integer() => {
                // Little endian: the first bytes of an i64 are the narrow integer that it wraps to.
                let size = dtype.block().1;
                let bytes: Vec<u8> =
                    values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(size)).collect();
                HostTensor::new(dtype, &meta.shape, bytes)
            }
            (Data::Float(values), dtype) => HostTensor::from_f64(
                dtype,
                &meta.shape,
                &values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>(),
            ),
            (Data::Int(values), dtype) => {
                HostTensor::from_f64(dtype, &meta.shape, &values.iter().map(|&value| value as f64).collect::<Vec<_>>())
            }
        }
    }
}

/// For each element of `target`, in order, the position in an array of `shape` that broadcasts to it.
pub(super) fn broadcast_positions(shape: &[usize], target: &[usize]) -> Vec<usize> {
    let added = target.len().saturating_sub(shape.len());
    let own = Layout::contiguous(shape);
    let strides = (0..target.len()).map(|dim| match dim.checked_sub(added) {
        // In range: dim < target.len() = added + shape.len().
        Some(at) if shape[at] == target[dim] => own.strides[at],
        _ => 0,
    });
    let layout = Layout { shape: target.to_vec(), strides: strides.collect(), offset: 0 };
    layout.positions().collect()
}
