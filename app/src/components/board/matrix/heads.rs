//! Names of the columns, under the names of their groups.

use super::line;
use crate::state::trace::OpenTrace;
use leptos::prelude::*;
use std::sync::Arc;

/// The names.
#[component]
pub(super) fn Heads(trace: Arc<OpenTrace>) -> impl IntoView {
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
