//! The page as a whole.

use super::board::Board;
use super::case::{CaseDetails, CasePanel};
use super::drop_zone::DropZone;
use super::intro::Intro;
use super::no_webgpu::NoWebGpu;
use super::notices::Notices;
use super::top_bar::TopBar;
use crate::state::Store;
use crate::state::store::Status;
use leptos::prelude::*;

/// Most layers that leave room below them on a screen 900 pixels high.
const FEW_LAYERS: usize = 12;

/// The page.
#[component]
pub fn App() -> impl IntoView {
    let store = Store::new();
    provide_context(store);
    store.start();
    let status = Memo::new(move |_| store.status());
    // Few layers leave room below them for the details.
    let has_few_layers = Memo::new(move |_| {
        store.trace.with(|trace| trace.as_ref().is_none_or(|trace| trace.summary.layers.len() <= FEW_LAYERS))
    });
    let has_trace = Memo::new(move |_| store.trace.with(Option::is_some));
    view! {
        <div id="app" class="app" data-testid="app" data-state=move || status.get().name()>
            <TopBar/>
            <Notices/>
            <NoWebGpu/>
            <Intro/>
            <main class="panels" class:few=move || has_few_layers.get()>
                <Show when=move || has_trace.get() fallback=move || view! { <NoTrace status=status/> }>
                    <Board/>
                    <CasePanel/>
                    <CaseDetails/>
                </Show>
            </main>
            <DropZone/>
        </div>
    }
}

/// What stands where a trace would be.
#[component]
fn NoTrace(status: Memo<Status>) -> impl IntoView {
    let store = Store::get();
    let name = move || store.opening.with(|opening| opening.as_ref().map(|opening| opening.name.clone()));
    view! {
        <section class="empty" aria-live="polite">
            {move || match status.get() {
                Status::Error => view! {
                    <p class="empty-title">"No trace is open."</p>
                    <p>"Open one with the button at the top, or drop a trace's folder or .zip anywhere on this page."</p>
                }.into_any(),
                _ => view! {
                    <p class="empty-title">{move || format!("Opening {}…", name().unwrap_or_else(|| "the sample".to_owned()))}</p>
                    <p>"The manifest and the headers of its files come first; tensors are read when they are needed."</p>
                }.into_any(),
            }}
        </section>
    }
}
