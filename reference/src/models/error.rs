//! What can be wrong with a checkpoint.

use super::file::FileError;
use std::ops::Range;
use std::path::PathBuf;
use taproot_engine::tensor::TensorError;

/// Why a checkpoint cannot be read. Each reads as one sentence.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Bytes cannot be had.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is nothing that can be carved.
    #[error("{path} is no model: {reason}")]
    NotAModel {
        /// Path given.
        path: PathBuf,
        /// What was looked for.
        reason: String,
    },
    /// A file in JSON is broken.
    #[error("{path} is not valid: {reason}")]
    Json {
        /// File.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The file breaks a rule of its format.
    #[error("{path}, bytes {}..{}: {rule}", .range.start, .range.end)]
    Format {
        /// File.
        path: PathBuf,
        /// Where.
        range: Range<u64>,
        /// The rule.
        rule: String,
    },
    /// A metadata key is missing or holds something else.
    #[error("{path}: the metadata key '{key}' {rule}")]
    Metadata {
        /// File.
        path: PathBuf,
        /// Key.
        key: String,
        /// What is wrong, as a predicate.
        rule: String,
    },
    /// A tensor breaks a rule.
    #[error("{path}: tensor '{tensor}' {rule}")]
    Tensor {
        /// File.
        path: PathBuf,
        /// Tensor.
        tensor: String,
        /// What is wrong, as a predicate.
        rule: String,
    },
    /// A tensor's bytes do not make a tensor.
    #[error("tensor '{tensor}': {error}")]
    Value {
        /// Tensor.
        tensor: String,
        /// What is wrong.
        error: TensorError,
    },
    /// A configuration that is not supported.
    #[error(transparent)]
    Config(#[from] crate::builders::ConfigError),
    /// The tokenizer cannot be built.
    #[error(transparent)]
    Tokenizer(#[from] crate::tokenizer::TokenizerError),
}
