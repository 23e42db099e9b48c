//! The header of a safetensors shard: where each tensor's bytes are.
//!
//! A shard is 8 bytes of header length (little endian), the header in JSON, then the data. Only the header is read when
//! a trace is opened.

use super::source::{ByteSource, Chunk};
use super::{Manifest, Shard, TensorData, TensorEntry, TraceError};
use crate::tensor::DType;
use safetensors::Dtype as StoredDtype;
use safetensors::tensor::Metadata;
use std::collections::HashMap;
use std::ops::Range;

/// Read ahead with the header's length: most headers fit, and one request is saved.
const FIRST_READ: u64 = 64 << 10;
/// safetensors' own limit.
const MAX_HEADER: u64 = 100_000_000;

/// Absolute byte range of every tensor of a shard, by key.
pub(super) type ShardIndex = HashMap<String, Range<u64>>;

/// Reads the headers of all shards and checks them against the manifest.
///
/// # Errors
/// When a header is broken, or does not hold what the manifest says.
pub(super) async fn read_indices(source: &dyn ByteSource, manifest: &Manifest) -> Result<Vec<ShardIndex>, TraceError> {
    let mut indices = Vec::with_capacity(manifest.shards.len());
    for (at, shard) in manifest.shards.iter().enumerate() {
        let metadata = read_header(source, shard).await?;
        indices.push(index(manifest, at, shard, &metadata)?);
    }
    Ok(indices)
}

struct Header {
    metadata: Metadata,
    data_start: u64,
}

async fn read_header(source: &dyn ByteSource, shard: &Shard) -> Result<Header, TraceError> {
    let error = |range: Range<u64>, rule: String| TraceError::Shard { shard: shard.path.clone(), range, rule };
    if shard.bytes < 8 {
        return Err(error(0..shard.bytes, "is too short to hold a safetensors header".to_owned()));
    }
    let first = source.read(&shard.path, 0..shard.bytes.min(FIRST_READ)).await?;
    check_file_size(shard, &first)?;
    let Some((length, rest)) = first.bytes.split_first_chunk::<8>() else {
        return Err(error(0..8, "is too short to hold a safetensors header".to_owned()));
    };
    let length = u64::from_le_bytes(*length);
    let data_start = length.checked_add(8).filter(|&end| length <= MAX_HEADER && end <= shard.bytes);
    let Some(data_start) = data_start else {
        return Err(error(0..8, format!("says its header has {length} bytes, but the file has {}", shard.bytes)));
    };
    let fetched;
    let json = match rest.get(..usize::try_from(length).unwrap_or(usize::MAX)) {
        Some(json) => json,
        None => {
            fetched = source.read(&shard.path, 8..data_start).await?;
            &fetched.bytes
        }
    };
    let metadata = serde_json::from_slice(json)
        .map_err(|e| error(8..data_start, format!("the safetensors header is broken: {e}")))?;
    Ok(Header { metadata, data_start })
}

fn check_file_size(shard: &Shard, chunk: &Chunk) -> Result<(), TraceError> {
    match chunk.file_size {
        Some(size) if size != shard.bytes => Err(TraceError::Shard {
            shard: shard.path.clone(),
            range: size.min(shard.bytes)..size.max(shard.bytes),
            rule: format!(
                "the file has {size} bytes, the manifest says {}: it is truncated or belongs to another trace",
                shard.bytes
            ),
        }),
        _ => Ok(()),
    }
}

fn index(manifest: &Manifest, at: usize, shard: &Shard, header: &Header) -> Result<ShardIndex, TraceError> {
    let mut index = ShardIndex::new();
    for entry in &manifest.tensors {
        let TensorData::Stored { shard: of, key, .. } = &entry.data else { continue };
        if *of != at {
            continue;
        }
        let info = header.metadata.info(key).ok_or_else(|| {
            TraceError::tensor(&entry.name, format!("is not in shard '{}' under the key '{key}'", shard.path))
        })?;
        let (start, end) = info.data_offsets;
        let range = header.data_start.saturating_add(start as u64)..header.data_start.saturating_add(end as u64);
        if start > end || range.end > shard.bytes {
            return Err(TraceError::Shard {
                shard: shard.path.clone(),
                range,
                rule: format!("tensor '{}' lies past the end of the file ({} bytes)", entry.name, shard.bytes),
            });
        }
        check_entry(entry, shard, info.dtype, &info.shape, &range)?;
        index.insert(key.clone(), range);
    }
    Ok(index)
}

fn check_entry(
    entry: &TensorEntry,
    shard: &Shard,
    dtype: StoredDtype,
    shape: &[usize],
    range: &Range<u64>,
) -> Result<(), TraceError> {
    let error = |rule: String| TraceError::Shard { shard: shard.path.clone(), range: range.clone(), rule };
    let bytes = entry.dtype.byte_len(&entry.shape).map(|bytes| bytes as u64);
    if bytes != Some(range.end - range.start) {
        return Err(error(format!(
            "tensor '{}' has {} bytes there, but {} of shape {:?} takes {}",
            entry.name,
            range.end - range.start,
            entry.dtype,
            entry.shape,
            bytes.unwrap_or(0)
        )));
    }
    let expected = stored_dtype(entry.dtype);
    let fits = dtype == expected && (entry.dtype.is_quantized() || shape == entry.shape);
    if !fits {
        return Err(error(format!(
            "tensor '{}' is {dtype:?} of shape {shape:?} there, but the manifest says {} of shape {:?}",
            entry.name, entry.dtype, entry.shape
        )));
    }
    Ok(())
}

/// How a dtype of the trace is called in safetensors; quantised blocks are bytes there.
pub(super) fn stored_dtype(dtype: DType) -> StoredDtype {
    match dtype {
        DType::F32 => StoredDtype::F32,
        DType::F16 => StoredDtype::F16,
        DType::BF16 => StoredDtype::BF16,
        DType::F64 => StoredDtype::F64,
        DType::I64 => StoredDtype::I64,
        DType::I32 => StoredDtype::I32,
        DType::I16 => StoredDtype::I16,
        DType::I8 => StoredDtype::I8,
        DType::Bool => StoredDtype::BOOL,
        DType::F8E4M3 => StoredDtype::F8_E4M3,
        DType::F8E5M2 => StoredDtype::F8_E5M2,
        DType::U8 | DType::Q4_0 | DType::Q4_1 | DType::Q8_0 | DType::Q4F16_1 => StoredDtype::U8,
    }
}
