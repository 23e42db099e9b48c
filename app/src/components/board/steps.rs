//! Choosing among several steps.

use crate::state::Store;
use crate::state::address::History;
use crate::state::trace::OpenTrace;
use leptos::prelude::*;
use std::sync::Arc;

/// The selector; nothing where there is only one step.
#[component]
pub(super) fn Steps(trace: Arc<OpenTrace>) -> impl IntoView {
    let store = Store::get();
    let names: Vec<String> = trace.summary.steps.iter().map(|step| step.name.clone()).collect();
    let choose = {
        let trace = trace.clone();
        move |step: usize| {
            // The same operator in the other step, where it is there too.
            let case = store.selected().and_then(|case| {
                let (layer, column) = trace.matrix.place(case)?;
                trace.matrix.operator(step, layer, column)
            });
            let id = case.and_then(|case| trace.case(case)).map(|case| case.id.clone());
            store.go(History::Push, |view| {
                view.step = step;
                view.op = id;
                view.start_over();
            });
        }
    };
    (names.len() > 1).then(|| {
        view! {
            <label class="steps">
                "Step "
                <select
                    data-testid="step"
                    prop:value=move || store.view.with(|view| view.step.to_string())
                    on:change:target=move |event| {
                        if let Ok(step) = event.target().value().parse() {
                            choose(step);
                        }
                    }
                >
                    {names.iter().enumerate().map(|(at, name)| view! {
                        <option value=at.to_string() selected=move || store.view.with(|view| view.step == at)>{name.clone()}</option>
                    }).collect_view()}
                </select>
            </label>
        }
    })
}
