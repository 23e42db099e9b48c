//! An open trace, laid out, with the results that have come.

use crate::protocol::{CaseSummary, RequestId, TraceSummary};
use leptos::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use taproot_engine::compare::Verdict;
use taproot_engine::replay::CaseResult;
use taproot_view::matrix::{Entry, Matrix};

/// Position of a case among the trace's cases.
pub type CaseIndex = usize;

/// An open trace.
pub struct OpenTrace {
    /// Number of the request that opened it: tells it from the same trace opened before.
    pub opened_by: RequestId,
    /// What it is.
    pub summary: TraceSummary,
    /// Which case stands in which cell; its operators are [`CaseIndex`]es.
    pub matrix: Matrix,
    /// One signal per case, so that a result paints its cell and nothing else.
    results: Vec<ArcRwSignal<Option<Arc<CaseResult>>>>,
    by_operator: HashMap<usize, CaseIndex>,
    by_id: HashMap<String, CaseIndex>,
}

impl OpenTrace {
    /// Lays out a trace.
    pub fn new(opened_by: RequestId, summary: TraceSummary) -> Self {
        let entries: Vec<Entry<'_>> = summary.cases.iter().enumerate().map(|(at, case)| entry(at, case)).collect();
        let matrix = Matrix::new(&summary.layers, &entries);
        let results = summary.cases.iter().map(|_| ArcRwSignal::new(None)).collect();
        let by_operator = summary.cases.iter().enumerate().map(|(at, case)| (case.operator, at)).collect();
        let by_id = summary.cases.iter().enumerate().map(|(at, case)| (case.id.clone(), at)).collect();
        OpenTrace { opened_by, summary, matrix, results, by_operator, by_id }
    }

    /// A case.
    pub fn case(&self, at: CaseIndex) -> Option<&CaseSummary> {
        self.summary.cases.get(at)
    }

    /// The result of a case, as soon as there is one.
    pub fn result(&self, at: CaseIndex) -> Option<ArcRwSignal<Option<Arc<CaseResult>>>> {
        self.results.get(at).cloned()
    }

    /// What is known of a case now, without following it.
    pub fn known(&self, at: CaseIndex) -> Option<Arc<CaseResult>> {
        self.results.get(at)?.get_untracked()
    }

    /// The case of an operator.
    pub fn of_operator(&self, operator: usize) -> Option<CaseIndex> {
        self.by_operator.get(&operator).copied()
    }

    /// The case with an id.
    pub fn of_id(&self, id: &str) -> Option<CaseIndex> {
        self.by_id.get(id).copied()
    }

    /// The case that is selected when nothing is: the first in the layers that repeat most.
    pub fn first_choice(&self, step: usize) -> Option<CaseIndex> {
        let group = self.matrix.groups.iter().max_by_key(|group| group.layers.len())?;
        let layer = *group.layers.first()?;
        let repeated = group.columns.clone().find_map(|column| self.matrix.operator(step, layer, column));
        repeated.or_else(|| self.summary.cases.iter().position(|case| case.step == step))
    }

    /// Keeps a result; gives the verdict that it replaces.
    pub fn keep(&self, result: CaseResult) -> Option<(Option<Verdict>, Verdict)> {
        let signal = self.results.get(self.of_operator(result.operator)?)?;
        let verdict = result.verdict;
        let before = signal.with_untracked(|known| known.as_ref().map(|known| known.verdict));
        signal.set(Some(Arc::new(result)));
        Some((before, verdict))
    }

    /// Operators whose case has no result yet: the selected one, then those of `step`, then the others.
    pub fn pending(&self, step: usize, selected: Option<CaseIndex>) -> Vec<usize> {
        let open = |wanted: bool| {
            let cases = self.summary.cases.iter().zip(&self.results);
            cases.filter(move |(case, result)| (case.step == step) == wanted && result.with_untracked(Option::is_none))
        };
        let selected = selected.and_then(|at| self.case(at)).map(|case| case.operator);
        let mut operators: Vec<usize> = open(true).chain(open(false)).map(|(case, _)| case.operator).collect();
        operators.sort_by_key(|operator| Some(*operator) != selected);
        operators
    }

    /// Forgets all results.
    pub fn forget_results(&self) {
        for signal in &self.results {
            signal.set(None);
        }
    }

    /// The next case with a verdict after `from`, around the end.
    pub fn next_with(&self, verdict: Verdict, from: Option<CaseIndex>) -> Option<CaseIndex> {
        let count = self.results.len();
        let start = from.map_or(0, |from| from + 1);
        (0..count)
            .map(|step| (start + step) % count)
            .find(|&at| self.known(at).is_some_and(|known| known.verdict == verdict))
    }
}

fn entry(at: CaseIndex, case: &CaseSummary) -> Entry<'_> {
    Entry { operator: at, op: &case.op, module: &case.module, layer: case.layer, step: case.step }
}

/// How many cases have which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Cases of the trace.
    pub total: usize,
    /// Passed.
    pub pass: usize,
    /// Warnings.
    pub warn: usize,
    /// Failed.
    pub fail: usize,
    /// Without an operator on the target.
    pub gap: usize,
}

impl Counts {
    /// Cases that have a verdict.
    pub fn done(&self) -> usize {
        self.pass + self.warn + self.fail + self.gap
    }

    /// Cases with a verdict.
    pub fn of(&self, verdict: Verdict) -> usize {
        match verdict {
            Verdict::Pass => self.pass,
            Verdict::Warn => self.warn,
            Verdict::Fail => self.fail,
            Verdict::Gap => self.gap,
        }
    }

    /// Moves a case from one verdict to another.
    pub fn change(&mut self, before: Option<Verdict>, after: Verdict) {
        if let Some(before) = before {
            let count = self.of_mut(before);
            *count = count.saturating_sub(1);
        }
        *self.of_mut(after) += 1;
    }

    fn of_mut(&mut self, verdict: Verdict) -> &mut usize {
        match verdict {
            Verdict::Pass => &mut self.pass,
            Verdict::Warn => &mut self.warn,
            Verdict::Fail => &mut self.fail,
            Verdict::Gap => &mut self.gap,
        }
    }
}
