//! What can be wrong with a trace.

use super::source::SourceError;
use crate::graph::OpError;
use crate::tensor::TensorError;
use std::ops::Range;

/// Why a trace cannot be opened, or one of its tensors not be read. Each reads as one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The bytes could not be had.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// `trace.json` is not JSON of the right form.
    #[error("trace.json is not a trace: {0}")]
    Json(String),
    /// It is JSON, but of something else.
    #[error("trace.json says format '{0}', not 'taproot-trace'")]
    Format(String),
    /// Written by a newer Taproot.
    #[error(
        "the trace has format version {found}, this Taproot reads versions 1 to {known}: update Taproot or carve again"
    )]
    Version {
        /// Version of the trace.
        found: u64,
        /// Newest version known.
        known: u32,
    },
    /// More of something than is allowed.
    #[error("the trace has {found} {what}, more than the {limit} allowed")]
    Limit {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// A rule about the trace as a whole is broken.
    #[error("{0}")]
    Structure(String),
    /// A rule about a tensor is broken.
    #[error("tensor '{tensor}' {rule}")]
    Tensor {
        /// Name.
        tensor: String,
        /// The rule, as a predicate.
        rule: String,
    },
    /// A rule about an operator is broken.
    #[error("operator '{operator}': {rule}")]
    Operator {
        /// Id.
        operator: String,
        /// The rule.
        rule: String,
    },
    /// A rule about a shard is broken.
    #[error("shard '{shard}', bytes {}..{}: {rule}", .range.start, .range.end)]
    Shard {
        /// Path.
        shard: String,
        /// Bytes concerned.
        range: Range<u64>,
        /// The rule.
        rule: String,
    },
    /// The bytes are not those that were recorded.
    #[error(
        "tensor '{tensor}' (shard '{shard}', bytes {}..{}) does not match its hash: the file was damaged or changed after carving",
        .range.start, .range.end
    )]
    Hash {
        /// Name.
        tensor: String,
        /// Shard's path.
        shard: String,
        /// Bytes concerned.
        range: Range<u64>,
    },
}

impl TraceError {
    pub(crate) fn tensor(name: &str, rule: impl std::fmt::Display) -> Self {
        TraceError::Tensor { tensor: name.to_owned(), rule: rule.to_string() }
    }

    pub(crate) fn operator(id: &str, rule: impl std::fmt::Display) -> Self {
        TraceError::Operator { operator: id.to_owned(), rule: rule.to_string() }
    }

    pub(crate) fn op(id: &str, error: &OpError) -> Self {
        Self::operator(id, error)
    }

    pub(crate) fn value(name: &str, error: &TensorError) -> Self {
        Self::tensor(name, format!("cannot be read: {error}"))
    }
}
