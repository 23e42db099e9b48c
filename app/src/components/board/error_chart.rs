//! Errors at the layers' exits, on a logarithmic scale, in the layers' rows.

use crate::state::Store;
use crate::state::trace::OpenTrace;
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use taproot_engine::replay::LayerError;
use taproot_engine::tensor::DType;
use taproot_view::axis::LogAxis;
use taproot_view::number::significant;

/// The axis before anything is known, with room for the errors that a dtype usually has. It only ever grows, so that nothing jumps
/// while results come.
fn usual(dtype: DType) -> LogAxis {
    match dtype {
        DType::F16 => LogAxis { low: -5, high: -1 },
        DType::BF16 => LogAxis { low: -4, high: 0 },
        _ => LogAxis { low: -8, high: -4 },
    }
}

/// The chart.
#[component]
pub(super) fn ErrorChart(trace: Arc<OpenTrace>) -> impl IntoView {
    let store = Store::get();
    let plan = store.plan;
    let usual = usual(trace.summary.producer.dtype);
    let axis = Memo::new(move |_| {
        let known = plan.isolated.with(|isolated| isolated.values().copied().collect::<Vec<_>>());
        let inherited = plan.layers.with(|layers| layers.values().map(|error| error.inherited).collect::<Vec<_>>());
        let found = LogAxis::around(known.into_iter().chain(inherited), 1, usual);
        LogAxis { low: found.low.min(usual.low), high: found.high.max(usual.high) }
    });
    let rows = trace.summary.layers.len();
    let ticks = move || {
        let axis = axis.get();
        axis.ticks(3)
            .into_iter()
            .map(|exponent| {
                let at = axis.position(10f64.powi(exponent));
                view! { <span class="tick" style:left=percent(at)>"10"<sup>{exponent.to_string().replace('-', "−")}</sup></span> }
            })
            .collect_view()
    };
    let grid = move || {
        let axis = axis.get();
        axis.ticks(3)
            .into_iter()
            .map(|exponent| {
                let x = (100.0 * axis.position(10f64.powi(exponent))).to_string();
                view! { <line class="chart-grid" x1=x.clone() x2=x y1="0" y2=rows.to_string()/> }
            })
            .collect_view()
    };
    let isolated_line = move || {
        let axis = axis.get();
        plan.isolated.with(|isolated| line(isolated.iter().map(|(layer, error)| (*layer, axis.position(*error)))))
    };
    let inherited_line = move || {
        let axis = axis.get();
        plan.layers.with(|layers| line(layers.iter().map(|(layer, error)| (*layer, axis.position(error.inherited)))))
    };
    view! {
        <div class="column chart-column" data-testid="error-chart">
            <div class="head-height chart-head">
                <div class="column-title">"Error at the exit"</div>
                <ul class="chart-legend">
                    <li><span class="mark isolated" aria-hidden="true"></span>"isolated"</li>
                    <li><span class="mark inherited" aria-hidden="true"></span>"inherited"</li>
                </ul>
                <div class="ticks">{ticks}</div>
            </div>
            <div class="chart rows-height">
                <svg viewBox=format!("0 0 100 {}", rows.max(1)) preserveAspectRatio="none" aria-hidden="true">
                    {grid}
                    <polyline class="chart-isolated" points=isolated_line/>
                    <polyline class="chart-inherited" points=inherited_line/>
                </svg>
                <ol>
                    {trace.summary.layers.iter().enumerate().map(|(layer, name)| view! {
                        <Marks layer=layer name=name.clone() axis=axis/>
                    }).collect_view()}
                </ol>
            </div>
        </div>
    }
}

/// The two marks of a layer.
#[component]
fn Marks(layer: usize, name: String, axis: Memo<LogAxis>) -> impl IntoView {
    let plan = Store::get().plan;
    let isolated =
        Memo::new(move |_| plan.isolated.with(|isolated: &BTreeMap<usize, f64>| isolated.get(&layer).copied()));
    let error =
        Memo::new(move |_| plan.layers.with(|layers: &BTreeMap<usize, LayerError>| layers.get(&layer).cloned()));
    let text = move || match (error.get(), isolated.get()) {
        (Some(error), _) => {
            let amplified = error
                .amplification
                .map(|factor| format!(", amplified {}×", significant(factor, 2)))
                .unwrap_or_default();
            format!(
                "{name}: isolated {}, inherited {}{amplified}",
                significant(error.isolated, 3),
                significant(error.inherited, 3)
            )
        }
        (None, Some(isolated)) => format!("{name}: isolated {}; not in the plan", significant(isolated, 3)),
        (None, None) => format!("{name}: not known"),
    };
    view! {
        <li class="row-height marks" title=text.clone() aria-label=text data-testid="layer-error" data-layer=layer.to_string()
            data-isolated=move || isolated.get().map(|error| error.to_string())
            data-inherited=move || error.get().map(|error| error.inherited.to_string())
        >
            {move || isolated.get().map(|error| view! {
                <span class="mark isolated" style:left=percent(axis.get().position(error))></span>
            })}
            {move || error.get().map(|error| view! {
                <span class="mark inherited" style:left=percent(axis.get().position(error.inherited))></span>
            })}
        </li>
    }
}

fn percent(part: f64) -> String {
    format!("{:.2}%", 100.0 * part)
}

fn line(points: impl Iterator<Item = (usize, f64)>) -> String {
    let points: Vec<String> = points.map(|(layer, x)| format!("{:.2},{}.5", 100.0 * x, layer)).collect();
    points.join(" ")
}
