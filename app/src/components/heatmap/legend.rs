//! The scale, printed.

use crate::state::Store;
use leptos::prelude::*;
use taproot_view::colour::{self, Map, NON_FINITE, Rgb};
use taproot_view::number::significant;
use taproot_view::scale::{Quantity, Ramp, Scale};

/// Steps of the gradient.
const STEPS: usize = 16;

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
    let meaning = move || {
        store.view.with(|view| {
            let what = match view.quantity {
                Quantity::Expected => "expected",
                Quantity::Actual => "actual",
                Quantity::Difference => "actual − expected",
                Quantity::Relative => "|actual − expected| / |expected|",
                Quantity::Ulp => "|actual − expected| in ULP",
            };
            let scale = if view.scale == Scale::Auto { "scale of this plane" } else { "fixed scale" };
            format!("{what}, {scale}")
        })
    };
    view! {
        <div class="legend" data-testid="legend">
            <span class="number">{move || ramp.get().map(|ramp| significant(ramp.low, 3))}</span>
            <div class="legend-bar" style:background=gradient>
                <span class="number">{middle}</span>
            </div>
            <span class="number">{move || ramp.get().map(|ramp| significant(ramp.high, 3))}</span>
            <span class="swatch" style:background=css(NON_FINITE) aria-hidden="true"></span>
            <span>"NaN, Inf"</span>
            <span class="legend-meaning">{meaning}</span>
        </div>
    }
}

fn css([red, green, blue]: Rgb) -> String {
    format!("rgb({red} {green} {blue})")
}
