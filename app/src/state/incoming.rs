//! What the page does with the worker's answers.

use super::address::{self, History};
use super::plan::Progress;
use super::store::{Latest, Opening, Store};
use super::trace::{Counts, OpenTrace};
use crate::protocol::{Answered, RequestId, Response, TraceSummary};
use leptos::prelude::*;
use std::sync::Arc;
use taproot_engine::compare::Verdict;
use taproot_engine::replay::CaseResult;
use taproot_view::view_state::TraceRef;

impl Store {
    /// Takes an answer. Answers to requests that were superseded are dropped.
    pub(super) fn receive(&self, answered: Answered) {
        let Answered { id, response } = answered;
        let latest = self.latest.get_value();
        match response {
            Response::Ready => {}
            Response::Gpu(status) => self.gpu.set(Some(status)),
            Response::Opened(summary) => {
                if let Some(opening) = self.take_opening(id) {
                    self.opened(opening, *summary);
                }
            }
            Response::Case(result) if id >= latest.first_replay => self.judged(*result),
            Response::ReplayEnded { cancelled } if id == latest.replay => {
                self.is_replaying.set(false);
                if !cancelled {
                    self.plan_is_due.set(true);
                }
            }
            Response::PlanLayer(error) if id == latest.plan => self.plan.keep(error),
            Response::PlanProgress { done, total } if id == latest.plan => {
                self.plan.progress.set(Progress::Running { done, total });
            }
            Response::PlanEnded(result) if id == latest.plan => self.plan.finish(*result),
            Response::Described(description) if id == latest.describe => self.description.set(Some(*description)),
            Response::Grid(grid) if id == latest.grid => {
                self.heat.is_awaited.set(false);
                self.heat.error.set(None);
                self.heat.grid.set(Some(Arc::new(grid)));
            }
            Response::Element(element) if id == latest.element => self.heat.element.set(Some(*element)),
            Response::Failed(reason) => self.failed(id, latest, reason),
            // Superseded.
            _ => {}
        }
    }

    /// The worker is gone for good.
    pub(super) fn broke(&self, reason: String) {
        self.is_broken.set(true);
        self.opening.set(None);
        self.is_replaying.set(false);
        self.notices.error(reason);
    }

    fn take_opening(&self, id: RequestId) -> Option<Opening> {
        let is_this = self.opening.with_untracked(|opening| opening.as_ref().is_some_and(|opening| opening.id == id));
        if is_this { self.opening.try_update(Option::take).flatten() } else { None }
    }

    fn opened(&self, opening: Opening, summary: TraceSummary) {
        let Opening { id, mut view, history, name, .. } = opening;
        let trace = OpenTrace::new(id, summary);
        let summary = &trace.summary;
        if !view.fits_hash(&summary.hash) {
            let expected = view.hash.as_deref().unwrap_or_default();
            let found = summary.hash.get(..expected.len()).unwrap_or(&summary.hash);
            self.notices.warn(format!(
                "the link was made for a trace with the content hash {expected}, but {name} now has {found}: what it showed may be gone"
            ));
        }
        view.set_hash(&summary.hash);
        if view.step >= summary.steps.len() {
            self.notices.warn(format!(
                "the link names step {}, but the trace has {} steps",
                view.step,
                summary.steps.len()
            ));
            view.step = 0;
        }
        if let Some(id) = view.op.take_if(|id| trace.of_id(id).is_none()) {
            self.notices.warn(format!("the link selects the operator '{id}', which this trace does not have"));
        }
        if view.trace == TraceRef::Default {
            // Samples may change with the app; a link to this one must not.
            if let Some(sample) = self.samples.with_untracked(|samples| samples.first().map(|sample| sample.id.clone()))
            {
                view.trace = TraceRef::Sample(sample);
            }
        }
        let cases = summary.cases.len();
        batch(|| {
            self.description.set(None);
            self.heat.clear();
            self.plan.clear();
            self.plan_is_due.set(false);
            self.counts.set(Counts { total: cases, ..Counts::default() });
            self.is_replaying.set(false);
            self.latest.update_value(|latest| latest.first_replay = 0);
            address::write(&view, history);
            self.view.set(view);
            self.trace.set(Some(Arc::new(trace)));
        });
        if self.has_gpu() {
            self.replay();
        }
    }

    fn judged(&self, result: CaseResult) {
        self.report_if_not_run(&result);
        let change = self.trace.with_untracked(|trace| trace.as_ref().and_then(|trace| trace.keep(result)));
        if let Some((before, after)) = change {
            self.counts.update(|counts| counts.change(before, after));
        }
    }

    /// A case that gave nothing to compare says why in a notice: a damaged trace or a server that went away is no kernel's fault.
    /// The first one stands for all of a replay, since one cause often has many effects.
    fn report_if_not_run(&self, result: &CaseResult) {
        let Some(reason) =
            result.reason.as_ref().filter(|_| result.verdict == Verdict::Fail && result.outputs.is_empty())
        else {
            return;
        };
        if !self.failure_is_told.get_value() {
            self.failure_is_told.set_value(true);
            self.notices.error(format!("'{}' could not be run: {reason}", result.id));
        }
    }

    fn failed(&self, id: RequestId, latest: Latest, reason: String) {
        if self.take_opening(id).is_some() || id == 0 {
            self.notices.error(reason);
        } else if id == latest.plan {
            self.plan.progress.set(Progress::Failed(reason));
        } else if id == latest.grid {
            self.heat.is_awaited.set(false);
            self.heat.grid.set(None);
            self.heat.error.set(Some(reason));
        } else if id == latest.describe || id == latest.replay {
            self.is_replaying.set(false);
            self.notices.error(reason);
        }
    }

    /// Follows Back and Forward.
    pub(super) fn follow_history(&self) {
        address::forget_replacement();
        match address::read() {
            Ok(parsed) => {
                let now = self.view.get_untracked();
                let same = parsed.state.trace == now.trace || self.trace.with_untracked(Option::is_none);
                if same && parsed.state.hash.as_ref().is_none_or(|hash| now.hash.as_ref() == Some(hash)) {
                    self.view.set(parsed.state);
                } else {
                    self.open_view(parsed.state, History::Replace);
                }
            }
            Err(error) => self.notices.error(error.to_string()),
        }
    }
}
