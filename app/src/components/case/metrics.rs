//! Every metric of the selected result, each with its rule and where the rule comes from.

use super::ulp_bars::UlpBars;
use crate::state::Store;
use crate::state::address::History;
use leptos::prelude::*;
use std::sync::Arc;
use taproot_engine::compare::webnn::Limit;
use taproot_engine::compare::{Comparison, Metrics, PASS_RATIO, WARN_RATIO, Worst};
use taproot_engine::replay::CaseResult;
use taproot_view::number::{count, duration, significant};

/// A row: a name, a value, and what it means.
struct Row {
    name: &'static str,
    value: String,
    rule: String,
    /// Whether it is one of the rules that say good or bad.
    passes: Option<bool>,
    /// The element that it is about.
    element: Option<usize>,
}

impl Row {
    fn new(name: &'static str, value: String, rule: impl Into<String>) -> Self {
        Row { name, value, rule: rule.into(), passes: None, element: None }
    }

    fn at(self, worst: Option<Worst>) -> Self {
        Row { element: worst.map(|worst| worst.index), ..self }
    }

    fn judged(self, passes: bool) -> Self {
        Row { passes: Some(passes), ..self }
    }
}

/// The table.
#[component]
pub(super) fn MetricsTable(result: Memo<Option<Arc<CaseResult>>>) -> impl IntoView {
    let store = Store::get();
    let shown = Memo::new(move |_| {
        let output = store.view.with(|view| view.output);
        result.with(|result| {
            let result = result.as_ref()?;
            let comparison = result.outputs.get(output).or(result.outputs.first())?;
            Some((comparison.clone(), result.target_ms, result.oracle_ms))
        })
    });
    view! {
        <section class="metrics" aria-label="Metrics" data-testid="metrics">
            <h3>"Metrics"</h3>
            {move || shown.get().map(|(comparison, target_ms, oracle_ms)| {
                let ulp = comparison.metrics.ulp.clone();
                view! {
                    <table class="facts measures">
                        <tbody>{rows(&comparison, target_ms, oracle_ms).into_iter().map(row_view).collect_view()}</tbody>
                    </table>
                    {ulp.map(|ulp| view! { <UlpBars ulp=ulp/> })}
                }
            })}
            <Show when=move || shown.with(Option::is_none)>
                <p class="hint">
                    {move || if result.with(Option::is_some) { "None: there is no result to measure." } else { "None yet: they come with the replay." }}
                </p>
            </Show>
        </section>
    }
}

fn row_view(row: Row) -> impl IntoView {
    let store = Store::get();
    let sign = row.passes.map(|passes| {
        let (verdict, sign) = if passes { ("pass", "✓") } else { ("fail", "✕") };
        view! { <span class="inline-verdict" data-verdict=verdict>{sign}" "</span> }
    });
    let jump = row.element.map(|element| {
        view! {
            <button class="link" title="Show this element in the heatmap" on:click=move |_| show_element(store, element)>"show"</button>
        }
    });
    let title = row.rule.clone();
    view! {
        <tr title=title>
            <th scope="row">{row.name}</th>
            <td class="value">
                {sign}
                <span class="number">{row.value}</span>
                {jump}
            </td>
            <td class="rule">{row.rule}</td>
        </tr>
    }
}

fn rows(comparison: &Comparison, target_ms: f64, oracle_ms: f64) -> Vec<Row> {
    let metrics = &comparison.metrics;
    let number = |value: f64| significant(value, 3);
    let or_dash = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| significant(value, 4));
    let mut rows = vec![
        Row::new(
            "ratio",
            or_dash(metrics.ratio),
            format!("target's error / max(source's error, floor); pass ≤ {PASS_RATIO}, warn ≤ {WARN_RATIO}"),
        ),
        Row::new("target's error", number(metrics.rms_target), "RMS(target − oracle)"),
        Row::new("source's error", number(metrics.rms_source), "RMS(source − oracle)"),
        Row::new("floor", number(metrics.floor), "rounding to the dtype, and what WGSL allows its built-ins"),
    ];
    if let Some(noise) = metrics.noise {
        rows.push(Row::new("source noise", number(noise), "the source's error as the carver measured it"));
    }
    let worst = |worst: Option<Worst>| worst.map_or_else(|| "–".to_owned(), |worst| significant(worst.value, 3));
    rows.push(Row::new("max abs", worst(metrics.max_abs), "largest |target − source|").at(metrics.max_abs));
    rows.push(Row::new("max rel", worst(metrics.max_rel), "largest |target − source| / |source|").at(metrics.max_rel));
    if let Some(ulp) = &metrics.ulp {
        let value = format!("{} / {} / {}", ulp.p50, ulp.p99, ulp.max);
        rows.push(Row::new("ULP", value, "distance target to source: median / 99 % / max"));
    }
    rows.push(Row::new(
        "cosine",
        metrics.cosine.map_or_else(|| "–".to_owned(), |cosine| significant(cosine, 9)),
        "angle between target and source",
    ));
    rows.push(Row::new(
        "SQNR",
        metrics.sqnr_db.map_or_else(|| "∞".to_owned(), |db| format!("{} dB", significant(db, 4))),
        "10·log₁₀(Σs² / Σ(t − s)²)",
    ));
    rows.push(Row::new("NMSE", or_dash(metrics.nmse), "Σ(t − s)² / Σs²"));
    rows.extend(rules(metrics));
    rows.push(
        Row::new("NaN/Inf", count(metrics.nonfinite_mismatches as u64), "elements where only one side is not finite")
            .judged(metrics.nonfinite_mismatches == 0),
    );
    rows.push(Row::new(
        "f16 head-room",
        format!("{} %", significant(100.0 * metrics.head_room, 3)),
        "largest magnitude / 65504; over 100 % overflows in f16",
    ));
    rows.push(Row::new(
        "time",
        duration(target_ms),
        format!("WebGPU, submission to end; the oracle took {}", duration(oracle_ms)),
    ));
    rows
}

/// Rules that others use, with their names.
fn rules(metrics: &Metrics) -> Vec<Row> {
    let close = &metrics.assert_close;
    let mut rows = vec![
        Row::new(
            "assert_close",
            format!("{} of {} off", count(close.mismatched as u64), count(close.of as u64)),
            format!("torch.testing.assert_close, rtol {:e}, atol {:e}", close.rtol, close.atol),
        )
        .judged(close.pass),
    ];
    if let Some(webnn) = &metrics.webnn {
        let value = match webnn.limit {
            Limit::Ulp(limit) => format!("{} of {limit} ULP", significant(webnn.worst, 4)),
            Limit::Atol(limit) => format!("{} of {}", significant(webnn.worst, 3), significant(limit, 3)),
        };
        rows.push(Row::new("WebNN", value, webnn.source.clone()).judged(webnn.pass));
    }
    rows
}

/// Moves the heatmap to an element by its position in row-major order.
fn show_element(store: Store, element: usize) {
    let Some(plane) = store.plane() else { return };
    let Some((slice, row, column)) = plane.place(element) else { return };
    store.go(History::Push, |view| {
        view.slice = slice;
        let viewport = plane.viewport(store.heat.size.get_untracked(), view.window);
        let centre = Some((row as f64 + 0.5, column as f64 + 0.5));
        view.window = taproot_view::view_state::Window { zoom: viewport.max_zoom(), centre };
    });
    store.heat.cursor.set(Some((row, column)));
}
