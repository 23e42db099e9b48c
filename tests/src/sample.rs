//! The bundled sample trace, and copies of it with something wrong.

use std::{
    collections::BTreeSet,
    fs,
    io::Write as _,
    ops::Range,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::browser::workspace_root;

const MANIFEST: &str = "trace.json";

/// The bundled sample trace as it lies in `www/samples`.
#[derive(Debug)]
pub struct Sample {
    folder: PathBuf,
    manifest: Value,
}

/// Where a tensor's elements are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The shard's file name.
    pub shard: String,
    /// Its bytes in that file.
    pub bytes: Range<usize>,
}

impl Sample {
    /// Name of the sample that the app opens by itself.
    pub const ID: &'static str = "minilm-2-layers-f16";

    /// Reads its manifest.
    ///
    /// # Errors
    /// If it is not there.
    pub fn open() -> Result<Self> {
        Self::in_folder(&workspace_root().join("www").join("samples").join(Self::ID))
    }

    fn in_folder(folder: &Path) -> Result<Self> {
        let path = folder.join(MANIFEST);
        let json = fs::read(&path).with_context(|| format!("no trace at {}", path.display()))?;
        Ok(Self { folder: folder.to_path_buf(), manifest: serde_json::from_slice(&json)? })
    }

    /// Where it lies.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Ids of the operators that make a case, in order: all but the views, which compute nothing.
    #[must_use]
    pub fn cases(&self) -> Vec<String> {
        let operators = self.manifest["operators"].as_array().into_iter().flatten();
        let is_view = |operator: &Value| {
            let outputs = operator["outputs"].as_array().into_iter().flatten();
            outputs.filter_map(Value::as_u64).any(|at| !self.manifest["tensors"][at as usize]["data"]["view"].is_null())
        };
        operators
            .filter(|operator| !is_view(operator))
            .filter_map(|operator| operator["id"].as_str())
            .map(String::from)
            .collect()
    }

    /// Names of the layers, in order.
    #[must_use]
    pub fn layers(&self) -> Vec<String> {
        let layers = self.manifest["layers"].as_array().into_iter().flatten();
        layers.filter_map(|layer| layer["name"].as_str()).map(String::from).collect()
    }

    /// The file names and sizes of the shards, in order.
    #[must_use]
    pub fn shards(&self) -> Vec<(String, u64)> {
        let shards = self.manifest["shards"].as_array().into_iter().flatten();
        shards.filter_map(|shard| Some((shard["path"].as_str()?.to_owned(), shard["bytes"].as_u64()?))).collect()
    }

    /// The operator with this id, as it stands in the manifest.
    ///
    /// # Errors
    /// If there is none.
    pub fn operator(&self, id: &str) -> Result<&Value> {
        let mut operators = self.manifest["operators"].as_array().into_iter().flatten();
        operators.find(|operator| operator["id"] == id).with_context(|| format!("the sample has no operator {id}"))
    }

    /// The stored tensors that an operator's arguments and results are or are views of, by their positions in the manifest.
    ///
    /// # Errors
    /// If there is no such operator.
    pub fn tensors_of(&self, id: &str) -> Result<BTreeSet<usize>> {
        let operator = self.operator(id)?;
        let arguments = operator["args"].as_object().into_iter().flatten().map(|(_, argument)| &argument["tensor"]);
        let results = operator["outputs"].as_array().into_iter().flatten();
        let tensors = arguments.chain(results).filter_map(Value::as_u64).map(|tensor| tensor as usize);
        let base = |tensor: usize| {
            let of = self.manifest["tensors"][tensor]["data"]["view"]["of"].as_u64();
            of.map_or(tensor, |of| of as usize)
        };
        Ok(tensors.map(base).collect())
    }

    /// Where a stored tensor is, by its position in the manifest.
    ///
    /// # Errors
    /// If it is a view, or the shard does not hold it.
    pub fn stored(&self, tensor: usize) -> Result<Stored> {
        let data = &self.manifest["tensors"][tensor]["data"]["stored"];
        let (shard, key) = data["shard"].as_u64().zip(data["key"].as_str()).context("the tensor is not stored")?;
        let (shard, _) = self.shards().into_iter().nth(shard as usize).context("no such shard")?;
        let (header, start) = header(&fs::read(self.folder.join(&shard))?)?;
        let offsets = &header[key]["data_offsets"];
        let (from, to) = offsets[0].as_u64().zip(offsets[1].as_u64()).with_context(|| format!("no key {key}"))?;
        Ok(Stored { shard, bytes: start + from as usize..start + to as usize })
    }

