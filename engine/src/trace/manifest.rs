//! `trace.json`: the types that it is read into and written from (version 1).

use crate::graph::Arg;
use crate::tensor::{DType, Layout};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Value of [`Manifest::format`].
pub const FORMAT: &str = "taproot-trace";
/// The newest version that this crate reads and the one it writes.
pub const VERSION: u32 = 1;
/// Name of the manifest inside a trace.
pub const MANIFEST_FILE: &str = "trace.json";

/// Position of a tensor in [`Manifest::tensors`].
pub type TensorId = u32;
/// Position of an operator in [`Manifest::operators`].
pub type OperatorIndex = usize;

/// The whole of `trace.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Always [`FORMAT`].
    pub format: String,
    /// Version of the format.
    pub version: u32,
    /// The model that ran.
    pub model: Model,
    /// What ran it, and on what.
    pub producer: Producer,
    /// The text that was run, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Prompt>,
    /// Forward calls, in order.
    pub steps: Vec<Step>,
    /// Repeated blocks and what surrounds them, in order of execution.
    pub layers: Vec<Layer>,
    /// Files that hold the tensors.
    pub shards: Vec<Shard>,
    /// Every tensor of the graph; operators refer to them by position.
    pub tensors: Vec<TensorEntry>,
    /// Every operator, in order of execution.
    pub operators: Vec<Operator>,
    /// What the model returned, by name (`logits`, `sentence_embedding` …).
    #[serde(default)]
    pub outputs: Vec<NamedOutput>,
}

/// The model that ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// A name for people, honest about what was cut or converted.
    pub name: String,
    /// Architecture as its configuration names it (`BertModel`, `llama` …).
    pub architecture: String,
    /// The configuration, as found.
    #[serde(default)]
    pub config: serde_json::Value,
}

/// What ran the model, and on what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Producer {
    /// Program that wrote the trace.
    pub tool: String,
    /// Its version.
    pub tool_version: String,
    /// What computed the recorded values (`taproot cpu f32`, `PyTorch 2.11` …).
    pub framework: String,
    /// Device that computed them.
    pub device: String,
    /// Its driver, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// dtype of the activations.
    pub dtype: DType,
    /// When, in RFC 3339.
    pub date: String,
}

/// The text that was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// As given.
    pub text: String,
    /// As tokenised, special tokens included.
    pub token_ids: Vec<i64>,
    /// Each token as text, where the carver knew it.
    #[serde(default)]
    pub tokens: Vec<String>,
    /// What greedy decoding continued with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<String>,
}

/// One forward call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// `prefill`, `decode 1` …
    pub name: String,
    /// Tokens fed in this call.
    #[serde(default)]
    pub token_ids: Vec<i64>,
}

/// A repeated block, or what stands before or after them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// Module path (`model.layers.7`, `embeddings`, `lm_head` …).
    pub name: String,
}

/// A safetensors file of the trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    /// Relative path with `/`, inside the trace; no `..`, no leading `/`.
    pub path: String,
    /// Size of the file in bytes.
    pub bytes: u64,
}

/// What a tensor is to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A parameter or buffer of the model.
    Weight,
    /// Given from outside: token ids, masks, positions.
    Input,
    /// A value that the graph holds.
    Constant,
    /// The result of an operator.
    Activation,
}

/// A tensor of the graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TensorEntry {
    /// A name for people, unique in the trace.
    pub name: String,
    /// What it is to the model.
    pub role: Role,
    /// Element type.
    pub dtype: DType,
    /// Size of each dimension.
    pub shape: Vec<usize>,
    /// Where its elements are.
    pub data: TensorData,
    /// Rows of the original table, in order, where a table was carved down to the rows used (dimension 0).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<u64>>,
}

/// Where a tensor's elements are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TensorData {
    /// Contiguous in a shard. Quantised tensors are stored there as `U8` of one dimension: their blocks.
    Stored {
        /// Position in [`Manifest::shards`].
        shard: usize,
        /// Key in that safetensors file.
        key: String,
        /// `sha256:` and 64 hexadecimal digits, over the stored bytes.
        hash: String,
    },
    /// A strided look at another tensor, which must be stored; nothing was recorded.
    View {
        /// The stored tensor.
        of: TensorId,
        /// Elements between neighbours along each dimension.
        strides: Vec<usize>,
        /// Element at which the view begins.
        offset: usize,
    },
}

impl TensorEntry {
    /// The layout of a view in its base; contiguous for stored tensors.
    pub fn layout(&self) -> Layout {
        match &self.data {
            TensorData::Stored { .. } => Layout::contiguous(&self.shape),
            TensorData::View { strides, offset, .. } => {
                Layout { shape: self.shape.clone(), strides: strides.clone(), offset: *offset }
            }
        }
    }
}

/// One operator of the graph with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operator {
    /// Unique in the trace, made for people: `s0.model.layers.3.self_attn.q_proj.linear`.
    pub id: String,
    /// ATen name without overload: `linear`, `softmax`, `scaled_dot_product_attention` …
    pub op: String,
    /// Arguments by PyTorch's names; those left out have PyTorch's defaults.
    pub args: BTreeMap<String, Arg>,
    /// Results.
    pub outputs: Vec<TensorId>,
    /// Path of the module that it belongs to.
    #[serde(default)]
    pub module: String,
    /// Position in [`Manifest::layers`].
    pub layer: usize,
    /// Position in [`Manifest::steps`].
    pub step: usize,
    /// Source line, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// For each output, the source's own error against f64 on the same inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noise: Vec<Noise>,
    /// Where two runs of the source differed: the largest absolute difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nondeterministic: Option<f64>,
}

/// The source's own error against the oracle: what rounding costs anyone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// Root of the mean square of s − o.
    pub rms: f64,
    /// Largest |s − o|.
    pub max: f64,
}

/// A result of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedOutput {
    /// `logits`, `last_hidden_state`, `sentence_embedding` …
    pub name: String,
    /// Which tensor.
    pub tensor: TensorId,
    /// Position in [`Manifest::steps`].
    pub step: usize,
}
