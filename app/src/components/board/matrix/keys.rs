//! Moving through the matrix by keyboard.

use crate::state::trace::{CaseIndex, OpenTrace};
use leptos::ev;

/// A cell's row and column.
type Place = (usize, usize);

/// The case that a key leads to.
pub(super) fn neighbour(
    trace: &OpenTrace,
    step: usize,
    case: CaseIndex,
    event: &ev::KeyboardEvent,
) -> Option<CaseIndex> {
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
