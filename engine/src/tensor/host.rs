//! A contiguous tensor in host memory, in its stored form.

use super::f8::Format;
use super::{DType, Layout, LayoutError, dequantize};
use half::{bf16, f16};
use std::sync::Arc;

/// A contiguous, row-major tensor: the bytes as stored in a shard, little endian.
#[derive(Clone, Debug, PartialEq)]
pub struct HostTensor {
    dtype: DType,
    shape: Vec<usize>,
    bytes: Arc<[u8]>,
}

/// Why a host tensor cannot be made or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TensorError {
    /// Shape and bytes disagree.
    #[error("{dtype} of shape {shape:?} takes {} bytes, but {actual} are given", .expected.map_or_else(|| "no whole number of".to_owned(), |n| n.to_string()))]
    Size {
        /// Element type.
        dtype: DType,
        /// Shape asked for.
        shape: Vec<usize>,
        /// Bytes that the shape takes, if it can be stored at all.
        expected: Option<usize>,
        /// Bytes given.
        actual: usize,
    },
    /// A view that does not fit.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A strided view of quantised blocks, which have no single elements to step over.
    #[error("a {0} tensor is stored in blocks and cannot be viewed with strides")]
    StridedBlocks(DType),
    /// Integers asked of floats.
    #[error("{0} does not hold integers")]
    NotInteger(DType),
}

impl HostTensor {
    /// A tensor over bytes in stored form.
    ///
    /// # Errors
    /// When the bytes are not exactly as many as the shape takes.
    pub fn new(dtype: DType, shape: &[usize], bytes: impl Into<Arc<[u8]>>) -> Result<Self, TensorError> {
        let bytes = bytes.into();
        let expected = dtype.byte_len(shape);
        if expected != Some(bytes.len()) {
            return Err(TensorError::Size { dtype, shape: shape.to_vec(), expected, actual: bytes.len() });
        }
        Ok(HostTensor { dtype, shape: shape.to_vec(), bytes })
    }

    /// An f32 tensor.
    ///
    /// # Errors
    /// When `values` are not as many as the shape holds.
    pub fn from_f32(shape: &[usize], values: &[f32]) -> Result<Self, TensorError> {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        Self::new(DType::F32, shape, bytes)
    }

    /// An i64 tensor.
    ///
    /// # Errors
    /// When `values` are not as many as the shape holds.
    pub fn from_i64(shape: &[usize], values: &[i64]) -> Result<Self, TensorError> {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        Self::new(DType::I64, shape, bytes)
    }

    /// A bool tensor.
    ///
    /// # Errors
    /// When `values` are not as many as the shape holds.
    pub fn from_bool(shape: &[usize], values: &[bool]) -> Result<Self, TensorError> {
        let bytes: Vec<u8> = values.iter().map(|&v| u8::from(v)).collect();
        Self::new(DType::Bool, shape, bytes)
    }

