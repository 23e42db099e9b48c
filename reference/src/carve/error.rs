//! Why a model cannot be carved.

use crate::builders::{BuildError, ConfigError};
use crate::models::ModelError;
use crate::tokenizer::TokenizerError;
use std::path::PathBuf;
use taproot_engine::graph::OpError;
use taproot_engine::tensor::TensorError;
use taproot_engine::trace::WriteError;

/// Why a model cannot be carved. Each reads as one sentence.
#[derive(Debug, thiserror::Error)]
pub enum CarveError {
    /// The checkpoint cannot be read, or is not supported.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The prompt does not fit the model.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// The graph cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The configuration does not allow this run.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The trace cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// An operator cannot be computed.
    #[error("operator '{id}': {error}")]
    Operator {
        /// Operator.
        id: String,
        /// What is wrong.
        error: OpError,
    },
    /// A value cannot be stored or viewed.
    #[error("tensor '{name}': {error}")]
    Value {
        /// Tensor.
        name: String,
        /// What is wrong.
        error: TensorError,
    },
    /// The recorder was asked for something that the graph does not hold: a mistake in a builder.
    #[error("tensor '{name}' {rule}: a mistake in the graph builder")]
    Graph {
        /// Tensor.
        name: String,
        /// What is wrong, as a predicate.
        rule: String,
    },
    /// The source gave NaN or infinity where the oracle gives a number, or the other way round.
    #[error(
        "operator '{id}': the CPU source gave {source_value} where the f64 oracle gave {oracle_value} (element {at})"
    )]
    NonFinite {
        /// Operator.
        id: String,
        /// Element.
        at: usize,
        /// What the source gave.
        source_value: f64,
        /// What the oracle gave.
        oracle_value: f64,
    },
    /// More layers are to be kept than there are, or none.
    #[error("--layers {asked} cannot be: the model has {all} layers, of which 1 to {all} can be kept")]
    Layers {
        /// Asked for.
        asked: usize,
        /// There are.
        all: usize,
    },
    /// The model does not generate text.
    #[error("--decode {asked} cannot be: a BERT encoder does not generate text")]
    NoDecode {
        /// Asked for.
        asked: usize,
    },
    /// There is something at the output's path that is no trace.
    #[error("{path} exists and is no trace, so it is not overwritten; give another name with -o, or remove it")]
    Occupied {
        /// Path.
        path: PathBuf,
    },
    /// The output cannot be written.
    #[error("{path} cannot be written: {error}")]
    Io {
        /// Path.
        path: PathBuf,
        /// What was answered.
        error: std::io::Error,
    },
    /// The archive cannot be written.
    #[error("{path} cannot be packed: {reason}")]
    Archive {
        /// Archive.
        path: PathBuf,
        /// What was answered.
        reason: String,
    },
    /// `SOURCE_DATE_EPOCH` is no time.
    #[error("the environment variable SOURCE_DATE_EPOCH is '{0}', but must be a number of seconds since 1970")]
    SourceDate(String),
}
