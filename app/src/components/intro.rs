//! One sentence for who comes for the first time.

use crate::state::Store;
use crate::state::theme::storage;
use leptos::prelude::*;

const STORED: &str = "taproot-intro-read";

/// The sentence, until it is dismissed for good.
#[component]
pub(super) fn Intro() -> impl IntoView {
    let store = Store::get();
    let was_read = storage().and_then(|storage| storage.get_item(STORED).ok().flatten()).is_some();
    let is_shown = RwSignal::new(!was_read);
    let dismiss = move |_| {
        is_shown.set(false);
        if let Some(storage) = storage() {
            // Private windows may refuse; then the sentence comes again.
            let _ = storage.set_item(STORED, "1");
        }
    };
    let sentence = move || {
        store.trace.with(|trace| {
            let trace = trace.as_ref()?;
            let producer = &trace.summary.producer;
            Some(format!(
                "Each cell is one operator of {}, run on this browser's GPU and compared with what {} recorded; \
                 drag the two handles beside the layers to choose which of them WebGPU computes, and watch the error that comes out.",
                trace.summary.model, producer.framework
            ))
        })
    };
    view! {
        <Show when=move || is_shown.get() && store.trace.with(Option::is_some)>
            <div class="intro" data-testid="intro">
                <p>{sentence}</p>
                <button class="icon-button" aria-label="Do not show this again" on:click=dismiss>"✕"</button>
            </div>
        </Show>
    }
}