    /// Rounds f64 values to a plain `dtype` as `Tensor.to` does: to nearest even, 448 being the largest f8_e4m3 whatever the value;
    /// integers are truncated.
    ///
    /// # Errors
    /// When `values` are not as many as the shape holds, or `dtype` is a quantised type.
    pub fn from_f64(dtype: DType, shape: &[usize], values: &[f64]) -> Result<Self, TensorError> {
        let bytes: Vec<u8> = match dtype {
            DType::F64 => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            DType::F32 => values.iter().flat_map(|&v| (v as f32).to_le_bytes()).collect(),
            DType::F16 => values.iter().flat_map(|&v| f16::from_f64(v).to_le_bytes()).collect(),
            DType::BF16 => values.iter().flat_map(|&v| bf16::from_f64(v).to_le_bytes()).collect(),
            DType::I64 => values.iter().flat_map(|&v| (v as i64).to_le_bytes()).collect(),
            DType::I32 => values.iter().flat_map(|&v| (v as i32).to_le_bytes()).collect(),
            DType::I16 => values.iter().flat_map(|&v| (v as i16).to_le_bytes()).collect(),
            DType::I8 => values.iter().map(|&v| v as i8 as u8).collect(),
            DType::U8 => values.iter().map(|&v| v as u8).collect(),
            DType::Bool => values.iter().map(|&v| u8::from(v != 0.0)).collect(),
            // The size check below turns "no bytes" of quantised dtypes into an error that names the dtype.
            _ => Format::of(dtype).map_or_else(Vec::new, |format| values.iter().map(|&v| format.encode(v)).collect()),
        };
        Self::new(dtype, shape, bytes)
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Size of each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of elements.
    pub fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// The stored form.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Every element as f64; quantised blocks are dequantised (in f32, as their formats define), bool is 0 or 1.
    pub fn to_f64(&self) -> Vec<f64> {
        let b = &self.bytes;
        match self.dtype {
            DType::F64 => le(b, f64::from_le_bytes).collect(),
            DType::F32 => le(b, f32::from_le_bytes).map(f64::from).collect(),
            DType::F16 => le(b, f16::from_le_bytes).map(f64::from).collect(),
            DType::BF16 => le(b, bf16::from_le_bytes).map(f64::from).collect(),
            DType::I64 => le(b, i64::from_le_bytes).map(|v| v as f64).collect(),
            DType::I32 => le(b, i32::from_le_bytes).map(f64::from).collect(),
            DType::I16 => le(b, i16::from_le_bytes).map(f64::from).collect(),
            DType::I8 => b.iter().map(|&v| f64::from(v as i8)).collect(),
            DType::U8 => b.iter().map(|&v| f64::from(v)).collect(),
            DType::Bool => b.iter().map(|&v| f64::from(u8::from(v != 0))).collect(),
            _ => match Format::of(self.dtype) {
                Some(format) => b.iter().map(|&v| format.decode(v)).collect(),
                None => dequantize(self.dtype, b).into_iter().map(f64::from).collect(),
            },
        }
    }

    /// Every element as f32 (f64 and wide integers are rounded).
    pub fn to_f32(&self) -> Vec<f32> {
        match self.dtype {
            DType::F32 => le(&self.bytes, f32::from_le_bytes).collect(),
            _ => self.to_f64().into_iter().map(|v| v as f32).collect(),
        }
    }

    /// Every element of an integer or bool tensor, exactly.
    ///
    /// # Errors
    /// When the tensor holds floats.
    pub fn to_i64(&self) -> Result<Vec<i64>, TensorError> {
        match self.dtype {
            DType::I64 => Ok(le(&self.bytes, i64::from_le_bytes).collect()),
            dtype if dtype.is_float() => Err(TensorError::NotInteger(dtype)),
            // All others fit a f64 exactly.
            _ => Ok(self.to_f64().into_iter().map(|v| v as i64).collect()),
        }
    }

    /// The elements that `layout` selects, made contiguous; the identity layout shares the bytes.
    ///
    /// # Errors
    /// When the layout reaches outside the tensor, or strides over quantised blocks.
    pub fn view(&self, layout: &Layout) -> Result<HostTensor, TensorError> {
        layout.check(self.numel())?;
        if layout.offset == 0 && layout.is_contiguous() && layout.numel() == self.numel() {
            return HostTensor::new(self.dtype, &layout.shape, self.bytes.clone());
        }
        if self.dtype.is_quantized() {
            return Err(TensorError::StridedBlocks(self.dtype));
        }
        let size = self.dtype.block().1;
        let mut bytes = Vec::with_capacity(layout.numel() * size);
        for position in layout.positions() {
            // In range: `check` bounds every position by numel, and bytes are numel · size.
            bytes.extend_from_slice(&self.bytes[position * size..(position + 1) * size]);
        }
        HostTensor::new(self.dtype, &layout.shape, bytes)
    }
}

fn le<'a, const N: usize, T: 'a>(bytes: &'a [u8], read: fn([u8; N]) -> T) -> impl Iterator<Item = T> + 'a {
    bytes.as_chunks::<N>().0.iter().map(move |&chunk| read(chunk))
}
