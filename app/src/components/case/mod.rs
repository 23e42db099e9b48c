//! The selected case: what it is, what came of it, and its values.

mod arguments;
mod metrics;
mod outputs;
mod ulp_bars;

use super::heatmap::Heatmap;
use super::verdict::{sign, word};
use crate::state::Store;
use crate::state::notices::sentence;
use crate::state::trace::{CaseIndex, OpenTrace};
use arguments::Arguments;
use leptos::prelude::*;
use metrics::MetricsTable;
use outputs::Outputs;
use std::sync::Arc;
use taproot_engine::compare::{Comparison, Verdict};
use taproot_engine::replay::CaseResult;
use taproot_view::number::significant;

/// The panel.
#[component]
pub(super) fn CasePanel() -> impl IntoView {
    let store = Store::get();
    let selected = Memo::new(move |_| store.selected());
    let result = selected_result(store);
    view! {
        <section class="case" aria-label="Selected operator" data-testid="case">
            {move || {
                let (trace, case) = (store.trace.get()?, selected.get()?);
                Some(view! { <Head trace=trace case=case result=result/> })
            }}
            <Outputs/>
            <Heatmap/>
        </section>
    }
}

/// Metrics and arguments of the selected case.
#[component]
pub(super) fn CaseDetails() -> impl IntoView {
    let result = selected_result(Store::get());
    view! {
        <section class="case-details" aria-label="Details of the selected operator" data-testid="details">
            <MetricsTable result=result/>
            <Arguments/>
        </section>
    }
}

fn selected_result(store: Store) -> Memo<Option<Arc<CaseResult>>> {
    Memo::new(move |_| {
        let case = store.selected()?;
        store.trace.get()?.result(case)?.get()
    })
}

#[component]
fn Head(trace: Arc<OpenTrace>, case: CaseIndex, result: Memo<Option<Arc<CaseResult>>>) -> impl IntoView {
    let store = Store::get();
    let verdict = move || result.with(|result| result.as_ref().map(|result| result.verdict));
    let summary = trace.case(case).cloned();
    let id = summary.as_ref().map(|case| case.id.clone()).unwrap_or_default();
    let facts = summary.map(|case| {
        let module = if case.module.is_empty() { "no module".to_owned() } else { case.module };
        format!("{} in {module}", case.op)
    });
    let sentence = move || match result.get() {
        Some(result) => explain(&result),
        None if store.is_replaying.get() => "Waits for its turn.".to_owned(),
        None => "Not replayed.".to_owned(),
    };
    view! {
        <header class="case-head">
            <div class="case-title">
                <span class="verdict-badge" data-verdict=move || word(verdict()) data-testid="case-verdict">
                    <span aria-hidden="true">{move || sign(verdict())}</span>
                    " "
                    {move || word(verdict())}
                </span>
                <h2 class="mono" data-testid="case-id" title=id.clone()>{id.clone()}</h2>
            </div>
            <p class="case-facts">{facts}</p>
            <p class="case-sentence" data-testid="case-sentence">{sentence}</p>
        </header>
    }
}

/// The verdict as a sentence.
fn explain(result: &CaseResult) -> String {
    if let Some(reason) = &result.reason {
        return full_stop(&sentence(reason));
    }
    match result.deciding() {
        Some(comparison) if result.verdict == Verdict::Pass => good(comparison),
        _ => String::new(),
    }
}

fn good(comparison: &Comparison) -> String {
    match comparison.metrics.ratio {
        Some(ratio) => format!(
            "As good as the source: its error is {} times what the source's own error and rounding account for; up to 2 passes.",
            significant(ratio, 2)
        ),
        None => "Every element is exactly right.".to_owned(),
    }
}

fn full_stop(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}
