//! Choosing among several results of an operator.

use crate::state::Store;
use crate::state::address::History;
use leptos::prelude::*;

/// The choice; nothing where there is only one result.
#[component]
pub(super) fn Outputs() -> impl IntoView {
    let store = Store::get();
    let names = Memo::new(move |_| {
        store.description.with(|description| {
            let outputs = description.as_ref().map(|description| description.outputs.as_slice()).unwrap_or_default();
            outputs.iter().map(|output| output.name.clone()).collect::<Vec<_>>()
        })
    });
    view! {
        <Show when=move || names.with(|names| names.len() > 1)>
            <label class="outputs">
                "Result "
                <select data-testid="output" on:change:target=move |event| {
                    if let Ok(output) = event.target().value().parse() {
                        store.go(History::Push, |view| {
                            view.start_over();
                            view.output = output;
                        });
                    }
                }>
                    {move || names.get().into_iter().enumerate().map(|(at, name)| view! {
                        <option value=at.to_string() selected=move || store.view.with(|view| view.output == at)>{name}</option>
                    }).collect_view()}
                </select>
            </label>
        </Show>
    }
}
