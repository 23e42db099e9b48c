//! The matrix: layers as rows, operators as columns, verdicts as they come.

use super::tooltip::{Tip, Tooltip};
use crate::components::verdict::{sign, word};
use crate::state::Store;
use crate::state::address::History;
use crate::state::trace::{CaseIndex, OpenTrace};
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast as _;

/// A cell's row and column.
type Place = (usize, usize);

/// The matrix.
#[component]
pub(super) fn MatrixGrid(trace: Arc<OpenTrace>) -> impl IntoView {
    let store = Store::get();
    let grid = NodeRef::<Div>::new();
    let tip = RwSignal::new(None::<Tip>);
    let step = Memo::new(move |_| store.view.with(|view| view.step));
    let selected = Memo::new(move |_| store.selected());
    // The cell that Tab leads to; it follows the selection.
    let focus = RwSignal::new(None::<CaseIndex>);
    Effect::new(move |_| focus.set(selected.get()));
    let is_focus = Selector::new(move || focus.get());
    let is_selected = Selector::new(move || selected.get());

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
            focus.set(Some(next));
            if let Some(grid) = grid.get_untracked() {
                focus_cell(&grid, next);
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
                .map(|layer| view! {
                    <Row trace=trace.clone() layer=layer step=step is_focus=is_focus.clone() is_selected=is_selected.clone()/>
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

/// Names of the columns, under the names of their groups.
#[component]
fn Heads(trace: Arc<OpenTrace>) -> impl IntoView {
    let matrix = &trace.matrix;
    let groups = matrix.groups.iter().enumerate().filter(|(_, group)| !group.columns.is_empty()).map(|(at, group)| {
        let (start, end) = (line(at, group.columns.start), line(at, group.columns.end));
        view! {
            <div class="group-name" style:grid-column=format!("{start} / {end}") title=group.name.clone()>{group.name.clone()}</div>
        }
    });
    let columns = matrix.groups.iter().enumerate().flat_map(|(at, group)| {
        group.columns.clone().filter_map(move |column| {
            let head = matrix.columns.get(column)?;
            let title =
                if head.module.is_empty() { head.op.clone() } else { format!("{} · {}", head.module, head.op) };
            Some(view! {
                <div class="column-name" style:grid-column=line(at, column).to_string() title=title>
                    <span>{head.label()}</span>
                </div>
            })
        })
    });
    view! {
        <div class="head-height matrix-head" aria-hidden="true">
            {groups.collect_view()}
            {columns.collect_view()}
        </div>
    }
}

#[component]
fn Row(
    trace: Arc<OpenTrace>,
    layer: usize,
    step: usize,
    is_focus: Selector<Option<CaseIndex>>,
    is_selected: Selector<Option<CaseIndex>>,
) -> impl IntoView {
    let name = trace.summary.layers.get(layer).cloned().unwrap_or_default();
    let cells = trace.matrix.groups.iter().enumerate().flat_map(|(at, group)| {
        let trace = &trace;
        let (is_focus, is_selected, name) = (is_focus.clone(), is_selected.clone(), name.clone());
        group.columns.clone().filter_map(move |column| {
            let case = trace.matrix.operator(step, layer, column)?;
            Some(view! {
                <Cell
                    trace=trace.clone()
                    case=case
                    layer_name=name.clone()
                    column=column
                    line=line(at, column)
                    is_focus=is_focus.clone()
                    is_selected=is_selected.clone()
                />
            })
        })
    });
    view! {
        <div class="row-height matrix-row" role="row" aria-rowindex=(layer + 1).to_string() aria-label=name.clone()>
            {cells.collect_view()}
        </div>
    }
}

#[component]
fn Cell(
    trace: Arc<OpenTrace>,
    case: CaseIndex,
    layer_name: String,
    column: usize,
    line: usize,
    is_focus: Selector<Option<CaseIndex>>,
    is_selected: Selector<Option<CaseIndex>>,
) -> impl IntoView {
    let result = trace.result(case);
    let verdict = Memo::new(move |_| {
        result.as_ref().and_then(|result| result.with(|known| known.as_ref().map(|known| known.verdict)))
    });
    let id = trace.case(case).map(|case| case.id.clone()).unwrap_or_default();
    let head = trace.matrix.columns.get(column).map(|column| column.label()).unwrap_or_default();
    view! {
        <div
            class="cell"
            role="gridcell"
            style:grid-column=line.to_string()
            tabindex=move || if is_focus.selected(&Some(case)) { "0" } else { "-1" }
            aria-selected=move || is_selected.selected(&Some(case)).to_string()
            aria-colindex=(column + 1).to_string()
            aria-label=move || format!("{layer_name}, {head}: {}", word(verdict.get()))
            data-case=case.to_string()
            data-op-id=id
            data-verdict=move || word(verdict.get())
        >
            {move || sign(verdict.get())}
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

/// The case that a key leads to.
fn neighbour(trace: &OpenTrace, step: usize, case: CaseIndex, event: &ev::KeyboardEvent) -> Option<CaseIndex> {
    let (layer, column) = trace.matrix.place(case)?;
    let (layers, columns) = (trace.summary.layers.len(), trace.matrix.columns.len());
    let at = |(layer, column): Place| trace.matrix.operator(step, layer, column);
    let all = event.ctrl_key() || event.meta_key();
    match event.key().as_str() {
        "ArrowRight" => (column + 1..columns).find_map(|column| at((layer, column))),
        "ArrowLeft" => (0..column).rev().find_map(|column| at((layer, column))),
        "ArrowDown" => (layer + 1..layers).find_map(|layer| nearest(trace, step, (layer, column))),
        "ArrowUp" => (0..layer).rev().find_map(|layer| nearest(trace, step, (layer, column))),
        "Home" if all => (0..layers).find_map(|layer| (0..columns).find_map(|column| at((layer, column)))),
        "End" if all => (0..layers).rev().find_map(|layer| (0..columns).rev().find_map(|column| at((layer, column)))),
        "Home" => (0..columns).find_map(|column| at((layer, column))),
        "End" => (0..columns).rev().find_map(|column| at((layer, column))),
        _ => None,
    }
}

/// The case of a layer that stands nearest to a column.
fn nearest(trace: &OpenTrace, step: usize, (layer, column): Place) -> Option<CaseIndex> {
    let columns = trace.matrix.columns.len();
    let there = (0..columns).filter_map(|at| Some((at, trace.matrix.operator(step, layer, at)?)));
    there.min_by_key(|(at, _)| at.abs_diff(column)).map(|(_, case)| case)
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

fn focus_cell(grid: &web_sys::Element, case: CaseIndex) {
    let found = grid.query_selector(&format!("[data-case='{case}']")).ok().flatten();
    if let Some(cell) = found.and_then(|cell| cell.dyn_into::<web_sys::HtmlElement>().ok()) {
        // A cell that cannot take the focus is left alone.
        let _ = cell.focus();
    }
}
