//! Dropping a trace anywhere on the page.

use crate::state::Store;
use crate::state::drop::Dropped;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// Listens on the whole window; shows a frame while something is dragged over it.
#[component]
pub(super) fn DropZone() -> impl IntoView {
    let store = Store::get();
    // Entering a child comes before leaving its parent, so the depth is 0 only outside.
    let depth = RwSignal::new(0i32);
    window_event_listener(ev::dragenter, move |event| {
        if has_files(&event) {
            event.prevent_default();
            depth.update(|depth| *depth += 1);
        }
    });
    window_event_listener(ev::dragleave, move |event| {
        if has_files(&event) {
            depth.update(|depth| *depth = (*depth - 1).max(0));
        }
    });
    window_event_listener(ev::dragover, |event| {
        if has_files(&event) {
            event.prevent_default();
        }
    });
    window_event_listener(ev::drop, move |event| {
        depth.set(0);
        let Some(transfer) = event.data_transfer().filter(|_| has_files(&event)) else { return };
        event.prevent_default();
        let dropped = Dropped::take(&transfer);
        spawn_local(async move {
            match dropped.read().await {
                Ok(source) => store.open_files(source),
                Err(error) => store.notices.error(error),
            }
        });
    });
    view! {
        <div class="drop-zone" data-testid="drop-zone" hidden=move || depth.get() == 0>
            <p>"Drop a trace: its folder, or its .zip"</p>
        </div>
    }
}

fn has_files(event: &ev::DragEvent) -> bool {
    event.data_transfer().is_some_and(|transfer| transfer.types().iter().any(|kind| kind == "Files"))
}
