//! Checkpoints: a Hugging Face folder or a GGUF file, opened as configuration, weights and tokenizer.
//!
//! A checkpoint is untrusted input: sizes and offsets are checked before they are used, and tensors are read only when
//! asked for.

mod error;
mod file;
pub mod gguf;
mod huggingface;
mod safetensors;
mod weights;

pub use error::ModelError;
pub use file::{FileError, RangedFile};
pub use safetensors::SafetensorsWeights;
pub use weights::{Converted, FloatWeights, Renamed, Weights};

use crate::builders::{BertConfig, LlamaConfig};
use crate::tokenizer::PromptTokenizer;
use std::path::Path;
use std::sync::Arc;

/// A configuration that a builder knows.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelConfig {
    /// A BERT encoder.
    Bert(BertConfig),
    /// A decoder of the Llama family.
    Llama(LlamaConfig),
}

impl ModelConfig {
    /// Repeated blocks of the model.
    pub fn num_hidden_layers(&self) -> usize {
        match self {
            ModelConfig::Bert(config) => config.num_hidden_layers,
            ModelConfig::Llama(config) => config.num_hidden_layers,
        }
    }

    /// Keeps the first `count` blocks.
    pub fn keep_layers(&mut self, count: usize) {
        let layers = match self {
            ModelConfig::Bert(config) => &mut config.num_hidden_layers,
            ModelConfig::Llama(config) => &mut config.num_hidden_layers,
        };
        *layers = count.min(*layers);
    }
}

/// An opened model.
#[derive(Debug)]
pub struct Checkpoint {
    /// The folder's or file's name.
    pub name: String,
    /// Architecture as its configuration names it.
    pub architecture: String,
    /// The configuration, as found.
    pub raw_config: serde_json::Value,
    /// The part of it that shapes the graph.
    pub config: ModelConfig,
    /// Weights, under the names of PyTorch's modules.
    pub weights: Box<dyn Weights>,
    /// Tokenizer.
    pub tokenizer: PromptTokenizer,
}

impl Checkpoint {
    /// Opens a Hugging Face folder or a GGUF file.
    ///
    /// # Errors
    /// When it is neither, or something in it is broken or not supported.
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        let is_gguf = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gguf"));
        if path.is_dir() {
            huggingface::open(path)
        } else if is_gguf {
            open_gguf(path)
        } else if path.exists() {
            let reason = "a folder with config.json, or a file whose name ends in .gguf, is needed".to_owned();
            Err(ModelError::NotAModel { path: path.to_owned(), reason })
        } else {
            Err(ModelError::NotAModel { path: path.to_owned(), reason: "there is nothing at this path".to_owned() })
        }
    }
}

fn open_gguf(path: &Path) -> Result<Checkpoint, ModelError> {
    let file = Arc::new(gguf::GgufFile::open(path)?);
    let (config, rotary) = gguf::config::read(&file)?;
    let tokenizer = PromptTokenizer::from_gguf(file.metadata())?;
    Ok(Checkpoint {
        name: path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
        architecture: file.metadata().text("general.architecture")?.to_owned(),
        raw_config: file.metadata().to_json(),
        config: ModelConfig::Llama(config),
        weights: Box::new(gguf::GgufWeights::new(file, rotary)),
        tokenizer,
    })
}
