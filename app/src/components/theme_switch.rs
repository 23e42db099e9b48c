//! The switch between dark, light and what the system says.

use crate::state::Store;
use crate::state::theme::Theme;
use leptos::prelude::*;

/// The switch.
#[component]
pub(super) fn ThemeSwitch() -> impl IntoView {
    let chosen = Store::get().themes.chosen;
    let sign = move || match chosen.get() {
        Theme::System => "◐",
        Theme::Light => "☀",
        Theme::Dark => "☾",
    };
    let label = move || format!("Theme: {}; switch to {}", chosen.get().name(), chosen.get().next().name());
    view! {
        <button
            class="icon-button"
            data-testid="theme-switch"
            aria-label=label
            title=label
            on:click=move |_| chosen.update(|theme| *theme = theme.next())
        >
            {sign}
        </button>
    }
}
