//! Writes a trace into a folder: tensors stream to disk as they come, equal ones once.

use super::opened::hex;
use super::shard::stored_dtype;
use super::{
    FORMAT, Layer, MANIFEST_FILE, Manifest, Model, NamedOutput, Operator, Producer, Prompt, Role, Shard, Step,
    TensorData, TensorEntry, TensorId, VERSION, validate,
};
use crate::tensor::{DType, HostTensor, Layout};
use safetensors::tensor::{Metadata, TensorInfo};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// A shard is closed when the next tensor would make it larger.
const MAX_SHARD: u64 = 1 << 30;

/// Why a trace cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The operating system refused.
    #[error("{path} cannot be written: {error}")]
    Io {
        /// File or folder.
        path: PathBuf,
        /// What was answered.
        error: std::io::Error,
    },
    /// What was added does not make a valid trace.
    #[error("the trace is not valid: {0}")]
    Invalid(#[from] super::TraceError),
    /// The manifest or a header cannot be put into JSON.
    #[error("the trace cannot be put into JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// safetensors refused the header.
    #[error("the shard {path} cannot be described: {reason}")]
    Header {
        /// Shard.
        path: PathBuf,
        /// What was answered.
        reason: String,
    },
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceSummary {
    /// Operators.
    pub operators: usize,
    /// Tensors, views included.
    pub tensors: usize,
    /// Bytes of all files.
    pub bytes: u64,
    /// Content hash.
    pub hash: String,
}

/// All of a manifest that is known only to the one who carves.
#[derive(Clone, Debug)]
pub struct Head {
    /// Model.
    pub model: Model,
    /// Producer.
    pub producer: Producer,
    /// Prompt.
    pub prompt: Option<Prompt>,
    /// Steps.
    pub steps: Vec<Step>,
    /// Layers.
    pub layers: Vec<Layer>,
    /// Results of the model.
    pub outputs: Vec<NamedOutput>,
}

/// Writes a trace into a folder.
#[derive(Debug)]
pub struct TraceWriter {
    folder: PathBuf,
    shards: Vec<OpenShard>,
    tensors: Vec<TensorEntry>,
    operators: Vec<Operator>,
    by_hash: HashMap<(String, DType), (usize, String)>,
}

/// Data goes to a file of its own first, because the header, which stands before it, needs every offset.
#[derive(Debug)]
struct OpenShard {
    role: Role,
    name: String,
    data: BufWriter<File>,
    data_path: PathBuf,
    bytes: u64,
    infos: Vec<(String, TensorInfo)>,
}

impl TraceWriter {
    /// Begins a trace in `folder`, which is made where it is missing.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn create(folder: &Path) -> Result<Self, WriteError> {
        std::fs::create_dir_all(folder).map_err(|error| WriteError::Io { path: folder.to_owned(), error })?;
        Ok(TraceWriter {
            folder: folder.to_owned(),
            shards: Vec::new(),
            tensors: Vec::new(),
            operators: Vec::new(),
            by_hash: HashMap::new(),
        })
    }

    /// Adds a tensor with its elements; bytes that are there already are not written again.
    ///
    /// # Errors
    /// When the shard cannot be written.
    pub fn add_stored(
        &mut self,
        name: &str,
        role: Role,
        tensor: &HostTensor,
        rows: Option<Vec<u64>>,
    ) -> Result<TensorId, WriteError> {
        let hash = format!("sha256:{}", hex(&Sha256::digest(tensor.bytes())));
        let known = self
            .by_hash
            .get(&(hash.clone(), tensor.dtype()))
            .filter(|(shard, key)| self.same_shape(*shard, key, tensor))
            .cloned();
        let (shard, key) = match known {
            Some(place) => place,
            None => self.write(name, role, tensor)?,
        };
        self.by_hash.insert((hash.clone(), tensor.dtype()), (shard, key.clone()));
        let data = TensorData::Stored { shard, key, hash };
        Ok(self.push(TensorEntry {
            name: name.to_owned(),
            role,
            dtype: tensor.dtype(),
            shape: tensor.shape().to_vec(),
            data,
            rows,
        }))
    }

    /// Adds a view of a stored tensor, or of a view of one: the base is found.
    ///
    /// # Errors
    /// When `of` is no tensor of this trace.
    pub fn add_view(&mut self, name: &str, role: Role, of: TensorId, layout: &Layout) -> Result<TensorId, WriteError> {
        let entry = self.entry(of)?;
        let base = match &entry.data {
            TensorData::Stored { .. } => of,
            TensorData::View { of, .. } => *of,
        };
        let dtype = entry.dtype;
        let data = TensorData::View { of: base, strides: layout.strides.clone(), offset: layout.offset };
        Ok(self.push(TensorEntry { name: name.to_owned(), role, dtype, shape: layout.shape.clone(), data, rows: None }))
    }

    /// Adds an operator.
    pub fn add_operator(&mut self, operator: Operator) {
        self.operators.push(operator);
    }

    /// A tensor that was added.
    ///
    /// # Errors
    /// When `id` is no tensor of this trace.
    pub fn entry(&self, id: TensorId) -> Result<&TensorEntry, WriteError> {
        self.tensors
            .get(id as usize)
            .ok_or_else(|| WriteError::Invalid(super::TraceError::Structure(format!("there is no tensor {id}"))))
    }

    /// Closes the shards, checks everything, and writes `trace.json`.
    ///
    /// # Errors
    /// When a file cannot be written or the trace breaks a rule of the format.
    pub fn finish(self, head: Head) -> Result<TraceSummary, WriteError> {
        let mut shards = Vec::new();
        for shard in self.shards {
            shards.push(shard.close(&self.folder)?);
        }
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            model: head.model,
            producer: head.producer,
            prompt: head.prompt,
            steps: head.steps,
            layers: head.layers,
            shards,
            tensors: self.tensors,
            operators: self.operators,
            outputs: head.outputs,
        };
        validate::check(&manifest)?;
        let json = serde_json::to_vec(&manifest)?;
        let path = self.folder.join(MANIFEST_FILE);
        std::fs::write(&path, &json).map_err(|error| WriteError::Io { path, error })?;
        Ok(TraceSummary {
            operators: manifest.operators.len(),
            tensors: manifest.tensors.len(),
            bytes: json.len() as u64 + manifest.shards.iter().map(|shard| shard.bytes).sum::<u64>(),
            hash: hex(&Sha256::digest(&json)),
        })
    }

    fn push(&mut self, entry: TensorEntry) -> TensorId {
        self.tensors.push(entry);
        // The format's limit of a million tensors is checked at the end; until then the count fits an u32.
        (self.tensors.len() - 1) as TensorId
    }

    fn same_shape(&self, shard: usize, key: &str, tensor: &HostTensor) -> bool {
        let info = self.shards.get(shard).and_then(|shard| shard.infos.iter().find(|(k, _)| k == key));
        info.is_some_and(|(_, info)| info.shape == stored_shape(tensor))
    }

    fn write(&mut self, name: &str, role: Role, tensor: &HostTensor) -> Result<(usize, String), WriteError> {
        let kind = if role == Role::Weight { Role::Weight } else { Role::Activation };
        let size = tensor.bytes().len() as u64;
        let open = self
            .shards
            .iter()
            .rposition(|shard| shard.role == kind)
            .filter(|&at| self.shards[at].bytes == 0 || self.shards[at].bytes + size <= MAX_SHARD);
        let at = match open {
            Some(at) => at,
            None => {
                let number = self.shards.iter().filter(|shard| shard.role == kind).count();
                self.shards.push(OpenShard::create(&self.folder, kind, number)?);
                self.shards.len() - 1
            }
        };
        self.shards[at].append(name, tensor)?;
        Ok((at, name.to_owned()))
    }
}

