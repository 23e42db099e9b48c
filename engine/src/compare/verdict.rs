//! The verdict: is the target as good as the source?

use super::metrics::{self, Metrics};
use super::{exact, webnn};
use crate::oracle::{Array, Data};
use crate::tensor::HostTensor;
use crate::trace::Noise;
use serde::{Deserialize, Serialize};

/// Highest ratio that passes.
pub const PASS_RATIO: f64 = 2.0;
/// Highest ratio that is only a warning.
pub const WARN_RATIO: f64 = 10.0;

/// What is said of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The target is as good as the source.
    Pass,
    /// It is worse than the source, but within an order of magnitude; or the recording itself is in doubt.
    Warn,
    /// It is wrong.
    Fail,
    /// The target has no such operator. [`compare`] never gives this; whoever runs the case does.
    Gap,
}

impl Verdict {
    /// The word that is shown.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Warn => "warn",
            Verdict::Fail => "fail",
            Verdict::Gap => "gap",
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// One result of an operator, three times, and what is known about its rounding.
#[derive(Clone, Copy, Debug)]
pub struct Comparands<'a> {
    /// What the target computed.
    pub target: &'a HostTensor,
    /// What the source recorded.
    pub source: &'a HostTensor,
    /// What the oracle computed from the same inputs as the target, in f64.
    pub oracle: &'a Array,
    /// Absolute error that WGSL allows each element beyond rounding; empty means none.
    pub allowance: &'a [f64],
    /// The source's own error as the carver measured it.
    pub noise: Option<&'a Noise>,
    /// ATen name of the operator, for messages.
    pub op: &'a str,
    /// The WebNN conformance tests' budget, where there is one (see [`webnn::budget`]).
    pub webnn: Option<&'a webnn::Budget>,
}

/// Outcome of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Verdict.
    pub verdict: Verdict,
    /// Everything measured.
    pub metrics: Metrics,
    /// One sentence: why it is no pass, or what is odd about a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Compares a result with the source's and the oracle's.
///
/// With t the target, s the source and o the oracle, `ratio = RMS(t − o) / max(RMS(s − o), floor)`: at most 2 is a pass, at
/// most 10 a warning, more a fail. The floor is described at [`floor`](super::floor). Further:
///
/// - An element where exactly one of t and s is NaN or infinite, or both are but in different kinds or signs, is a fail. This is
///   read off the raw bits. Elements where both agree are left out of the sums.
/// - Integers and bool are compared exactly: t ≠ o is a fail. Where t = o and only the source differs (an argmax over equal
///   maxima, say), or where t = s and only the oracle differs, it is a warning.
/// - Where the carver recorded its noise, and the recorded result is now more than twice as far from the oracle as the carver
///   measured, the recording or the oracle is wrong: the carver's number is used in the ratio, and it is at least a warning.
///   Without this a corrupted recording would excuse every target.
/// - An empty result passes.
pub fn compare(inputs: &Comparands<'_>) -> Comparison {
    if let Some(reason) = mismatch(inputs) {
        let metrics = Metrics { count: inputs.source.numel(), ..Metrics::default() };
        return Comparison { verdict: Verdict::Fail, metrics, reason: Some(reason) };
    }
    if inputs.source.numel() == 0 {
        let reason = Some("the result has no elements".to_owned());
        return Comparison { verdict: Verdict::Pass, metrics: metrics::empty(inputs), reason };
    }
    match &inputs.oracle.data {
        Data::Int(oracle) if !inputs.source.dtype().is_float() => exact::compare(inputs, oracle),
        _ => compare_floats(inputs),
    }
}

fn mismatch(inputs: &Comparands<'_>) -> Option<String> {
    let Comparands { target, source, oracle, op, .. } = inputs;
    if target.dtype() != source.dtype() {
        return Some(format!("{op}: the target gave {}, the source {}", target.dtype(), source.dtype()));
    }
    if target.shape() != source.shape() {
        return Some(format!("{op}: the target has shape {:?}, the source {:?}", target.shape(), source.shape()));
    }
    if oracle.shape != source.shape() {
        return Some(format!("{op}: the oracle has shape {:?}, the source {:?}", oracle.shape, source.shape()));
    }
    let allowed = inputs.allowance.len();
    (allowed != 0 && allowed != source.numel())
        .then(|| format!("{op}: {allowed} allowances are given for {} elements", source.numel()))
}

fn compare_floats(inputs: &Comparands<'_>) -> Comparison {
    let measured = metrics::measure(inputs);
    let (verdict, reason) = judge(inputs, &measured);
    Comparison { verdict, metrics: measured.metrics, reason }
}

fn judge(inputs: &Comparands<'_>, measured: &metrics::Measured) -> (Verdict, Option<String>) {
    let (op, metrics) = (inputs.op, &measured.metrics);
    if let Some(first) = measured.first_nonfinite_mismatch {
        let reason = format!(
            "{op}: {} of {} elements are NaN or infinite in only one of target and source, or in different ways; the first is element {first}",
            metrics.nonfinite_mismatches, metrics.count
        );
        return (Verdict::Fail, Some(reason));
    }
    let Some(ratio) = metrics.ratio else {
        let reason = format!(
            "{op}: the result is exact in the source, but the target is off by {:.3e} (RMS)",
            metrics.rms_target
        );
        return (Verdict::Fail, Some(reason));
    };
    let worse =
        || format!("{op}: the target's error is {ratio:.1} times what rounding costs the source (at most 2 passes)");
    if ratio > WARN_RATIO {
        return (Verdict::Fail, Some(worse()));
    }
    if ratio > PASS_RATIO {
        return (Verdict::Warn, Some(worse()));
    }
    if let Some(noise) = measured.contradicted_noise {
        let reason = format!(
            "{op}: the recorded result is {:.3e} (RMS) from the oracle, but the carver measured {noise:.3e}; the recording or the oracle is wrong",
            metrics.rms_source
        );
        return (Verdict::Warn, Some(reason));
    }
    if measured.oracle_nonfinite > 0 {
        let reason = format!(
            "{op}: {} of {} elements are not finite in the oracle although they are in the source; they were judged against the source",
            measured.oracle_nonfinite, metrics.count
        );
        return (Verdict::Warn, Some(reason));
    }
    (Verdict::Pass, None)
}
