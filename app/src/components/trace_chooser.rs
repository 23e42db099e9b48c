//! Choosing a trace: a bundled sample, an address, or files of this machine.

use super::popup::{Popup, PopupDialog};
use crate::state::Store;
use crate::state::address::History;
use crate::state::drop;
use leptos::html::Input;
use leptos::prelude::*;
use taproot_view::ViewState;
use taproot_view::view_state::TraceRef;

/// The button with the trace's name, and its dialog.
#[component]
pub(super) fn TraceChooser() -> impl IntoView {
    let store = Store::get();
    let popup = Popup::new();
    let name = move || {
        let opening =
            store.opening.with(|opening| opening.as_ref().map(|opening| format!("Opening {}…", opening.name)));
        let open = || store.trace.with(|trace| trace.as_ref().map(|trace| trace.summary.model.clone()));
        opening.or_else(open).unwrap_or_else(|| "Open a trace…".to_owned())
    };
    view! {
        <button class="button trace-name" data-testid="trace-chooser" title=name aria-haspopup="dialog" on:click=move |_| popup.open()>
            <span>{name}</span>
            <span class="caret" aria-hidden="true">"▾"</span>
        </button>
        <PopupDialog popup=popup title="Open a trace" testid="trace-dialog">
            <Samples popup=popup/>
            <Address popup=popup/>
            <Files popup=popup/>
        </PopupDialog>
    }
}

#[component]
fn Samples(popup: Popup) -> impl IntoView {
    let store = Store::get();
    let open = move |id: String| {
        popup.close();
        store.open_view(ViewState { trace: TraceRef::Sample(id), ..ViewState::default() }, History::Push);
    };
    view! {
        <h3>"Bundled samples"</h3>
        <ul class="samples">
            <For each=move || store.samples.get() key=|sample| sample.id.clone() let:sample>
                <li>
                    <button class="sample" data-testid="sample" data-sample=sample.id.clone() on:click={
                        let id = sample.id.clone();
                        move |_| open(id.clone())
                    }>
                        <strong>{sample.title.clone()}</strong>
                        <span>{sample.about.clone()}</span>
                    </button>
                </li>
            </For>
        </ul>
    }
}

#[component]
fn Address(popup: Popup) -> impl IntoView {
    let store = Store::get();
    let input = NodeRef::<Input>::new();
    let open = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let url = input.get_untracked().map(|input| input.value().trim().to_owned()).unwrap_or_default();
        if !url.is_empty() {
            popup.close();
            store.open_view(ViewState { trace: TraceRef::Url(url), ..ViewState::default() }, History::Push);
        }
    };
    view! {
        <h3>"From an address"</h3>
        <form class="address" on:submit=open>
            <input
                node_ref=input
                type="url"
                placeholder="https://example.org/trace/"
                aria-label="Address of a trace's folder, its trace.json or its .zip"
                data-testid="trace-url"
            />
            <button class="button" type="submit" data-testid="open-url">"Open"</button>
        </form>
        <p class="hint">"The folder of a trace, its trace.json, or a .zip, on any server that allows other sites to read it."</p>
    }
}

#[component]
fn Files(popup: Popup) -> impl IntoView {
    let store = Store::get();
    let folder = NodeRef::<Input>::new();
    let archive = NodeRef::<Input>::new();
    let take = move |input: NodeRef<Input>| {
        let Some(input) = input.get_untracked() else { return };
        if let Some(source) = input.files().as_ref().and_then(drop::chosen) {
            popup.close();
            store.open_files(source);
        }
        // So that choosing the same files again is a change.
        input.set_value("");
    };
    let choose = |input: NodeRef<Input>| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    view! {
        <h3>"From this machine"</h3>
        <div class="row">
            <button class="button" on:click=move |_| choose(folder)>"Choose a folder…"</button>
            <button class="button" on:click=move |_| choose(archive)>"Choose a .zip…"</button>
        </div>
        <input
            node_ref=folder type="file" prop:webkitdirectory=true hidden data-testid="folder-input"
            on:change=move |_| take(folder)
        />
        <input node_ref=archive type="file" accept=".zip" hidden data-testid="zip-input" on:change=move |_| take(archive)/>
        <p class="hint">"Or drop it anywhere on this page. Nothing is sent anywhere; only the parts that are looked at are read."</p>
    }
}
