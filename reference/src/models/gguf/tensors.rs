//! GGUF's tensor table: name, shape, type and place of every tensor.

use super::cursor::Cursor;
use super::dequantize::Packed;
use crate::models::ModelError;
use crate::models::file::RangedFile;
use std::collections::BTreeMap;
use std::ops::Range;
use taproot_engine::graph::Meta;
use taproot_engine::tensor::{DType, HostTensor};

/// GGML's own limit.
const MAX_DIMENSIONS: u32 = 4;
/// Bytes of the shortest entry: a name of no bytes, one dimension, type and offset.
pub(super) const SMALLEST_ENTRY: u64 = 8 + 4 + 8 + 4 + 8;

/// How a tensor's elements are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In a form that a trace holds.
    Plain(DType),
    /// In blocks that a trace does not hold: they are dequantised to f32.
    Packed(Packed),
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct TensorInfo {
    /// Sizes in PyTorch's order: GGUF's reversed.
    pub shape: Vec<usize>,
    /// Type.
    pub storage: Storage,
    /// Absolute place in the file.
    pub range: Range<u64>,
}

impl TensorInfo {
    /// dtype and shape of the tensor as it is read: f32 where it must be dequantised.
    pub fn meta(&self) -> Meta {
        let dtype = match self.storage {
            Storage::Plain(dtype) => dtype,
            Storage::Packed(_) => DType::F32,
        };
        Meta::new(dtype, &self.shape)
    }

    /// Reads the elements, dequantised where they must be.
    pub(super) fn read(&self, file: &RangedFile, name: &str) -> Result<HostTensor, ModelError> {
        let bytes = file.read(self.range.clone(), &format!("tensor '{name}'"))?;
        let tensor = match self.storage {
            Storage::Plain(dtype) => HostTensor::new(dtype, &self.shape, bytes),
            Storage::Packed(packed) => HostTensor::from_f32(&self.shape, &packed.dequantize(&bytes)),
        };
        tensor.map_err(|error| ModelError::Value { tensor: name.to_owned(), error })
    }
}

/// Reads `count` entries, whose offsets are still relative to the data section.
pub(super) fn read_table(cursor: &mut Cursor<'_>, count: u64) -> Result<Vec<(String, TensorInfo)>, ModelError> {
    (0..count).map(|_| read_entry(cursor)).collect()
}

fn read_entry(cursor: &mut Cursor<'_>) -> Result<(String, TensorInfo), ModelError> {
    let start = cursor.position();
    let name = cursor.string("a tensor's name")?;
    let dimensions = cursor.u32(&name)?;
    if dimensions == 0 || dimensions > MAX_DIMENSIONS {
        return Err(cursor.error(start, format!("tensor '{name}' has {dimensions} dimensions; GGUF allows 1 to 4")));
    }
    let mut shape = Vec::new();
    for _ in 0..dimensions {
        let size = cursor.u64(&name)?;
        shape.push(
            usize::try_from(size).map_err(|_| cursor.error(start, format!("tensor '{name}' has a size of {size}")))?,
        );
    }
    shape.reverse();
    let kind = cursor.u32(&name)?;
    let storage = storage(kind).ok_or_else(|| {
        cursor.error(start, format!("tensor '{name}' has the GGML type {}; supported are {SUPPORTED}", type_name(kind)))
    })?;
    let offset = cursor.u64(&name)?;
    let length = match storage {
        Storage::Plain(dtype) => dtype.byte_len(&shape),
        Storage::Packed(packed) => packed.byte_len(&shape),
    };
    let end = length.and_then(|length| offset.checked_add(length as u64)).ok_or_else(|| {
        cursor.error(
            start,
            format!("tensor '{name}' of shape {shape:?} overflows, or its rows are no whole number of blocks"),
        )
    })?;
    Ok((name, TensorInfo { shape, storage, range: offset..end }))
}

/// Makes the offsets absolute and checks them against the alignment and the size of the file.
pub(super) fn place(
    table: Vec<(String, TensorInfo)>,
    data_start: u64,
    alignment: u64,
    file: &RangedFile,
) -> Result<BTreeMap<String, TensorInfo>, ModelError> {
    let mut tensors = BTreeMap::new();
    for (name, mut info) in table {
        let error = |rule: String| ModelError::Tensor { path: file.path().to_owned(), tensor: name.clone(), rule };
        if info.range.start % alignment != 0 {
            return Err(error(format!(
                "begins at offset {}, no multiple of the alignment {alignment}",
                info.range.start
            )));
        }
        let end = data_start.checked_add(info.range.end).filter(|&end| end <= file.size()).ok_or_else(|| {
            error(format!(
                "takes bytes {}..{} of the data, which begins at {data_start}, but the file ends at {}: it is truncated",
                info.range.start,
                info.range.end,
                file.size()
            ))
        })?;
        info.range = data_start + info.range.start..end;
        if tensors.contains_key(&name) {
            return Err(error("stands in the table twice".to_owned()));
        }
        tensors.insert(name, info);
    }
    Ok(tensors)
}

const SUPPORTED: &str =
    "F32, F16, BF16, F64, Q4_0, Q4_1, Q8_0 as they are, and Q5_0, Q5_1, Q4_K, Q5_K, Q6_K dequantised to f32";

fn storage(kind: u32) -> Option<Storage> {
    Some(match kind {
        0 => Storage::Plain(DType::F32),
        1 => Storage::Plain(DType::F16),
        2 => Storage::Plain(DType::Q4_0),
        3 => Storage::Plain(DType::Q4_1),
        6 => Storage::Packed(Packed::Q5_0),
        7 => Storage::Packed(Packed::Q5_1),
        8 => Storage::Plain(DType::Q8_0),
        12 => Storage::Packed(Packed::Q4K),
        13 => Storage::Packed(Packed::Q5K),
        14 => Storage::Packed(Packed::Q6K),
        28 => Storage::Plain(DType::F64),
        30 => Storage::Plain(DType::BF16),
        _ => return None,
    })
}

/// `enum ggml_type` of ggml.h, for messages.
fn type_name(kind: u32) -> String {
    let known = match kind {
        9 => "Q8_1",
        10 => "Q2_K",
        11 => "Q3_K",
        15 => "Q8_K",
        16 => "IQ2_XXS",
        17 => "IQ2_XS",
        18 => "IQ3_XXS",
        19 => "IQ1_S",
        20 => "IQ4_NL",
        21 => "IQ3_S",
        22 => "IQ2_S",
        23 => "IQ4_XS",
        24 => "I8",
        25 => "I16",
        26 => "I32",
        27 => "I64",
        29 => "IQ1_M",
        34 => "TQ1_0",
        35 => "TQ2_0",
        39 => "MXFP4",
        _ => return format!("number {kind}"),
    };
    known.to_owned()
}
