//! Verdicts as signs and words: never by colour alone.

use taproot_engine::compare::Verdict;

/// The sign of a verdict, or of a case that has none yet.
pub(super) fn sign(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Pass) => "✓",
        Some(Verdict::Warn) => "△",
        Some(Verdict::Fail) => "✕",
        Some(Verdict::Gap) => "◌",
        None => "·",
    }
}

/// The word of a verdict, as it stands in attributes.
pub(super) fn word(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("pending", Verdict::name)
}
