//! The plan in a sentence: what WebGPU computes, and what comes out.

use crate::state::Store;
use crate::state::plan::Progress;
use crate::state::trace::OpenTrace;
use leptos::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use taproot_engine::replay::OutputError;
use taproot_view::number::significant;

/// The sentence.
#[component]
pub(super) fn PlanSummary(trace: Arc<OpenTrace>) -> impl IntoView {
    let store = Store::get();
    let plan = store.plan;
    let layers = Memo::new(move |_| store.wanted_plan().map(|plan| plan.layers).unwrap_or_default());
    let who = move || match store.has_gpu() {
        true => computed(&trace.summary.layers, &layers.get()),
        false => "There is no WebGPU here: everything is recorded.".to_owned(),
    };
    let error = move || {
        let last = plan.layers.with(|layers| layers.values().next_back().cloned())?;
        let factor = last.amplification.map(|factor| format!(" ({}×)", significant(factor, 2))).unwrap_or_default();
        Some(format!(
            "Error at {}: {} alone, {} inherited{factor}.",
            last.exit,
            significant(last.isolated, 3),
            significant(last.inherited, 3)
        ))
    };
    let outputs = move || plan.outputs.with(|outputs| outputs.iter().map(off).collect::<Vec<_>>().join(" "));
    let progress = move || match plan.progress.get() {
        Progress::Idle if store.has_gpu() && !layers.get().is_empty() => {
            "The error follows when the replay is over, or when a handle moves.".to_owned()
        }
        Progress::Idle | Progress::Ended => String::new(),
        Progress::Running { done, total } => format!("Running, {done} of {total} operators…"),
        Progress::Failed(reason) => reason,
    };
    let state = move || match plan.progress.get() {
        Progress::Idle => "idle",
        Progress::Running { .. } => "running",
        Progress::Ended => "done",
        Progress::Failed(_) => "failed",
    };
    let gaps = move || match plan.gaps.with(Vec::len) {
        0 => String::new(),
        1 => "One operator stayed recorded, because WebGPU has none of its kind.".to_owned(),
        count => format!("{count} operators stayed recorded, because WebGPU has none of their kind."),
    };
    view! {
        <p class="plan-summary" data-testid="plan" data-state=state>
            <span aria-live="polite"><strong>{who}</strong>
            " "
            <span data-testid="plan-error">{error}</span>
            " "
            <span>{outputs}</span>
            " "
            <span>{gaps}</span></span>
            " "
            <span class="hint">{progress}</span>
        </p>
    }
}

/// How far a result of the model is off, and for logits what that does to the next token.
fn off(output: &OutputError) -> String {
    let start = format!("{} is off by {}", output.name, significant(output.error, 3));
    let Some(logits) = &output.logits else { return format!("{start}.") };
    let token = if logits.top1_agrees { "the same next token" } else { "another next token" };
    format!(
        "{start}: {token} (margin {}, recorded {}), {} of the first five the same, KL {} nats.",
        significant(logits.target_margin, 3),
        significant(logits.source_margin, 3),
        logits.top5_overlap,
        significant(logits.kl, 2)
    )
}

fn computed(names: &[String], layers: &Range<usize>) -> String {
    let name = |at: usize| names.get(at).map(String::as_str).unwrap_or_default();
    match layers.len() {
        0 => "Everything is recorded; WebGPU computes nothing.".to_owned(),
        count if count == names.len() => "WebGPU computes the whole model.".to_owned(),
        1 => format!("WebGPU computes {}; everything else is recorded.", name(layers.start)),
        count => format!(
            "WebGPU computes {count} layers, {} to {}; everything else is recorded.",
            name(layers.start),
            name(layers.end - 1)
        ),
    }
}
