//! The scale: its colours, its ends to read and to set, and what it is of.

use crate::state::Store;
use crate::state::address::History;
use leptos::prelude::*;
use taproot_view::colour::{self, Map, NON_FINITE, Rgb};
use taproot_view::number::significant;
use taproot_view::scale::{Quantity, Ramp, Scale};

/// Steps of the gradient.
const STEPS: usize = 16;

/// An end of the scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Low,
    High,
}

/// The colour bar with its numbers.
#[component]
pub(super) fn Legend(ramp: Memo<Option<Ramp>>) -> impl IntoView {
    let store = Store::get();
    let gradient = move || {
        let ground = store.themes.ground();
        ramp.get().map(|ramp| {
            let span = ramp.high - ramp.low;
            let colours = (0..=STEPS).map(|step| {
                let value = ramp.low + span * step as f64 / STEPS as f64;
                css(colour::at(ramp.map, ground, ramp.position(value)))
            });
            format!("linear-gradient(to right, {})", colours.collect::<Vec<_>>().join(", "))
        })
    };
    let middle = move || {
        ramp.get().map(|ramp| match ramp.map {
            Map::Diverging if ramp.low < 0.0 && ramp.high > 0.0 => significant(0.0, 3),
            _ => significant((ramp.low + ramp.high) / 2.0, 3),
        })
    };
    let meaning = move || match store.quantity() {
        Quantity::Expected => "expected",
        Quantity::Actual => "actual",
        Quantity::Difference => "actual − expected",
        Quantity::Relative => "|actual − expected| / |expected|",
        Quantity::Ulp => "|actual − expected| in ULP",
    };
    view! {
        <div class="legend" data-testid="legend" role="group" aria-label="Scale">
            <Mode ramp=ramp/>
            <EndInput ramp=ramp end=End::Low/>
            <div class="legend-bar" style:background=gradient>
                <span class="number">{middle}</span>
            </div>
            <EndInput ramp=ramp end=End::High/>
            <span class="non-finite"><span class="swatch" style:background=css(NON_FINITE) aria-hidden="true"></span>"NaN, Inf"</span>
            <span class="legend-meaning">{meaning}</span>
        </div>
    }
}

#[component]
fn Mode(ramp: Memo<Option<Ramp>>) -> impl IntoView {
    let store = Store::get();
    let is_fixed = move || store.view.with(|view| view.scale != Scale::Auto);
    let toggle = move |_| {
        let now = store.view.with_untracked(|view| view.scale);
        let next = match (now, ramp.get_untracked()) {
            (Scale::Auto, Some(ramp)) => Scale::fixed(short(ramp.low), short(ramp.high)).unwrap_or_default(),
            _ => Scale::Auto,
        };
        store.go(History::Replace, |view| view.scale = next);
    };
    view! {
        <button
            class="button small scale-mode"
            data-testid="scale-mode"
            aria-pressed=move || is_fixed().to_string()
            title="Auto: the values of this plane. Fixed: the same from one operator to the next."
            on:click=toggle
        >
            {move || if is_fixed() { "fixed" } else { "auto" }}
        </button>
    }
}

#[component]
fn EndInput(ramp: Memo<Option<Ramp>>, end: End) -> impl IntoView {
    let store = Store::get();
    let (label, testid) = match end {
        End::Low => ("Low end of the scale", "scale-low"),
        End::High => ("High end of the scale", "scale-high"),
    };
    let set = move |text: String| {
        let Some(ramp) = ramp.get_untracked() else { return };
        let Ok(value) = text.trim().replace('−', "-").parse::<f64>() else { return };
        let scale = match end {
            End::Low => Scale::fixed(value, ramp.high),
            End::High => Scale::fixed(ramp.low, value),
        };
        if let Some(scale) = scale {
            store.go(History::Replace, |view| view.scale = scale);
        }
    };
    let text = move || {
        let value = ramp.get().map(|ramp| match end {
            End::Low => ramp.low,
            End::High => ramp.high,
        });
        value.map(|value| significant(value, 3)).unwrap_or_default()
    };
    view! {
        <input
            class="scale-end"
            aria-label=label
            data-testid=testid
            inputmode="decimal"
            prop:value=text
            on:change:target=move |event| set(event.target().value())
        />
    }
}

/// The number as it is printed: a fixed scale stands in links.
fn short(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

fn css([red, green, blue]: Rgb) -> String {
    format!("rgb({red} {green} {blue})")
}
