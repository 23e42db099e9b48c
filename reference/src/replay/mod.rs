//! Replaying a trace on native WebGPU (Vulkan, Metal or DX12), and the reports of it.

mod json;
mod junit;
mod layers;
mod table;

pub use json::to_json;
pub use junit::to_junit;
pub use layers::{LayersError, parse_layers};
pub use table::to_table;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};
use taproot_engine::compare::Verdict;
use taproot_engine::replay::{CaseResult, Filter, FilterError, Replayer};
use taproot_engine::trace::{Manifest, Trace};
use taproot_engine::webgpu::{Gpu, GpuInfo};

/// Why a trace cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The filter's glob is broken.
    #[error("--op {0}")]
    Filter(#[from] FilterError),
    /// The filter leaves nothing to do.
    #[error("no case matches; the trace has {operators} operators in {layers} layers and {steps} steps")]
    NoCase {
        /// Operators, views included.
        operators: usize,
        /// Layers.
        layers: usize,
        /// Steps.
        steps: usize,
    },
    /// A report cannot be made.
    #[error("the {kind} report cannot be made: {reason}")]
    Report {
        /// JSON or JUnit.
        kind: &'static str,
        /// What was answered.
        reason: String,
    },
}

/// What a replay gave.
#[derive(Clone, Debug)]
pub struct ReplayReport {
    /// The trace's manifest.
    pub manifest: Rc<Manifest>,
    /// Its content hash.
    pub hash: String,
    /// Where it was read from.
    pub source: String,
    /// What the cases ran on.
    pub gpu: GpuInfo,
    /// Kernels that were replaced.
    pub overrides: Vec<String>,
    /// Cases in the order of the trace.
    pub cases: Vec<CaseResult>,
    /// How long all of it took.
    pub time: Duration,
}

impl ReplayReport {
    /// Cases by verdict.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        self.cases.iter().for_each(|case| totals.add(case.verdict));
        totals
    }

    /// Name of a case's layer.
    pub fn layer(&self, case: &CaseResult) -> &str {
        self.manifest.layers.get(case.layer).map_or("", |layer| &layer.name)
    }

    /// Name of a case's step.
    pub fn step(&self, case: &CaseResult) -> &str {
        self.manifest.steps.get(case.step).map_or("", |step| &step.name)
    }

    /// Cases by operator, in alphabetical order.
    fn by_operator(&self) -> BTreeMap<&str, Vec<&CaseResult>> {
        let mut operators: BTreeMap<&str, Vec<&CaseResult>> = BTreeMap::new();
        for case in &self.cases {
            operators.entry(&case.op).or_default().push(case);
        }
        operators
    }
}

/// Cases by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Totals {
    /// All of them.
    pub cases: usize,
    /// As good as the source.
    pub pass: usize,
    /// Worse, but within an order of magnitude.
    pub warn: usize,
    /// Wrong.
    pub fail: usize,
    /// Not in the vocabulary: nothing was computed.
    pub gap: usize,
}

impl Totals {
    fn add(&mut self, verdict: Verdict) {
        self.cases += 1;
        match verdict {
            Verdict::Pass => self.pass += 1,
            Verdict::Warn => self.warn += 1,
            Verdict::Fail => self.fail += 1,
            Verdict::Gap => self.gap += 1,
        }
    }

    /// 0 where every case passed or only warned, 1 where any failed, 2 where none failed but some could not run.
    pub fn exit_code(&self) -> u8 {
        match self {
            Totals { fail: 1.., .. } => 1,
            Totals { gap: 1.., .. } | Totals { cases: 0, .. } => 2,
            _ => 0,
        }
    }
}

impl std::fmt::Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Totals { cases, pass, warn, fail, gap } = *self;
        let cases = crate::text::count(cases, "case");
        let plural =
            |number: usize, one: &str, more: &str| format!("{number} {}", if number == 1 { one } else { more });
        write!(
            f,
            "{cases}: {}, {}, {}, {}",
            plural(pass, "pass", "passes"),
            plural(warn, "warning", "warnings"),
            plural(fail, "fail", "fails"),
            plural(gap, "gap", "gaps")
        )
    }
}

/// How far a replay is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Cases done.
    pub done: usize,
    /// Cases in all.
    pub of: usize,
    /// Cases so far, by verdict.
    pub totals: Totals,
    /// The case that comes next.
    pub next: &'a str,
}

/// Replays every case that passes the filter, isolated, one after the other.
///
/// # Errors
/// When the filter is broken or no case passes it. What goes wrong with a case is in its result.
pub async fn replay(
    trace: Rc<Trace>,
    gpu: Rc<Gpu>,
    overrides: Vec<String>,
    filter: &Filter,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<ReplayReport, ReplayError> {
    let start = Instant::now();
    let manifest = Rc::clone(trace.manifest());
    let replayer = Replayer::new(Rc::clone(&trace), Some(Rc::clone(&gpu)));
    let chosen = replayer.cases(filter)?;
    if chosen.is_empty() {
        let (operators, layers, steps) = (manifest.operators.len(), manifest.layers.len(), manifest.steps.len());
        return Err(ReplayError::NoCase { operators, layers, steps });
    }
    let mut cases = Vec::with_capacity(chosen.len());
    let mut totals = Totals::default();
    for (done, &at) in chosen.iter().enumerate() {
        let next = manifest.operators.get(at).map_or("", |operator| &operator.id);
        progress(Progress { done, of: chosen.len(), totals, next });
        if let Some(case) = replayer.case(at).await {
            totals.add(case.verdict);
            cases.push(case);
        }
    }
    let (hash, source) = (trace.hash().to_owned(), trace.source_name());
    Ok(ReplayReport { manifest, hash, source, gpu: gpu.info().clone(), overrides, cases, time: start.elapsed() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_follow_the_worst_case() {
        let totals = |verdicts: &[Verdict]| {
            let mut totals = Totals::default();
            verdicts.iter().for_each(|&verdict| totals.add(verdict));
            totals
        };
        let code = |verdicts: &[Verdict]| totals(verdicts).exit_code();
        assert_eq!(code(&[Verdict::Pass, Verdict::Warn]), 0);
        assert_eq!(code(&[Verdict::Pass, Verdict::Fail, Verdict::Gap]), 1);
        assert_eq!(code(&[Verdict::Pass, Verdict::Gap]), 2);
        assert_eq!(code(&[]), 2);
        let line = totals(&[Verdict::Pass, Verdict::Pass, Verdict::Warn, Verdict::Gap]).to_string();
        assert_eq!(line, "4 cases: 2 passes, 1 warning, 0 fails, 1 gap");
    }
}
