//! The heatmap of the selected result: expected, actual, difference.

mod canvas;
mod image;
mod legend;
mod paint;
mod readout;
mod slices;
mod toolbar;

use crate::state::Store;
use canvas::Canvas;
use legend::Legend;
use leptos::prelude::*;
use readout::Readout;
use slices::Slices;
use taproot_view::scale::Ramp;
use toolbar::Toolbar;

/// The heatmap with its controls.
#[component]
pub(super) fn Heatmap() -> impl IntoView {
    let store = Store::get();
    // The scale of what has come, not of what is asked for: colours change together with the values.
    let ramp = Memo::new(move |_| {
        let scale = store.view.with(|view| view.scale);
        store.heat.grid.with(|grid| grid.as_ref().map(|grid| Ramp::new(scale, grid.min.into(), grid.max.into())))
    });
    view! {
        <section class="heatmap" aria-label="Heatmap" data-testid="heatmap">
            <Toolbar/>
            <Slices/>
            <Canvas ramp=ramp/>
            <Readout/>
            <Legend ramp=ramp/>
        </section>
    }
}
