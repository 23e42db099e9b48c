//! A dialog over the page, opened by a button. The browser's own `dialog` keeps the focus inside and closes it with Escape.

use leptos::html::Dialog;
use leptos::prelude::*;

/// Opens and closes a dialog.
#[derive(Clone, Copy)]
pub(super) struct Popup {
    node: NodeRef<Dialog>,
}

impl Popup {
    pub(super) fn new() -> Self {
        Popup { node: NodeRef::new() }
    }

    pub(super) fn open(&self) {
        if let Some(dialog) = self.node.get_untracked() {
            // Fails only where it is open already.
            let _ = dialog.show_modal();
        }
    }

    pub(super) fn close(&self) {
        if let Some(dialog) = self.node.get_untracked() {
            dialog.close();
        }
    }
}

/// The dialog itself.
#[component]
pub(super) fn PopupDialog(
    popup: Popup,
    title: &'static str,
    testid: &'static str,
    children: Children,
) -> impl IntoView {
    // A click beside the dialog lands on its backdrop, which is the element itself.
    let on_click = move |event: leptos::ev::MouseEvent| {
        let on_backdrop = event.target().zip(popup.node.get_untracked()).is_some_and(|(target, dialog)| {
            let dialog: &web_sys::EventTarget = &dialog;
            target == *dialog
        });
        if on_backdrop {
            popup.close();
        }
    };
    view! {
        <dialog class="popup" node_ref=popup.node aria-label=title data-testid=testid on:click=on_click>
            <div class="popup-content">
                <header class="popup-header">
                    <h2 tabindex="-1" autofocus>{title}</h2>
                    <button class="icon-button" aria-label="Close" on:click=move |_| popup.close()>"✕"</button>
                </header>
                {children()}
            </div>
        </dialog>
    }
}
