//! Starting the page: the worker, the first trace, and the effects that keep asking as the view changes.

use super::address::{self, History};
use super::client::Client;
use super::plan::Progress;
use super::samples;
use super::store::Store;
use crate::protocol::Request;
use leptos::prelude::*;
use taproot_view::ViewState;

impl Store {
    /// Starts everything. Called once.
    pub fn start(self) {
        match Client::start(move |answered| self.receive(answered), move |reason| self.broke(reason)) {
            Ok(client) => self.client.set_value(Some(client)),
            Err(error) => self.broke(format!("the browser started no worker ({error:?}), and the engine runs in one")),
        }
        let view = self.first_view();
        wasm_bindgen_futures::spawn_local(async move {
            match samples::fetch().await {
                Ok(list) => self.samples.set(list),
                Err(error) => self.notices.error(error),
            }
            self.is_started.set(true);
            self.open_view(view, History::Replace);
        });
        window_event_listener(leptos::ev::popstate, move |_| self.follow_history());
        self.describe_selected();
        self.name_page();
        self.run_plans();
        self.fetch_grids();
        self.fetch_elements();
    }

    /// The view in the address; what of it is of no use is said.
    fn first_view(&self) -> ViewState {
        match address::read() {
            Ok(parsed) => {
                for sentence in parsed.dropped {
                    self.notices.warn(sentence);
                }
                parsed.state
            }
            Err(error) => {
                self.notices.error(error.to_string());
                ViewState::default()
            }
        }
    }

    fn describe_selected(self) {
        let operator = Memo::new(move |_| {
            let case = self.selected()?;
            // The same operator of another trace is a change, and of the same trace opened again.
            self.trace.with(|trace| {
                let trace = trace.as_ref()?;
                Some((trace.opened_by, trace.case(case)?.operator))
            })
        });
        Effect::new(move |_| {
            let Some((_, operator)) = operator.get() else { return };
            self.heat.clear();
            self.description.set(None);
            if let Some(id) = self.ask(Request::Describe { operator }) {
                self.latest.update_value(|latest| latest.describe = id);
            }
            self.replay_what_is_seen();
        });
    }

    fn name_page(self) {
        Effect::new(move |_| {
            let model = self.trace.with(|trace| trace.as_ref().map(|trace| trace.summary.model.clone()));
            document().set_title(&model.map_or_else(|| "Taproot".to_owned(), |model| format!("{model} · Taproot")));
        });
    }

    fn run_plans(self) {
        let wanted = Memo::new(move |_| {
            if !self.has_gpu() || !self.plan_is_due.get() {
                return None;
            }
            let opened_by = self.trace.with(|trace| trace.as_ref().map(|trace| trace.opened_by))?;
            Some((opened_by, self.wanted_plan()?))
        });
        Effect::new(move |before: Option<Option<usize>>| {
            let (_, plan) = wanted.get()?;
            let step = Some(plan.step);
            if before.flatten() == step {
                self.plan.restart();
            } else {
                self.plan.clear();
            }
            let total = plan.layers.len();
            let request = if plan.layers.is_empty() {
                Request::CancelPlan
            } else {
                self.plan.progress.set(Progress::Running { done: 0, total });
                Request::RunPlan { layers: plan.layers, step: plan.step }
            };
            if let Some(id) = self.ask(request) {
                self.latest.update_value(|latest| latest.plan = id);
            }
            step
        });
    }

    fn fetch_grids(self) {
        let request = Memo::new(move |_| {
            let plane = self.plane().filter(|plane| !plane.is_empty())?;
            let size = self.heat.size.get();
            if size.0 < 1.0 || size.1 < 1.0 {
                return None;
            }
            let window = self.view.with(|view| view.window);
            Some(plane.request(&plane.viewport(size, window), self.quantity()))
        });
        Effect::new(move |_| {
            let Some(request) = request.get() else { return };
            if let Some(id) = self.ask(Request::Grid(request)) {
                self.latest.update_value(|latest| latest.grid = id);
                self.heat.is_awaited.set(true);
            }
        });
    }

    fn fetch_elements(self) {
        let request = Memo::new(move |_| {
            let (row, column) = self.heat.cursor.get()?;
            let plane = self.plane().filter(|plane| !plane.is_empty())?;
            let (rows, columns) = plane.size();
            (row < rows && column < columns).then(|| plane.element(row, column))
        });
        Effect::new(move |_| {
            let Some(request) = request.get() else {
                self.heat.element.set(None);
                return;
            };
            if let Some(id) = self.ask(Request::Element(request)) {
                self.latest.update_value(|latest| latest.element = id);
            }
        });
    }
}
