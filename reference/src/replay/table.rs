//! A replay as a table that a person can read.

use super::ReplayReport;
use crate::info::plain_table;
use crate::text::{bytes, float, grouped};
use std::fmt::Write as _;
use taproot_engine::compare::{PASS_RATIO, Verdict, WARN_RATIO};
use taproot_engine::replay::CaseResult;

/// Up to so many cases are listed one by one even if all pass.
const FEW: usize = 40;

/// The report: where it ran, a line per operator, a line per case that did not pass (with `every_case`, or where there
/// are few, per case), and last the counts.
pub fn to_table(report: &ReplayReport, every_case: bool) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = head(&mut text, report);
    let _ = writeln!(text, "\n{}", operators(report));
    let listed: Vec<&CaseResult> = report
        .cases
        .iter()
        .filter(|case| every_case || report.cases.len() <= FEW || case.verdict != Verdict::Pass)
        .collect();
    if !listed.is_empty() {
        let _ = writeln!(text, "\n{}", cases(report, &listed));
    }
    let _ = writeln!(
        text,
        "\nratio = RMS error against f64 over the source's own; up to {PASS_RATIO} passes, up to {WARN_RATIO} warns\n"
    );
    let _ = writeln!(text, "{}", report.totals());
    text
}

fn head(text: &mut String, report: &ReplayReport) -> std::fmt::Result {
    let gpu = &report.gpu;
    writeln!(text, "{}", report.manifest.model.name)?;
    writeln!(text, "  trace    {} ({})", report.source, report.hash.get(..12).unwrap_or(&report.hash))?;
    writeln!(text, "  on       {} ({}, {}), driver {}", gpu.name, gpu.device_type, gpu.backend, gpu.driver)?;
    writeln!(
        text,
        "  limits   buffers of {}, bindings of {}; features {}",
        bytes(gpu.limits.max_buffer_size),
        bytes(gpu.limits.max_storage_buffer_binding_size),
        if gpu.features.is_empty() { "none".to_owned() } else { gpu.features.join(", ") }
    )?;
    for kernel in &report.overrides {
        writeln!(text, "  replaced {kernel}")?;
    }
    writeln!(text, "  time     {:.1} s", report.time.as_secs_f64())
}

fn operators(report: &ReplayReport) -> String {
    let header = ["operator", "cases", "pass", "warn", "fail", "gap", "worst ratio", "ms", "worst case"];
    let mut table = plain_table(&header, &[1, 2, 3, 4, 5, 6, 7]);
    for (op, cases) in report.by_operator() {
        let number = |verdict| cases.iter().filter(|case| case.verdict == verdict).count();
        let worst = cases.iter().max_by(|a, b| a.verdict.cmp(&b.verdict).then(ratio(a).total_cmp(&ratio(b))));
        let worst_ratio = worst.and_then(|case| case.deciding()?.metrics.ratio).map_or_else(String::new, float);
        let time: f64 = cases.iter().map(|case| case.target_ms).sum();
        table.add_row([
            op.to_owned(),
            grouped(cases.len()),
            grouped(number(Verdict::Pass)),
            grouped(number(Verdict::Warn)),
            grouped(number(Verdict::Fail)),
            grouped(number(Verdict::Gap)),
            worst_ratio,
            format!("{time:.1}"),
            worst.map(|case| case.id.clone()).unwrap_or_default(),
        ]);
    }
    table.trim_fmt()
}

fn cases(report: &ReplayReport, cases: &[&CaseResult]) -> String {
    let mut table = plain_table(&["case", "layer", "verdict", "ratio", "max |t − s|", "ms", "reason"], &[3, 4, 5]);
    for case in cases {
        let metrics = case.deciding().map(|comparison| &comparison.metrics);
        let shown = |value: Option<f64>| value.map_or_else(String::new, float);
        table.add_row([
            case.id.clone(),
            report.layer(case).to_owned(),
            case.verdict.to_string(),
            shown(metrics.and_then(|metrics| metrics.ratio)),
            shown(metrics.and_then(|metrics| metrics.max_abs).map(|worst| worst.value)),
            format!("{:.1}", case.target_ms),
            case.reason.clone().unwrap_or_default(),
        ]);
    }
    table.trim_fmt()
}

fn ratio(case: &CaseResult) -> f64 {
    case.deciding().and_then(|comparison| comparison.metrics.ratio).unwrap_or(0.0)
}
