//! The operator vocabulary in words: what this version can replay, how well it was tried, and what exported graphs need.

mod document;
mod graphs;
mod results;

pub use document::document;
pub use graphs::{Place, place};
pub use results::{Count, Results, ResultsError};

use crate::info::plain_table;
use crate::text::count;
use std::fmt::Write as _;
use taproot_engine::graph::signatures::Family;
use taproot_engine::operators::{KERNELS, VIEWS};

/// The operators by family with their arguments, for a terminal.
pub fn list() -> String {
    let mut table = plain_table(&["operator", "family", "arguments"], &[]);
    for row in rows() {
        table.add_row([row.name.to_owned(), family_name(row.family), row.params.join(", ")]);
    }
    let mut text = format!("{} in this version's vocabulary\n", count(KERNELS.len() + VIEWS.len(), "operator"));
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}", table.trim_fmt());
    text
}

struct Row {
    name: &'static str,
    family: Family,
    params: &'static [&'static str],
}

/// Every operator: those that compute in the vocabulary's order of families, then views.
fn rows() -> Vec<Row> {
    let kernels = KERNELS.iter().map(|kernel| &kernel.signature);
    let mut rows: Vec<Row> = kernels.map(|it| Row { name: it.name, family: it.family, params: it.params }).collect();
    rows.extend(VIEWS.iter().map(|view| Row { name: view.name, family: Family::View, params: view.params }));
    let order: Vec<Family> = rows.iter().map(|row| row.family).fold(Vec::new(), |mut seen, family| {
        if !seen.contains(&family) {
            seen.push(family);
        }
        seen
    });
    // Stable: within a family the vocabulary's order remains.
    rows.sort_by_key(|row| order.iter().position(|family| *family == row.family));
    rows
}

fn family_name(family: Family) -> String {
    format!("{family:?}").to_lowercase()
}
