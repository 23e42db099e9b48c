//! One sentence for who comes for the first time.

use crate::state::Store;
use crate::state::theme::storage;
use leptos::prelude::*;

const SENTENCE: &str = "Each cell is one operator of this model, run on your GPU and compared with its recording: drag the handles \
                        beside the layers to choose what WebGPU computes, and watch the error.";
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
    view! {
        <Show when=move || is_shown.get() && store.has_gpu() && store.trace.with(Option::is_some)>
            <div class="intro" data-testid="intro">
                <p>{SENTENCE}</p>
                <button class="icon-button" aria-label="Do not show this again" on:click=dismiss>"✕"</button>
            </div>
        </Show>
    }
}
