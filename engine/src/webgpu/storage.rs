//! How each dtype lies in a GPU buffer: always an array of 32-bit words.
//!
//! | dtype | on the GPU |
//! |---|---|
//! | f32 | its bits, one word per element |
//! | i64, i32, i16, i8, u8, bool | an i32, one word per element (checked on upload: WGSL has no wider integers) |
//! | f16, bf16 | as stored: two elements per word, the first in the low half |
//! | f8_e4m3, f8_e5m2 | as stored: four elements per word, the first in the lowest byte |
//! | q4_0, q4_1, q8_0, q4f16_1 | as stored: whole blocks, addressed by byte, padded at the end to whole words |
//!
//! Integer arithmetic wraps at the width of its dtype, as in PyTorch; i64 results beyond 32 bits are refused.
//! f64 has no form here.

use super::GpuError;
use crate::tensor::{DType, HostTensor};
use std::borrow::Cow;

/// Form of a dtype in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stored {
    /// f32 bits.
    Float,
    /// i32.
    Integer,
    /// Halves of words: f16, bf16.
    Packed,
    /// Quarters of words: 8-bit floats.
    Bytes,
    /// Quantised blocks.
    Blocks,
}

impl Stored {
    /// The form of `dtype`.
    pub(crate) fn of(dtype: DType) -> Result<Self, GpuError> {
        match dtype {
            DType::F32 => Ok(Stored::Float),
            DType::F16 | DType::BF16 => Ok(Stored::Packed),
            DType::I64 | DType::I32 | DType::I16 | DType::I8 | DType::U8 | DType::Bool => Ok(Stored::Integer),
            DType::Q4_0 | DType::Q4_1 | DType::Q8_0 | DType::Q4F16_1 => Ok(Stored::Blocks),
            DType::F64 => Err(unsupported(dtype, "WGSL has no 64-bit floats")),
            DType::F8E4M3 | DType::F8E5M2 => Ok(Stored::Bytes),
        }
    }
}

fn unsupported(dtype: DType, what: &str) -> GpuError {
    GpuError::UnsupportedDType { dtype, what: what.to_owned() }
}

/// Bytes that `numel` elements take in a buffer, at least one word because WebGPU has no empty bindings.
pub(crate) fn buffer_bytes(dtype: DType, numel: usize) -> Result<u64, GpuError> {
    let words = match Stored::of(dtype)? {
        Stored::Float | Stored::Integer => numel,
        Stored::Packed => numel.div_ceil(2),
        Stored::Bytes => numel.div_ceil(4),
        Stored::Blocks => {
            let (elements, bytes) = dtype.block();
            (numel / elements).saturating_mul(bytes).div_ceil(4)
        }
    };
    Ok((words as u64).max(1).saturating_mul(4))
}

/// The bytes of `tensor` as they lie in a buffer; a multiple of 4 long.
pub(crate) fn to_words(tensor: &HostTensor) -> Result<Cow<'_, [u8]>, GpuError> {
    match Stored::of(tensor.dtype())? {
        Stored::Integer => {
            let mut words = Vec::with_capacity(tensor.numel() * 4);
            for (index, value) in tensor.to_i64()?.into_iter().enumerate() {
                let word = i32::try_from(value).map_err(|_| GpuError::IntegerRange { index, value })?;
                words.extend(word.to_le_bytes());
            }
            Ok(Cow::Owned(words))
        }
        Stored::Float | Stored::Packed | Stored::Bytes | Stored::Blocks => {
            let bytes = tensor.bytes();
            if bytes.len().is_multiple_of(4) {
                return Ok(Cow::Borrowed(bytes));
            }
            let mut padded = bytes.to_vec();
            padded.resize(bytes.len().next_multiple_of(4), 0);
            Ok(Cow::Owned(padded))
        }
    }
}

/// A host tensor from the words of a contiguous GPU tensor: the inverse of [`to_words`].
pub(crate) fn from_words(dtype: DType, shape: &[usize], words: &[u8]) -> Result<HostTensor, GpuError> {
    let bytes = match Stored::of(dtype)? {
        Stored::Integer => {
            let values = words.as_chunks::<4>().0.iter().map(|&word| i32::from_le_bytes(word));
            let values = values.take(shape.iter().product());
            match dtype {
                DType::I64 => values.flat_map(|v| i64::from(v).to_le_bytes()).collect(),
                DType::I32 => values.flat_map(i32::to_le_bytes).collect(),
                // Kernels keep narrow integers within their dtype, so these casts only drop copies of the sign.
                DType::I16 => values.flat_map(|v| (v as i16).to_le_bytes()).collect(),
                _ => values.map(|v| v as u8).collect::<Vec<u8>>(),
            }
        }
        Stored::Float | Stored::Packed | Stored::Bytes | Stored::Blocks => {
            let length = dtype.byte_len(shape).unwrap_or(0).min(words.len());
            words[..length].to_vec() // in range: bounded by `min` above
        }
    };
    Ok(HostTensor::new(dtype, shape, bytes)?)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_integer_dtype_survives_the_round_trip() {
        for dtype in [DType::I64, DType::I32, DType::I16, DType::I8, DType::U8, DType::Bool] {
            let values = match dtype {
                DType::U8 => [0.0, 1.0, 255.0],
                DType::Bool => [0.0, 1.0, 1.0],
                _ => [0.0, -128.0, 127.0],
            };
            let tensor = HostTensor::from_f64(dtype, &[3], &values).unwrap();
            let words = to_words(&tensor).unwrap();
            assert_eq!(words.len(), 12);
            assert_eq!(from_words(dtype, &[3], &words).unwrap(), tensor);
        }
    }

    #[test]
    fn integers_beyond_32_bits_are_refused_with_their_place() {
        let tensor = HostTensor::from_i64(&[2], &[7, 1 << 31]).unwrap();
        assert_eq!(to_words(&tensor), Err(GpuError::IntegerRange { index: 1, value: 1 << 31 }));
    }

    #[test]
    fn packed_and_block_dtypes_are_padded_to_whole_words() {
        let half = HostTensor::from_f64(DType::F16, &[3], &[1.0, -2.0, 0.5]).unwrap();
        assert_eq!(to_words(&half).unwrap().len(), 8);
        assert_eq!(buffer_bytes(DType::F16, 3), Ok(8));
        assert_eq!(from_words(DType::F16, &[3], &to_words(&half).unwrap()).unwrap(), half);
        let bytes = HostTensor::from_f64(DType::F8E4M3, &[5], &[1.0, -2.0, 0.5, 448.0, f64::NAN]).unwrap();
        assert_eq!(to_words(&bytes).unwrap().len(), 8);
        assert_eq!(buffer_bytes(DType::F8E4M3, 5), Ok(8));
        assert_eq!(from_words(DType::F8E4M3, &[5], &to_words(&bytes).unwrap()).unwrap(), bytes);
        assert_eq!(buffer_bytes(DType::Q4_0, 32), Ok(20));
        assert_eq!(buffer_bytes(DType::F32, 0), Ok(4));
    }

    #[test]
    fn f64_is_refused() {
        assert!(matches!(Stored::of(DType::F64), Err(GpuError::UnsupportedDType { dtype: DType::F64, .. })));
    }
}
