//! An opened trace: manifest and shard headers are in memory, tensors are read when asked for.

use super::shard::{ShardIndex, read_indices};
use super::source::{ByteSource, within};
use super::validate::parse_manifest;
use super::{MANIFEST_FILE, Manifest, TensorData, TensorEntry, TensorId, TraceError};
use crate::tensor::HostTensor;
use sha2::{Digest as _, Sha256};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// Largest manifest that is read: some hundred thousand operators.
const MAX_MANIFEST: u64 = 256 << 20;
/// Bytes of stored tensors kept in memory.
const CACHE_BYTES: usize = 256 << 20;

/// An opened trace.
pub struct Trace {
    manifest: Rc<Manifest>,
    hash: String,
    source: Box<dyn ByteSource>,
    indices: Vec<ShardIndex>,
    cache: RefCell<Cache>,
}

impl std::fmt::Debug for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trace")
            .field("source", &self.source.describe())
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}

impl Trace {
    /// Reads and checks the manifest and the shards' headers; no tensor is read.
    ///
    /// # Errors
    /// When bytes cannot be had, or the first rule of the format that is broken.
    pub async fn open(source: Box<dyn ByteSource>) -> Result<Self, TraceError> {
        let json = source.read_all(MANIFEST_FILE, MAX_MANIFEST).await?;
        within(MANIFEST_FILE, json.len() as u64, MAX_MANIFEST)?;
        let manifest = parse_manifest(&json)?;
        let indices = read_indices(source.as_ref(), &manifest).await?;
        Ok(Trace {
            manifest: Rc::new(manifest),
            hash: hex(&Sha256::digest(&json)),
            source,
            indices,
            cache: RefCell::default(),
        })
    }

    /// The manifest.
    pub fn manifest(&self) -> &Rc<Manifest> {
        &self.manifest
    }

    /// The content hash that links carry: SHA-256 of `trace.json`, which holds the hash of every tensor.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// What the trace's source is called in messages.
    pub fn source_name(&self) -> String {
        self.source.describe()
    }

    /// A tensor's description.
    ///
    /// # Errors
    /// When the trace has no such tensor.
    pub fn entry(&self, id: TensorId) -> Result<&TensorEntry, TraceError> {
        self.manifest
            .tensors
            .get(id as usize)
            .ok_or_else(|| TraceError::Structure(format!("the trace has no tensor {id}")))
    }

    /// A tensor's elements, contiguous; views are resolved. Bytes are checked against their hash when first read.
    ///
    /// # Errors
    /// When bytes cannot be had or do not match their hash.
    pub async fn tensor(&self, id: TensorId) -> Result<HostTensor, TraceError> {
        let entry = self.entry(id)?;
        let TensorData::View { of, .. } = &entry.data else { return self.stored(id).await };
        let base = self.stored(*of).await?;
        base.view(&entry.layout()).map_err(|error| TraceError::value(&entry.name, &error))
    }

    /// A stored tensor, from the cache or its shard.
    async fn stored(&self, id: TensorId) -> Result<HostTensor, TraceError> {
        if let Some(tensor) = self.cache.borrow_mut().get(id) {
            return Ok(tensor);
        }
        let entry = self.entry(id)?;
        let TensorData::Stored { shard, key, hash } = &entry.data else {
            return Err(TraceError::tensor(&entry.name, "is a view of a view"));
        };
        let located = self.manifest.shards.get(*shard).zip(self.indices.get(*shard).and_then(|index| index.get(key)));
        let (shard, range) = located.ok_or_else(|| TraceError::tensor(&entry.name, "is in no shard of the trace"))?;
        let chunk = self.source.read(&shard.path, range.clone()).await?;
        if hash.strip_prefix("sha256:") != Some(hex(&Sha256::digest(&chunk.bytes)).as_str()) {
            return Err(TraceError::Hash {
                tensor: entry.name.clone(),
                shard: shard.path.clone(),
                range: range.clone(),
            });
        }
        let tensor = HostTensor::new(entry.dtype, &entry.shape, chunk.bytes)
            .map_err(|error| TraceError::value(&entry.name, &error))?;
        self.cache.borrow_mut().insert(id, tensor.clone());
        Ok(tensor)
    }
}

/// First in, first out: a replay walks through the graph once, and weights come again only with the next step.
#[derive(Default)]
struct Cache {
    tensors: HashMap<TensorId, HostTensor>,
    order: VecDeque<TensorId>,
    bytes: usize,
}

impl Cache {
    fn get(&mut self, id: TensorId) -> Option<HostTensor> {
        self.tensors.get(&id).cloned()
    }

    fn insert(&mut self, id: TensorId, tensor: HostTensor) {
        let size = tensor.bytes().len();
        if size > CACHE_BYTES / 4 {
            return;
        }
        if self.tensors.insert(id, tensor).is_none() {
            self.order.push_back(id);
            self.bytes += size;
        }
        while self.bytes > CACHE_BYTES {
            let Some(oldest) = self.order.pop_front() else { break };
            if let Some(dropped) = self.tensors.remove(&oldest) {
                self.bytes -= dropped.bytes().len();
            }
        }
    }
}

/// Lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
