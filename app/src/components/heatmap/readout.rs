//! The element under the cursor: index, values, bits, ULP.

use crate::state::Store;
use leptos::prelude::*;
use taproot_engine::compare::heatmap::{Element, Number};
use taproot_view::number::{count, significant};

/// Lines that are always there, so that nothing moves when the pointer comes.
#[component]
pub(super) fn Readout() -> impl IntoView {
    let store = Store::get();
    view! {
        <div class="readout mono" data-testid="readout" aria-live="polite">
            {move || match store.heat.element.get() {
                Some(element) => known(&element).into_any(),
                None => view! {
                    <span class="hint">"Point at an element for its value. The wheel or +/− zooms, dragging moves, arrow keys move a cursor."</span>
                }.into_any(),
            }}
        </div>
    }
}

fn known(element: &Element) -> impl IntoView + use<> {
    let index: Vec<String> = element.index.iter().map(usize::to_string).collect();
    let difference = element.actual.as_ref().map(|actual| {
        let ulp = element.ulp.map(|ulp| format!(" {} ULP", count(ulp.into()))).unwrap_or_default();
        let value = significant(actual.value - element.expected.value, 4);
        view! { <span><b>"difference "</b><span data-testid="readout-difference">{value}</span>{ulp}</span> }
    });
    view! {
        <span data-testid="readout-index">{format!("[{}]", index.join(", "))}</span>
        {number("expected ", "readout-expected", &element.expected)}
        {element.actual.as_ref().map(|actual| number("actual ", "readout-actual", actual))}
        {difference}
        {element.oracle.as_ref().map(|oracle| number("oracle ", "readout-oracle", oracle))}
    }
}

fn number(name: &'static str, testid: &'static str, number: &Number) -> impl IntoView + use<> {
    let text = number.text.replace('-', "−");
    let bits = number.bits.clone();
    view! { <span><b>{name}</b><span data-testid=testid>{text}</span>" "<span class="bits">{bits}</span></span> }
}
