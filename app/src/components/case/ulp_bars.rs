//! The distribution of ULP distances as bars.

use leptos::prelude::*;
use taproot_engine::compare::Ulp;
use taproot_view::number::count;

/// The bars: distance 0, 1, 2 to 3, 4 to 7 and so on, with heights on a logarithmic scale so that single elements are seen.
#[component]
pub(super) fn UlpBars(ulp: Ulp) -> impl IntoView {
    let most = ulp.histogram.iter().copied().max().unwrap_or(0).max(1);
    let height = move |elements: u64| {
        if elements == 0 { 0.0 } else { 100.0 * (1.0 + elements as f64).ln() / (1.0 + most as f64).ln() }
    };
    let label = |bin: usize| match bin {
        0 | 1 => bin.to_string(),
        _ => format!("{}–{}", 1u64 << (bin - 1), (1u64 << bin) - 1),
    };
    let bars = ulp.histogram.iter().enumerate().map(|(bin, &elements)| {
        let text = format!("{} ULP: {} elements", label(bin), count(elements));
        view! {
            <li title=text.clone() aria-label=text>
                <span class="bar" style:height=format!("{:.1}%", height(elements))></span>
                <span class="bar-label">{if bin < 2 { bin.to_string() } else { format!("2{}", superscript(bin - 1)) }}</span>
            </li>
        }
    });
    view! {
        <figure class="ulp-bars">
            <figcaption>"ULP distance, elements (log)"</figcaption>
            <ol>{bars.collect_view()}</ol>
        </figure>
    }
}

fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    // Decimal digits are below 10.
    number.to_string().chars().filter_map(|digit| DIGITS.get(digit.to_digit(10)? as usize)).collect()
}