impl OpenShard {
    fn create(folder: &Path, role: Role, number: usize) -> Result<Self, WriteError> {
        let stem = if role == Role::Weight { "weights" } else { "activations" };
        let name = if number == 0 { format!("{stem}.safetensors") } else { format!("{stem}-{number}.safetensors") };
        let data_path = folder.join(format!("{name}.data"));
        let file = File::create(&data_path).map_err(|error| WriteError::Io { path: data_path.clone(), error })?;
        Ok(OpenShard { role, name, data: BufWriter::new(file), data_path, bytes: 0, infos: Vec::new() })
    }

    fn append(&mut self, key: &str, tensor: &HostTensor) -> Result<(), WriteError> {
        self.data.write_all(tensor.bytes()).map_err(|error| WriteError::Io { path: self.data_path.clone(), error })?;
        let start = self.bytes as usize;
        self.bytes += tensor.bytes().len() as u64;
        let info = TensorInfo {
            dtype: stored_dtype(tensor.dtype()),
            shape: stored_shape(tensor),
            data_offsets: (start, self.bytes as usize),
        };
        self.infos.push((key.to_owned(), info));
        Ok(())
    }

    fn close(mut self, folder: &Path) -> Result<Shard, WriteError> {
        let path = folder.join(&self.name);
        let io = |error| WriteError::Io { path: path.clone(), error };
        self.data.flush().map_err(io)?;
        let metadata = Metadata::new(None, self.infos)
            .map_err(|error| WriteError::Header { path: path.clone(), reason: error.to_string() })?;
        let mut header = serde_json::to_vec(&metadata)?;
        // Data begins at a multiple of 8, as safetensors' own writer does it.
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut file = BufWriter::new(File::create(&path).map_err(io)?);
        file.write_all(&(header.len() as u64).to_le_bytes()).map_err(io)?;
        file.write_all(&header).map_err(io)?;
        let mut data = BufReader::new(File::open(&self.data_path).map_err(io)?);
        std::io::copy(&mut data, &mut file).map_err(io)?;
        file.flush().map_err(io)?;
        drop(data);
        std::fs::remove_file(&self.data_path).map_err(io)?;
        Ok(Shard { path: self.name, bytes: 8 + header.len() as u64 + self.bytes })
    }
}

/// Shape under which a tensor is stored: its own, or for quantised blocks the number of bytes.
fn stored_shape(tensor: &HostTensor) -> Vec<usize> {
    if tensor.dtype().is_quantized() { vec![tensor.bytes().len()] } else { tensor.shape().to_vec() }
}
