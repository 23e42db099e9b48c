//! The button that copies the link to this very view.

use crate::state::{Store, address};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use taproot_view::view_state::TraceRef;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Clipboard;

/// How long the button says that it worked.
const CONFIRMED_MS: u32 = 1500;

/// The button.
#[component]
pub(super) fn CopyLink() -> impl IntoView {
    let store = Store::get();
    let is_copied = RwSignal::new(false);
    let reason = Memo::new(move |_| {
        if store.trace.with(Option::is_none) {
            return Some("There is nothing to link to yet.");
        }
        store.view.with(|view| match view.trace {
            TraceRef::Local(_) => {
                Some("The trace is on this machine only: put its folder on any web server that allows other sites to read it, open it by its address, and the link works for everyone.")
            }
            _ => None,
        })
    });
    let copy = move |_| {
        if reason.get_untracked().is_some() {
            return;
        }
        let link = address::link(&store.view.get_untracked());
        spawn_local(async move {
            let copied = match clipboard() {
                Some(clipboard) => JsFuture::from(clipboard.write_text(&link)).await.is_ok(),
                None => false,
            };
            match copied {
                true => {
                    is_copied.set(true);
                    TimeoutFuture::new(CONFIRMED_MS).await;
                    is_copied.set(false);
                }
                false => store.notices.warn(format!("The browser does not let this page copy; the link is {link}")),
            }
        });
    };
    view! {
        <button
            class="button"
            data-testid="copy-link"
            // Not `disabled`: the reason has to be reachable by keyboard.
            aria-disabled=move || reason.get().is_some().to_string()
            title=move || reason.get().unwrap_or("Copy a link to exactly this view")
            aria-label=move || match reason.get() {
                Some(reason) => format!("Copy link: not possible. {reason}"),
                None => "Copy a link to exactly this view".to_owned(),
            }
            on:click=copy
        >
            <span aria-live="polite">{move || if is_copied.get() { "Copied" } else { "Copy link" }}</span>
        </button>
    }
}

/// Browsers offer it only to pages that came over https or from this machine.
fn clipboard() -> Option<Clipboard> {
    let clipboard = js_sys::Reflect::get(&window().navigator(), &"clipboard".into()).ok()?;
    clipboard.dyn_into().ok()
}
