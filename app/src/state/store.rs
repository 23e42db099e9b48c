//! Everything the page knows, in signals, and what can be done with it.

use super::address::{self, History};
use super::client::Client;
use super::heat::{Heat, Plane};
use super::notices::Notices;
use super::plan::{PlanView, Progress, Wanted};
use super::samples::Sample;
use super::theme::Themes;
use super::trace::{CaseIndex, Counts, OpenTrace};
use crate::protocol::{CaseDescription, GpuStatus, Request, RequestId, Source};
use leptos::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use taproot_view::ViewState;
use taproot_view::scale::Quantity;
use taproot_view::view_state::TraceRef;

/// What the app is doing, as its root element says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A trace is being opened.
    Loading,
    /// Cases are being replayed.
    Replaying,
    /// Nothing is left to do.
    Done,
    /// There is no trace, or no engine.
    Error,
}

impl Status {
    /// The word in `data-state`.
    pub fn name(self) -> &'static str {
        match self {
            Status::Loading => "loading",
            Status::Replaying => "replaying",
            Status::Done => "done",
            Status::Error => "error",
        }
    }
}

/// A trace on its way.
#[derive(Clone, Debug)]
pub struct Opening {
    pub(super) id: RequestId,
    /// What to call it.
    pub name: String,
    /// The view once it is open.
    pub(super) view: ViewState,
    pub(super) history: History,
}

/// Numbers of the requests whose answers still count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Latest {
    pub(super) replay: RequestId,
    /// The first replay since results were forgotten: what comes of it and later ones counts.
    pub(super) first_replay: RequestId,
    pub(super) plan: RequestId,
    pub(super) describe: RequestId,
    pub(super) grid: RequestId,
    pub(super) element: RequestId,
}

/// Everything the page knows.
#[derive(Clone, Copy)]
pub struct Store {
    /// What one sees.
    pub view: RwSignal<ViewState>,
    /// The open trace.
    pub trace: RwSignal<Option<Arc<OpenTrace>>>,
    /// The selected case.
    selected: Memo<Option<CaseIndex>>,
    /// The plane that the heatmap shows.
    plane: Memo<Option<Plane>>,
    /// The trace on its way.
    pub opening: RwSignal<Option<Opening>>,
    /// Traces that come with the app.
    pub samples: RwSignal<Vec<Sample>>,
    /// Verdicts by kind.
    pub counts: RwSignal<Counts>,
    /// Whether cases are being replayed.
    pub is_replaying: RwSignal<bool>,
    /// What WebGPU there is; none until it is known.
    pub gpu: RwSignal<Option<GpuStatus>>,
    /// The selected operator in words.
    pub description: RwSignal<Option<CaseDescription>>,
    /// The migration plan.
    pub plan: PlanView,
    /// The heatmap.
    pub heat: Heat,
    /// Notices.
    pub notices: Notices,
    /// Dark or light.
    pub themes: Themes,
    /// Files of this machine that were opened, by name: Back leads to them again.
    pub(super) local: StoredValue<HashMap<String, Source>, LocalStorage>,
    /// Whether a first trace was asked for.
    pub(super) is_started: RwSignal<bool>,
    /// The engine is gone.
    pub is_broken: RwSignal<bool>,
    /// The plan no longer waits for the replay: it was over once, or the user has moved the slider.
    pub(super) plan_is_due: RwSignal<bool>,
    /// Whether a notice says that a case of this replay could not be run.
    pub(super) failure_is_told: StoredValue<bool>,
    pub(super) latest: StoredValue<Latest>,
    pub(super) client: StoredValue<Option<Client>, LocalStorage>,
}

