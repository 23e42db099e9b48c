//! Rows and cells. There are thousands of them: each follows its own result and nothing else; which one is selected or takes the
//! focus is written into the few that change.

use super::line;
use crate::components::verdict::word;
use crate::state::trace::{CaseIndex, OpenTrace};
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast as _;

/// The cells of a layer.
#[component]
pub(super) fn Row(trace: Arc<OpenTrace>, layer: usize, step: usize) -> impl IntoView {
    let name = trace.summary.layers.get(layer).cloned().unwrap_or_default();
    let cells = trace.matrix.groups.iter().enumerate().flat_map(|(at, group)| {
        let (trace, name) = (&trace, &name);
        group.columns.clone().filter_map(move |column| {
            let case = trace.matrix.operator(step, layer, column)?;
            let head = trace.matrix.columns.get(column)?.label();
            let label = format!("{name}, {head}");
            Some(view! { <Cell trace=trace case=case label=label column=column line=line(at, column)/> })
        })
    });
    view! {
        <div class="row-height matrix-row" role="row" aria-rowindex=(layer + 1).to_string() aria-label=name.clone()>
            {cells.collect_view()}
        </div>
    }
}

/// One cell; the style sheet adds the verdict's sign.
#[component]
fn Cell<'a>(trace: &'a OpenTrace, case: CaseIndex, label: String, column: usize, line: usize) -> impl IntoView + use<> {
    let result = trace.result(case);
    let id = trace.case(case).map(|case| case.id.clone()).unwrap_or_default();
    let verdict =
        move || word(result.as_ref().and_then(|result| result.with(|known| known.as_ref().map(|known| known.verdict))));
    let spoken = {
        let verdict = verdict.clone();
        move || format!("{label}: {}", verdict())
    };
    view! {
        <div
            class="cell"
            role="gridcell"
            style=format!("grid-column:{line}")
            tabindex="-1"
            aria-selected="false"
            aria-colindex=(column + 1).to_string()
            aria-label=spoken
            data-case=case.to_string()
            data-op-id=id
            data-verdict=verdict
        ></div>
    }
}

/// Gives one cell the second of two values of an attribute, and whichever had it the first.
pub(super) fn mark(grid: &web_sys::Element, attribute: &str, [usual, special]: [&str; 2], case: Option<CaseIndex>) {
    if let Ok(Some(before)) = grid.query_selector(&format!("[{attribute}='{special}']")) {
        // The attribute's name is valid, so that setting it cannot fail; here and below.
        let _ = before.set_attribute(attribute, usual);
    }
    if let Some(cell) = case.and_then(|case| cell(grid, case)) {
        let _ = cell.set_attribute(attribute, special);
    }
}

/// Moves the focus to a cell.
pub(super) fn focus(grid: &web_sys::Element, case: CaseIndex) {
    if let Some(cell) = cell(grid, case).and_then(|cell| cell.dyn_into::<web_sys::HtmlElement>().ok()) {
        // A cell that cannot take the focus is left alone.
        let _ = cell.focus();
    }
}

fn cell(grid: &web_sys::Element, case: CaseIndex) -> Option<web_sys::Element> {
    grid.query_selector(&format!("[data-case='{case}']")).ok().flatten()
}
