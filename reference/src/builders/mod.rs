//! Graph builders: a model's configuration becomes operators in ATen's vocabulary, as transformers' modules export them.
//!
//! Builders know dtypes and shapes, never values; what runs the graph is not their matter.

mod bert;
mod config;
mod graph;
mod llama;
mod ops;
mod rotary;
mod sentence;

pub use bert::build as build_bert;
pub use config::{Activation, BertConfig, ConfigError, Keys, LlamaConfig, Pooling, Rope, RopeScaling, SentenceHead};
pub use graph::{BuildError, Graph, GraphBuilder, GraphTensor, Origin, Parameters};
pub use llama::LlamaBuilder;

/// Name of the layer before the first block.
const EMBEDDINGS: &str = "embeddings";
/// Name of the layer after the last block.
const HEAD: &str = "head";