impl Store {
    /// An empty store.
    pub fn new() -> Self {
        let view = RwSignal::default();
        let trace = RwSignal::default();
        let description = RwSignal::default();
        Store {
            view,
            trace,
            selected: Memo::new(move |_| selected(trace, view)),
            plane: Memo::new(move |_| plane(description, view)),
            opening: RwSignal::default(),
            samples: RwSignal::default(),
            counts: RwSignal::default(),
            is_replaying: RwSignal::new(false),
            gpu: RwSignal::default(),
            description,
            plan: PlanView::new(),
            heat: Heat::new(),
            notices: Notices::new(),
            themes: Themes::start(),
            local: StoredValue::new_local(HashMap::new()),
            is_started: RwSignal::new(false),
            is_broken: RwSignal::new(false),
            plan_is_due: RwSignal::new(false),
            failure_is_told: StoredValue::new(false),
            latest: StoredValue::new(Latest::default()),
            client: StoredValue::new_local(None),
        }
    }

    /// The store of the page.
    pub fn get() -> Self {
        expect_context()
    }

    /// What the app is doing.
    pub fn status(&self) -> Status {
        if self.is_broken.get() {
            Status::Error
        } else if !self.is_started.get() || self.opening.with(Option::is_some) {
            Status::Loading
        } else if self.trace.with(Option::is_none) {
            Status::Error
        } else if self.is_replaying.get() {
            Status::Replaying
        } else {
            Status::Done
        }
    }

    /// Whether there is a device.
    pub fn has_gpu(&self) -> bool {
        self.gpu.with(|gpu| matches!(gpu, Some(GpuStatus::Device(_))))
    }

    /// The selected case.
    pub fn selected(&self) -> Option<CaseIndex> {
        self.selected.get()
    }

    /// What the heatmap shows: without a device there are only recorded values.
    pub fn quantity(&self) -> Quantity {
        match self.gpu.with(|gpu| matches!(gpu, Some(GpuStatus::Missing { .. }))) {
            true => Quantity::Expected,
            false => self.view.with(|view| view.quantity),
        }
    }

    /// The plane that the heatmap shows.
    pub fn plane(&self) -> Option<Plane> {
        self.plane.get()
    }

    /// The plan with concrete layers, for the trace that is open.
    pub fn wanted_plan(&self) -> Option<Wanted> {
        let layers = self.trace.with(|trace| trace.as_ref().map(|trace| trace.summary.layers.len()))?;
        self.view.with(|view| Some(Wanted { layers: view.plan.positions(layers), step: view.step }))
    }

    /// Changes the view, and the address with it.
    pub fn go(&self, history: History, change: impl FnOnce(&mut ViewState)) {
        let before = self.view.get_untracked();
        let mut view = before.clone();
        change(&mut view);
        if view != before {
            address::write(&view, history);
            self.view.set(view);
        }
    }

    /// Selects a case; the heatmap starts over with its first result.
    pub fn select(&self, case: CaseIndex, history: History) {
        let Some((id, step)) = self.trace.with_untracked(|trace| {
            trace.as_ref().and_then(|trace| trace.case(case)).map(|case| (case.id.clone(), case.step))
        }) else {
            return;
        };
        self.go(history, |view| {
            if view.op.as_deref() != Some(id.as_str()) {
                view.start_over();
            }
            view.op = Some(id);
            view.step = step;
        });
    }

    /// Opens the trace that a view names; the open one stays until then.
    pub fn open_view(&self, view: ViewState, history: History) {
        let samples = self.samples.get_untracked();
        let found = match &view.trace {
            TraceRef::Default => {
                samples.first().ok_or_else(|| "no sample is bundled with this app: open a trace".to_owned())
            }
            TraceRef::Sample(id) => samples
                .iter()
                .find(|sample| sample.id == *id)
                .ok_or_else(|| format!("there is no bundled sample '{id}'; choose one from the list")),
            TraceRef::Url(url) => return self.open(Source::Url(url.clone()), url.clone(), view, history),
            TraceRef::Local(name) => match self.local.with_value(|local| local.get(name).cloned()) {
                Some(source) => return self.open(source, name.clone(), view, history),
                None => Err(format!(
                    "the link is to '{name}', files of the machine where it was made: drop the same files here to see them"
                )),
            },
        };
        match found.and_then(|sample| Ok((sample, sample.url().ok_or("the sample's address is broken")?))) {
            Ok((sample, url)) => self.open(Source::Url(url), sample.title.clone(), view, history),
            Err(error) => self.notices.error(error),
        }
    }

