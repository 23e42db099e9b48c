//! Checkpoints in safetensors: one file, or several with an index.

use super::file::RangedFile;
use super::{ModelError, Weights};
use crate::builders::Parameters;
use safetensors::Dtype as StoredDtype;
use safetensors::tensor::Metadata;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use taproot_engine::graph::Meta;
use taproot_engine::tensor::{DType, HostTensor};

/// safetensors' own limit of a header.
const MAX_HEADER: u64 = 100_000_000;

/// The tensors of a checkpoint in safetensors.
#[derive(Debug)]
pub struct SafetensorsWeights {
    files: Vec<RangedFile>,
    tensors: BTreeMap<String, Located>,
}

#[derive(Debug)]
struct Located {
    meta: Meta,
    file: usize,
    range: Range<u64>,
}

impl SafetensorsWeights {
    /// Opens the files' headers; tensors are read when asked for.
    ///
    /// # Errors
    /// When a header is broken, a tensor lies outside its file or is in a dtype that a trace cannot hold, or two files
    /// hold a tensor of the same name.
    pub fn open(paths: &[PathBuf]) -> Result<Self, ModelError> {
        let mut weights = SafetensorsWeights { files: Vec::new(), tensors: BTreeMap::new() };
        for path in paths {
            weights.add(path)?;
        }
        Ok(weights)
    }

    fn add(&mut self, path: &Path) -> Result<(), ModelError> {
        let file = RangedFile::open(path)?;
        let (metadata, data_start) = read_header(&file)?;
        for (name, info) in metadata.tensors() {
            let error = |rule: String| ModelError::Tensor { path: path.to_owned(), tensor: name.clone(), rule };
            let dtype = dtype(info.dtype).ok_or_else(|| {
                error(format!("is {:?}, which a trace cannot hold: convert the checkpoint", info.dtype))
            })?;
            let (start, end) = info.data_offsets;
            let range = data_start.saturating_add(start as u64)..data_start.saturating_add(end as u64);
            if start > end || range.end > file.size() {
                return Err(error(format!(
                    "lies at bytes {}..{}, past the end of the file ({} bytes): it is truncated",
                    range.start,
                    range.end,
                    file.size()
                )));
            }
            if dtype.byte_len(&info.shape) != Some(end - start) {
                return Err(error(format!(
                    "has {} bytes, which {dtype} of shape {:?} does not take",
                    end - start,
                    info.shape
                )));
            }
            let located = Located { meta: Meta::new(dtype, &info.shape), file: self.files.len(), range };
            if self.tensors.insert(name.clone(), located).is_some() {
                return Err(error("is in another file of the checkpoint too".to_owned()));
            }
        }
        self.files.push(file);
        Ok(())
    }
}

impl Parameters for SafetensorsWeights {
    fn meta(&self, name: &str) -> Option<Meta> {
        self.tensors.get(name).map(|located| located.meta.clone())
    }
}

impl Weights for SafetensorsWeights {
    fn names(&self) -> Vec<String> {
        self.tensors.keys().cloned().collect()
    }

    fn read(&self, name: &str) -> Result<HostTensor, ModelError> {
        let located = self.tensors.get(name).and_then(|located| Some((located, self.files.get(located.file)?)));
        let (located, file) = located.ok_or_else(|| ModelError::Tensor {
            path: self.files.first().map(|file| file.path().to_owned()).unwrap_or_default(),
            tensor: name.to_owned(),
            rule: "is missing".to_owned(),
        })?;
        let bytes = file.read(located.range.clone(), &format!("tensor '{name}'"))?;
        HostTensor::new(located.meta.dtype, &located.meta.shape, bytes)
            .map_err(|error| ModelError::Value { tensor: name.to_owned(), error })
    }
}

fn read_header(file: &RangedFile) -> Result<(Metadata, u64), ModelError> {
    let error = |range: Range<u64>, rule: String| ModelError::Format { path: file.path().to_owned(), range, rule };
    let prefix = file.read(0..8, "the length of the safetensors header")?;
    let length = prefix.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let end = length.checked_add(8).filter(|&end| length <= MAX_HEADER && end <= file.size());
    let end = end.ok_or_else(|| {
        error(0..8, format!("the safetensors header is said to have {length} bytes, but the file has {}", file.size()))
    })?;
    let json = file.read(8..end, "the safetensors header")?;
    let metadata =
        serde_json::from_slice(&json).map_err(|e| error(8..end, format!("the safetensors header is broken: {e}")))?;
    Ok((metadata, end))
}

fn dtype(stored: StoredDtype) -> Option<DType> {
    Some(match stored {
        StoredDtype::F32 => DType::F32,
        StoredDtype::F16 => DType::F16,
        StoredDtype::BF16 => DType::BF16,
        StoredDtype::F64 => DType::F64,
        StoredDtype::I64 => DType::I64,
        StoredDtype::I32 => DType::I32,
        StoredDtype::I16 => DType::I16,
        StoredDtype::I8 => DType::I8,
        StoredDtype::U8 => DType::U8,
        StoredDtype::BOOL => DType::Bool,
        StoredDtype::F8_E4M3 => DType::F8E4M3,
        StoredDtype::F8_E5M2 => DType::F8E5M2,
        _ => return None,
    })
}
