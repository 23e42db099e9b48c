//! Notices at the top of the page.

use crate::state::Store;
use crate::state::notices::Severity;
use leptos::prelude::*;

/// All notices that were not dismissed.
#[component]
pub(super) fn Notices() -> impl IntoView {
    let store = Store::get();
    view! {
        <div class="notices" aria-live="assertive">
            <For each=move || store.notices.shown() key=|notice| notice.id let:notice>
                <div
                    class="notice"
                    class:warning=notice.severity == Severity::Warning
                    role="alert"
                    data-testid=match notice.severity {
                        Severity::Error => "error-banner",
                        Severity::Warning => "warning-banner",
                    }
                >
                    <span class="notice-sign" aria-hidden="true">
                        {match notice.severity { Severity::Error => "✕", Severity::Warning => "△" }}
                    </span>
                    <p>{notice.text.clone()}</p>
                    <button class="icon-button" aria-label="Dismiss" on:click=move |_| store.notices.dismiss(notice.id)>"✕"</button>
                </div>
            </For>
        </div>
    }
}