    /// The recorded elements of an operator's first result, which is f32.
    ///
    /// # Errors
    /// If it is not.
    pub fn recorded(&self, id: &str) -> Result<Vec<f32>> {
        let tensor = self.operator(id)?["outputs"][0].as_u64().context("the operator has no result")? as usize;
        ensure!(self.manifest["tensors"][tensor]["dtype"] == "f32", "the result of {id} is not f32");
        let Stored { shard, bytes } = self.stored(tensor)?;
        let file = fs::read(self.folder.join(shard))?;
        let bytes = file.get(bytes).context("the shard is too short")?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// A copy to spoil.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn copy(&self) -> Result<SampleCopy> {
        let files = TempDir::new()?;
        let folder = files.path().join("trace");
        fs::create_dir(&folder)?;
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            fs::copy(entry.path(), folder.join(entry.file_name()))?;
        }
        Ok(SampleCopy { sample: Self::in_folder(&folder)?, files })
    }
}

/// The JSON header of a safetensors file, and where the data begins.
fn header(file: &[u8]) -> Result<(Value, usize)> {
    let (length, rest) = file.split_first_chunk::<8>().context("too short for a safetensors file")?;
    let length = u64::from_le_bytes(*length) as usize;
    let json = rest.get(..length).context("the header is cut")?;
    Ok((serde_json::from_slice(json)?, 8 + length))
}

/// A copy of the sample in a folder of its own, which goes when this is dropped.
#[derive(Debug)]
pub struct SampleCopy {
    sample: Sample,
    files: TempDir,
}

impl SampleCopy {
    /// Where it lies.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.sample.folder()
    }

    /// Changes the manifest.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn edit_manifest(mut self, edit: impl FnOnce(&mut Value)) -> Result<Self> {
        edit(&mut self.sample.manifest);
        fs::write(self.folder().join(MANIFEST), serde_json::to_vec(&self.sample.manifest)?)?;
        Ok(self)
    }

    /// Puts something else in a file's place.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn replace(self, file: &str, content: &[u8]) -> Result<Self> {
        fs::write(self.folder().join(file), content)?;
        Ok(self)
    }

    /// Cuts a file to its first `bytes` bytes.
    ///
    /// # Errors
    /// If it cannot be written, or is shorter.
    pub fn cut(self, file: &str, bytes: u64) -> Result<Self> {
        let opened = fs::OpenOptions::new().write(true).open(self.folder().join(file))?;
        ensure!(opened.metadata()?.len() > bytes, "{file} is shorter than {bytes} bytes");
        opened.set_len(bytes)?;
        Ok(self)
    }

    /// Flips a bit in the first result of an operator, as a bad disk does.
    ///
    /// # Errors
    /// If there is no such operator.
    pub fn flip_bit_in_result(self, id: &str) -> Result<Self> {
        let tensor = self.sample.operator(id)?["outputs"][0].as_u64().context("the operator has no result")?;
        let Stored { shard, bytes } = self.sample.stored(tensor as usize)?;
        let path = self.folder().join(shard);
        let mut file = fs::read(&path)?;
        *file.get_mut(bytes.start).context("the shard is too short")? ^= 1;
        fs::write(path, file)?;
        Ok(self)
    }

    /// Changes the header of a shard, and with it the size that the manifest gives.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn edit_header(self, shard: &str, edit: impl FnOnce(&mut Value)) -> Result<Self> {
        let path = self.folder().join(shard);
        let old = fs::read(&path)?;
        let (mut json, start) = header(&old)?;
        edit(&mut json);
        let json = serde_json::to_vec(&json)?;
        let mut new = (json.len() as u64).to_le_bytes().to_vec();
        new.extend_from_slice(&json);
        new.extend_from_slice(old.get(start..).unwrap_or_default());
        fs::write(&path, &new)?;
        let shard = shard.to_owned();
        self.edit_manifest(|manifest| {
            for entry in manifest["shards"].as_array_mut().into_iter().flatten().filter(|entry| entry["path"] == shard)
            {
                entry["bytes"] = new.len().into();
            }
        })
    }

    /// Packs the folder, with that folder's name in front of each file's, as archivers do.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn zip(&self) -> Result<PathBuf> {
        let path = self.files.path().join("trace.zip");
        let mut writer = ZipWriter::new(fs::File::create(&path)?);
        for entry in fs::read_dir(self.folder())? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let content = fs::read(&path)?;
            // Compressing megabytes of weights without optimisation takes longer than all the rest.
            let method = if content.len() > 1 << 20 { CompressionMethod::Stored } else { CompressionMethod::Deflated };
            writer.start_file(format!("trace/{name}"), SimpleFileOptions::default().compression_method(method))?;
            writer.write_all(&content)?;
        }
        writer.finish()?;
        Ok(path)
    }
}
