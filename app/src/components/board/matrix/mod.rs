//! The matrix: layers as rows, operators as columns, verdicts as they come.

mod cells;
mod heads;
mod keys;

use super::tooltip::{Tip, Tooltip};
use crate::state::Store;
use crate::state::address::History;
use crate::state::trace::{CaseIndex, OpenTrace};
use cells::{Row, focus, mark};
use heads::Heads;
use keys::neighbour;
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast as _;

/// The matrix.
#[component]
pub(super) fn MatrixGrid(trace: Arc<OpenTrace>) -> impl IntoView {
    let store = Store::get();
    let grid = NodeRef::<Div>::new();
    let tip = RwSignal::new(None::<Tip>);
    let step = Memo::new(move |_| store.view.with(|view| view.step));
    let selected = Memo::new(move |_| store.selected());
    // The cell that Tab leads to; it follows the selection.
    let entry = RwSignal::new(None::<CaseIndex>);
    Effect::new(move |_| entry.set(selected.get()));
    Effect::new(move |_| {
        let Some(grid) = grid.get() else { return };
        let (entry, selected) = (entry.get(), selected.get());
        step.track();
        // Another step makes other cells: they are there at the next frame.
        request_animation_frame(move || {
            mark(&grid, "tabindex", ["-1", "0"], entry);
            mark(&grid, "aria-selected", ["false", "true"], selected);
        });
    });

    let on_click = move |event: ev::MouseEvent| {
        if let Some(case) = case_of(event.target()) {
            store.select(case, History::Push);
        }
    };
    let on_key = {
        let trace = trace.clone();
        move |event: ev::KeyboardEvent| {
            let Some(case) = case_of(event.target()) else { return };
            if matches!(event.key().as_str(), "Enter" | " ") {
                event.prevent_default();
                return store.select(case, History::Push);
            }
            let Some(next) = neighbour(&trace, step.get_untracked(), case, &event) else { return };
            event.prevent_default();
            entry.set(Some(next));
            if let Some(grid) = grid.get_untracked() {
                focus(&grid, next);
            }
        }
    };
    let show_tip = move |target: Option<web_sys::EventTarget>| {
        tip.set(target.and_then(|target| {
            let cell = cell_of(Some(target))?;
            let rect = cell.get_bounding_client_rect();
            Some(Tip { case: index_of(&cell)?, x: rect.left() + rect.width() / 2.0, y: rect.bottom() })
        }));
    };
    let template = template(&trace);
    let (columns, groups) = (trace.matrix.columns.len().max(1), trace.matrix.groups.len());
    let rows = {
        let trace = trace.clone();
        move || {
            let step = step.get();
            (0..trace.summary.layers.len())
                .map(|layer| {
                    view! {
                        <Row trace=trace.clone() layer=layer step=step/>
                    }
                })
                .collect_view()
        }
    };
    view! {
        <div
            class="column matrix-column"
            style=("--columns", template)
            style=("--count", columns.to_string())
            style=("--groups", groups.to_string())
        >
            <Heads trace=trace.clone()/>
            <div
                class="matrix rows-height"
                node_ref=grid
                role="grid"
                aria-label="Operators by layer"
                aria-rowcount=trace.summary.layers.len().to_string()
                aria-colcount=trace.matrix.columns.len().to_string()
                data-testid="matrix"
                on:click=on_click
                on:keydown=on_key
                on:mouseover=move |event| show_tip(event.target())
                on:mouseleave=move |_| tip.set(None)
                on:focusin=move |event| show_tip(event.target())
                on:focusout=move |_| tip.set(None)
            >
                {rows}
            </div>
            <Tooltip trace=trace tip=tip/>
        </div>
    }
}

/// Tracks of the grid: a cell for each column, and a gap between groups.
fn template(trace: &OpenTrace) -> String {
    let groups = trace.matrix.groups.iter().map(|group| match group.columns.len() {
        0 => String::new(),
        count => format!("repeat({count}, var(--cell))"),
    });
    groups.collect::<Vec<_>>().join(" var(--group-gap) ")
}

/// Grid line of a column: lines count from 1, and each group before it has a gap behind it.
fn line(group: usize, column: usize) -> usize {
    column + group + 1
}

fn cell_of(target: Option<web_sys::EventTarget>) -> Option<web_sys::Element> {
    target?.dyn_into::<web_sys::Element>().ok()?.closest("[data-case]").ok().flatten()
}

fn index_of(cell: &web_sys::Element) -> Option<CaseIndex> {
    cell.get_attribute("data-case")?.parse().ok()
}

fn case_of(target: Option<web_sys::EventTarget>) -> Option<CaseIndex> {
    index_of(&cell_of(target)?)
}
