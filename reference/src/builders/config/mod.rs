//! Configurations: the part of `config.json` or of GGUF's metadata that shapes the graph.
//!
//! A key that would change the computation in a way that no builder knows is an error, never ignored.

mod bert;
mod keys;
mod llama;
mod rope;

pub use bert::{BertConfig, Pooling, SentenceHead};
pub use keys::Keys;
pub use llama::LlamaConfig;
pub use rope::{Rope, RopeScaling};

/// A configuration that is not supported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A value that no builder knows.
    #[error("{source_name}: '{key}' is {value}; supported: {supported}")]
    Unsupported {
        /// File or metadata.
        source_name: String,
        /// Key.
        key: String,
        /// Its value.
        value: String,
        /// What would be supported.
        supported: String,
    },
    /// A key that must be there.
    #[error("{source_name}: '{key}' is missing; {needed} is needed")]
    Missing {
        /// File or metadata.
        source_name: String,
        /// Key.
        key: String,
        /// What is needed.
        needed: String,
    },
}

/// Activation functions of the feed-forward networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// x·sigmoid(x).
    Silu,
    /// Exact GELU, by erf.
    Gelu,
    /// GELU by tanh (`gelu_new`, `gelu_pytorch_tanh`).
    GeluTanh,
    /// max(x, 0).
    Relu,
}

impl Activation {
    /// Names in transformers' `ACT2FN` that are supported.
    const NAMES: [(&str, Activation); 6] = [
        ("silu", Activation::Silu),
        ("swish", Activation::Silu),
        ("gelu", Activation::Gelu),
        ("gelu_new", Activation::GeluTanh),
        ("gelu_pytorch_tanh", Activation::GeluTanh),
        ("relu", Activation::Relu),
    ];

    /// The activation that `key` names.
    ///
    /// # Errors
    /// When it is missing or unknown.
    pub fn read(keys: &Keys<'_>, key: &str) -> Result<Self, ConfigError> {
        let name = keys.text(key)?;
        let known = Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, activation)| *activation);
        known.ok_or_else(|| keys.unsupported(key, &Self::NAMES.map(|(name, _)| name).join(", ")))
    }
}
