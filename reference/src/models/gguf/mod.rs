//! GGUF, llama.cpp's file of a model: metadata, tokenizer and weights in one.
//!
//! Format: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>, versions 2 and 3, little endian.

pub mod config;
mod cursor;
mod dequantize;
mod metadata;
mod names;
mod tensors;

pub use dequantize::Packed;
pub use metadata::{Metadata, Value};
pub use names::{GgufWeights, Rotary};
pub use tensors::{Storage, TensorInfo};

use super::ModelError;
use super::file::RangedFile;
use cursor::Cursor;
use std::collections::BTreeMap;
use std::path::Path;
use taproot_engine::tensor::HostTensor;

const MAGIC: [u8; 4] = *b"GGUF";
const DEFAULT_ALIGNMENT: usize = 32;
/// Bytes of the shortest pair: a key of no bytes, its type, a value of one byte.
const SMALLEST_PAIR: u64 = 8 + 4 + 1;

/// An opened file: its header is in memory, tensors are read when asked for.
#[derive(Debug)]
pub struct GgufFile {
    file: RangedFile,
    metadata: Metadata,
    tensors: BTreeMap<String, TensorInfo>,
}

impl GgufFile {
    /// Reads and checks the header.
    ///
    /// # Errors
    /// The first rule of the format that is broken, with its place in the file.
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        let file = RangedFile::open(path)?;
        let mut cursor = Cursor::new(&file);
        let (tensor_count, pair_count) = read_preamble(&mut cursor)?;
        let metadata = Metadata::read(&mut cursor, pair_count, path)?;
        let table = tensors::read_table(&mut cursor, tensor_count)?;
        let alignment = metadata.opt_usize("general.alignment")?.unwrap_or(DEFAULT_ALIGNMENT) as u64;
        if !alignment.is_power_of_two() {
            return Err(metadata.error("general.alignment", format!("must be a power of two, not {alignment}")));
        }
        let data_start = cursor
            .position()
            .checked_next_multiple_of(alignment)
            .ok_or_else(|| metadata.error("general.alignment", "is too large"))?;
        let tensors = tensors::place(table, data_start, alignment, &file)?;
        Ok(GgufFile { file, metadata, tensors })
    }

    /// Metadata.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The tensor table, by GGUF's names.
    pub fn tensors(&self) -> &BTreeMap<String, TensorInfo> {
        &self.tensors
    }

    /// Reads a tensor by GGUF's name.
    ///
    /// # Errors
    /// When there is none of this name, or it cannot be read.
    pub fn read(&self, name: &str) -> Result<HostTensor, ModelError> {
        let info = self.tensors.get(name).ok_or_else(|| self.tensor_error(name, "is missing"))?;
        info.read(&self.file, name)
    }

    /// An error about a tensor.
    pub fn tensor_error(&self, name: &str, rule: impl std::fmt::Display) -> ModelError {
        ModelError::Tensor { path: self.file.path().to_owned(), tensor: name.to_owned(), rule: rule.to_string() }
    }
}

fn read_preamble(cursor: &mut Cursor<'_>) -> Result<(u64, u64), ModelError> {
    let magic = cursor.array::<4>("GGUF's magic number")?;
    if magic != MAGIC {
        return Err(cursor.error(0, "the file does not begin with 'GGUF'"));
    }
    let version = cursor.u32("GGUF's version")?;
    if version.swap_bytes() < 16 && version > 16 {
        return Err(cursor.error(4, "the file is big endian; only little endian is supported"));
    }
    if !(2..=3).contains(&version) {
        return Err(cursor.error(4, format!("GGUF version {version} is not supported; versions 2 and 3 are")));
    }
    let tensors = cursor.u64("the number of tensors")?;
    let pairs = cursor.u64("the number of metadata pairs")?;
    let counts = [("tensors", tensors, tensors::SMALLEST_ENTRY), ("metadata pairs", pairs, SMALLEST_PAIR)];
    for (what, count, smallest) in counts {
        if count.checked_mul(smallest).is_none_or(|bytes| bytes > cursor.remaining()) {
            return Err(cursor.error(
                8,
                format!(
                    "the file is said to hold {count} {what}, but only {} bytes are left in it",
                    cursor.remaining()
                ),
            ));
        }
    }
    Ok((tensors, pairs))
}
