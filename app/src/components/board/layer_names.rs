//! Names of the layers, one per row.

use crate::state::trace::OpenTrace;
use leptos::prelude::*;
use std::sync::Arc;

/// The column of names.
#[component]
pub(super) fn LayerNames(trace: Arc<OpenTrace>) -> impl IntoView {
    let rows = trace.summary.layers.iter().enumerate().map(|(at, name)| {
        view! {
            <li class="row-height layer-name" title=name.clone() data-testid="layer" data-layer=at.to_string()>
                <span class="layer-number">{at}</span>
                <span class="layer-text">{short(name).to_owned()}</span>
            </li>
        }
    });
    view! {
        <div class="column layer-column">
            <div class="head-height column-title">"Layers"</div>
            <ol>{rows.collect_view()}</ol>
        </div>
    }
}

/// The last two parts of a path: enough to tell layers apart where there is little room.
fn short(name: &str) -> &str {
    let mut dots = name.rmatch_indices('.').map(|(at, _)| at);
    match dots.nth(1) {
        // A dot is one byte.
        Some(dot) => &name[dot + 1..],
        None => name,
    }
}
