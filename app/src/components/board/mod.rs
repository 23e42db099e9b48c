//! The board: layers as rows, with the slider, the errors and the matrix beside them in the same rows.

mod error_chart;
mod gaps;
mod layer_names;
mod matrix;
mod plan_summary;
mod slider;
mod steps;
mod tooltip;

use crate::state::Store;
use crate::state::trace::OpenTrace;
use error_chart::ErrorChart;
use gaps::Gaps;
use layer_names::LayerNames;
use leptos::prelude::*;
use matrix::MatrixGrid;
use plan_summary::PlanSummary;
use slider::Slider;
use std::sync::Arc;
use steps::Steps;

/// The board of the open trace.
#[component]
pub(super) fn Board() -> impl IntoView {
    let store = Store::get();
    view! {
        <section class="board" aria-label="Layers and operators">
            {move || store.trace.get().map(|trace| view! { <Laid trace=trace/> })}
        </section>
    }
}

#[component]
fn Laid(trace: Arc<OpenTrace>) -> impl IntoView {
    let rows = trace.summary.layers.len();
    view! {
        <header class="board-head">
            <Provenance trace=trace.clone()/>
            <Steps trace=trace.clone()/>
        </header>
        <div class="board-scroll" style=("--rows", rows.to_string())>
            <div class="board-grid">
                <LayerNames trace=trace.clone()/>
                <Slider trace=trace.clone()/>
                <ErrorChart trace=trace.clone()/>
                <MatrixGrid trace=trace.clone()/>
            </div>
        </div>
        <footer class="board-foot">
            <PlanSummary trace=trace.clone()/>
            <Gaps trace=trace/>
        </footer>
    }
}

/// What was recorded, by what, on what.
#[component]
fn Provenance(trace: Arc<OpenTrace>) -> impl IntoView {
    let summary = &trace.summary;
    let producer = &summary.producer;
    let mut parts = vec![
        summary.architecture.clone(),
        format!("recorded by {} on {}", producer.framework, producer.device),
        producer.date.split('T').next().unwrap_or_default().to_owned(),
    ];
    if let Some(prompt) = &summary.prompt {
        parts.push(format!("“{}”", prompt.text));
    }
    parts.retain(|part| !part.is_empty());
    let text = parts.join(" · ");
    view! { <p class="provenance" data-testid="provenance" title=text.clone()>{text.clone()}</p> }
}
