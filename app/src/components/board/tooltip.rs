//! What is said of a cell under the pointer or the focus.

use crate::components::verdict::{sign, word};
use crate::state::trace::{CaseIndex, OpenTrace};
use leptos::prelude::*;
use std::sync::Arc;
use taproot_engine::replay::CaseResult;
use taproot_view::number::{duration, significant};

/// Distance from the window's edge that the tooltip keeps, and half its greatest width, in CSS pixels.
const MARGIN: f64 = 8.0;
const HALF_WIDTH: f64 = 180.0;

/// Which cell, and where it is in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tip {
    pub(super) case: CaseIndex,
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The tooltip.
#[component]
pub(super) fn Tooltip(trace: Arc<OpenTrace>, tip: RwSignal<Option<Tip>>) -> impl IntoView {
    view! {
        {move || tip.get().map(|tip| {
            let width = window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(0.0);
            let x = tip.x.min(width - HALF_WIDTH - MARGIN).max(HALF_WIDTH + MARGIN);
            let id = trace.case(tip.case).map(|case| case.id.clone()).unwrap_or_default();
            let result = trace.result(tip.case).and_then(|result| result.get());
            view! {
                <div class="tooltip" role="tooltip" data-testid="tooltip" style:left=format!("{x}px") style:top=format!("{}px", tip.y)>
                    <div class="mono">{id}</div>
                    <div>{sentence(result.as_deref())}</div>
                </div>
            }
        })}
    }
}

fn sentence(result: Option<&CaseResult>) -> String {
    let Some(result) = result else { return format!("{} not replayed yet", sign(None)) };
    let head = format!("{} {}", sign(Some(result.verdict)), word(Some(result.verdict)));
    match result.deciding() {
        Some(comparison) => {
            let ratio =
                comparison.metrics.ratio.map(|ratio| format!(", {} × the source's error", significant(ratio, 3)));
            format!("{head}{}, {}", ratio.unwrap_or_default(), duration(result.target_ms))
        }
        None => format!("{head}: {}", result.reason.clone().unwrap_or_default()),
    }
}
