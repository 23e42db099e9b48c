//! What to show, and how near.

use crate::state::Store;
use crate::state::address::History;
use leptos::ev;
use leptos::prelude::*;
use taproot_view::number::significant;
use taproot_view::scale::Quantity;
use taproot_view::view_state::Window;

/// How much a press of a zoom button changes.
pub(super) const ZOOM_STEP: f64 = 1.5;

/// The toolbar.
#[component]
pub(super) fn Toolbar() -> impl IntoView {
    view! {
        <div class="toolbar">
            <Tabs/>
            <span class="spacer"></span>
            <ZoomButtons/>
        </div>
    }
}

fn title(quantity: Quantity) -> (&'static str, &'static str) {
    match quantity {
        Quantity::Expected => ("Expected", "What the source recorded"),
        Quantity::Actual => ("Actual", "What WebGPU computed"),
        Quantity::Difference => ("Difference", "Actual − expected"),
        Quantity::Relative => ("Relative", "|actual − expected| / |expected|"),
        Quantity::Ulp => ("ULP", "|actual − expected| in units in the last place"),
    }
}

#[component]
fn Tabs() -> impl IntoView {
    let store = Store::get();
    let shown = Memo::new(move |_| store.quantity());
    let choose = move |quantity: Quantity| store.go(History::Push, |view| view.quantity = quantity);
    let on_key = move |event: ev::KeyboardEvent| {
        let all = Quantity::ALL;
        let at = all.iter().position(|quantity| *quantity == shown.get_untracked()).unwrap_or(0);
        let next = match event.key().as_str() {
            "ArrowRight" => at + 1,
            "ArrowLeft" => at + all.len() - 1,
            _ => return,
        };
        event.prevent_default();
        // In range: taken modulo the length.
        choose(all[next % all.len()]);
    };
    view! {
        <div class="tabs" role="tablist" aria-label="Values" on:keydown=on_key>
            {Quantity::ALL.map(|quantity| {
                let (name, about) = title(quantity);
                view! {
                    <button
                        class="tab"
                        role="tab"
                        data-testid=format!("tab-{}", quantity.name())
                        aria-selected=move || (shown.get() == quantity).to_string()
                        tabindex=move || if shown.get() == quantity { "0" } else { "-1" }
                        title=about
                        on:click=move |_| choose(quantity)
                    >
                        {name}
                    </button>
                }
            }).collect_view()}
        </div>
    }
}

#[component]
fn ZoomButtons() -> impl IntoView {
    let store = Store::get();
    let zoom = move |factor: f64| {
        let Some(plane) = store.plane() else { return };
        let size = store.heat.size.get_untracked();
        store.go(History::Replace, |view| {
            view.window = plane.viewport(size, view.window).zoomed(factor, size.0 / 2.0, size.1 / 2.0);
        });
    };
    let shown = move || store.view.with(|view| format!("{}×", significant(view.window.zoom, 3)));
    view! {
        <div class="zoom" role="group" aria-label="Zoom">
            <button class="icon-button" data-testid="zoom-out" aria-label="Zoom out" title="Zoom out (−)" on:click=move |_| zoom(1.0 / ZOOM_STEP)>"−"</button>
            <button
                class="button small zoom-value" data-testid="zoom-fit" aria-label="Show the whole plane" title="Show the whole plane (0)"
                on:click=move |_| store.go(History::Replace, |view| view.window = Window::default())
            >{shown}</button>
            <button class="icon-button" data-testid="zoom-in" aria-label="Zoom in" title="Zoom in (+)" on:click=move |_| zoom(ZOOM_STEP)>"+"</button>
        </div>
    }
}
