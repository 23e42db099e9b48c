//! Which cases to replay.

use crate::operators::{self, Definition};
use crate::trace::{Manifest, Operator, OperatorIndex};
use globset::{Glob, GlobMatcher};
use std::ops::Range;

/// Which cases to replay; the default is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Layers by position.
    pub layers: Option<Range<usize>>,
    /// Glob over operator ids and operator names.
    pub op: Option<String>,
    /// One step only.
    pub step: Option<usize>,
}

/// A filter that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{glob}' is no glob: {reason}")]
pub struct FilterError {
    /// As given.
    pub glob: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Filter {
    /// Positions of the operators that make a case and pass the filter, in order. Views make none: they compute nothing.
    ///
    /// # Errors
    /// When the glob is broken.
    pub fn cases(&self, manifest: &Manifest) -> Result<Vec<OperatorIndex>, FilterError> {
        let glob = self.op.as_deref().map(matcher).transpose()?;
        let passes = |operator: &Operator| {
            is_case(operator)
                && self.layers.as_ref().is_none_or(|layers| layers.contains(&operator.layer))
                && self.step.is_none_or(|step| step == operator.step)
                && glob.as_ref().is_none_or(|glob| glob.is_match(&operator.id) || glob.is_match(&operator.op))
        };
        Ok(manifest.operators.iter().enumerate().filter(|(_, operator)| passes(operator)).map(|(at, _)| at).collect())
    }
}

/// Whether an operator computes something: everything but views. An unknown operator is a case, and a gap.
pub(super) fn is_case(operator: &Operator) -> bool {
    !matches!(operators::lookup(&operator.op), Some(Definition::View(_)))
}

fn matcher(glob: &str) -> Result<GlobMatcher, FilterError> {
    Glob::new(glob)
        .map(|glob| glob.compile_matcher())
        .map_err(|error| FilterError { glob: glob.to_owned(), reason: error.kind().to_string() })
}
