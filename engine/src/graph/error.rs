//! What can be wrong with an operator call.

/// An operator call that does not fit its operator, or that an implementation cannot do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpError {
    /// The vocabulary has no operator of this name: a gap.
    #[error("operator '{0}' is not in the vocabulary")]
    Unknown(String),
    /// An argument breaks a rule.
    #[error("{op}: argument '{argument}' {rule}")]
    Argument {
        /// Operator.
        op: String,
        /// Argument's PyTorch name.
        argument: String,
        /// The rule, as a predicate: "must be …".
        rule: String,
    },
    /// The operator exists, but this implementation does not do this case.
    #[error("{op}: {what} is not supported by {by}")]
    Unsupported {
        /// Operator.
        op: String,
        /// What is asked for.
        what: String,
        /// Which implementation says so: `WebGPU`, `the oracle`, `the CPU source`.
        by: &'static str,
    },
}