    /// Opens files of this machine.
    pub fn open_files(&self, source: Source) {
        let name = match &source {
            Source::Files { name, .. } => name.clone(),
            Source::Url(url) => url.clone(),
        };
        let view = ViewState { trace: TraceRef::Local(name.clone()), ..ViewState::default() };
        self.local.update_value(|local| {
            local.insert(name.clone(), source.clone());
        });
        self.open(source, name, view, History::Push);
    }

    fn open(&self, source: Source, name: String, view: ViewState, history: History) {
        if let Some(id) = self.ask(Request::Open(source)) {
            self.opening.set(Some(Opening { id, name, view, history }));
        }
    }

    /// Replays what has no verdict yet, or everything again where all has one.
    pub fn replay(&self) {
        let Some(trace) = self.trace.get_untracked() else { return };
        self.failure_is_told.set_value(false);
        let is_again = self.counts.with_untracked(|counts| counts.done() >= counts.total);
        if is_again {
            trace.forget_results();
            self.counts.set(Counts { total: trace.summary.cases.len(), ..Counts::default() });
        }
        let Some(id) = self.ask_for_replay(&trace) else { return };
        self.latest.update_value(|latest| {
            if is_again || latest.first_replay == 0 {
                latest.first_replay = id;
            }
        });
        self.is_replaying.set(true);
    }

    /// Goes on with the replay where one now looks: the selected case, then its step.
    pub(super) fn replay_what_is_seen(&self) {
        if let Some(trace) = self.trace.get_untracked().filter(|_| self.is_replaying.get_untracked()) {
            self.ask_for_replay(&trace);
        }
    }

    fn ask_for_replay(&self, trace: &OpenTrace) -> Option<RequestId> {
        let step = self.view.with_untracked(|view| view.step);
        let selected = untrack(|| self.selected());
        let id = self.ask(Request::Replay { operators: trace.pending(step, selected) })?;
        self.latest.update_value(|latest| latest.replay = id);
        Some(id)
    }

    /// Stops the replay and the plan.
    pub fn cancel(&self) {
        self.ask(Request::CancelReplay);
        self.ask(Request::CancelPlan);
        self.is_replaying.set(false);
        self.plan.progress.set(Progress::Idle);
    }

    /// The slider was moved: the plan need not wait for the replay.
    pub fn hurry_plan(&self) {
        self.plan_is_due.set(true);
    }

    pub(super) fn ask(&self, request: Request) -> Option<RequestId> {
        self.client.with_value(|client| client.as_ref().map(|client| client.ask(request)))
    }
}

impl Default for Store {
    fn default() -> Self {
        Self::new()
    }
}

/// The case that the view names, or the app's own choice.
fn selected(trace: RwSignal<Option<Arc<OpenTrace>>>, view: RwSignal<ViewState>) -> Option<CaseIndex> {
    trace.with(|trace| {
        let trace = trace.as_ref()?;
        view.with(|view| view.op.as_deref().and_then(|id| trace.of_id(id)).or_else(|| trace.first_choice(view.step)))
    })
}

fn plane(description: RwSignal<Option<CaseDescription>>, view: RwSignal<ViewState>) -> Option<Plane> {
    description.with(|description| {
        let description = description.as_ref()?;
        view.with(|view| {
            let output = view.output.min(description.outputs.len().checked_sub(1)?);
            let shape = &description.outputs.get(output)?.shape;
            Some(Plane::new(description.operator, output, shape, view.dims, &view.slice))
        })
    })
}
