//! A replay in JSON.

use super::{ReplayError, ReplayReport, Totals};
use serde::Serialize;
use taproot_engine::compare::{Comparison, Verdict};
use taproot_engine::replay::CaseResult;
use taproot_engine::webgpu::GpuInfo;

#[derive(Serialize)]
struct Report<'a> {
    tool: &'static str,
    tool_version: &'static str,
    trace: TraceOf<'a>,
    gpu: &'a GpuInfo,
    overrides: &'a [String],
    time_ms: f64,
    totals: Totals,
    cases: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct TraceOf<'a> {
    model: &'a str,
    source: &'a str,
    hash: &'a str,
}

#[derive(Serialize)]
struct Case<'a> {
    id: &'a str,
    op: &'a str,
    layer: Named<'a>,
    step: Named<'a>,
    verdict: Verdict,
    reason: Option<&'a str>,
    target_ms: f64,
    oracle_ms: f64,
    outputs: &'a [Comparison],
}

#[derive(Serialize)]
struct Named<'a> {
    index: usize,
    name: &'a str,
}

/// The report with every metric of every case.
///
/// # Errors
/// When the report cannot be put into JSON.
pub fn to_json(report: &ReplayReport) -> Result<String, ReplayError> {
    let json = Report {
        tool: "taproot",
        tool_version: env!("CARGO_PKG_VERSION"),
        trace: TraceOf { model: &report.manifest.model.name, source: &report.source, hash: &report.hash },
        gpu: &report.gpu,
        overrides: &report.overrides,
        time_ms: report.time.as_secs_f64() * 1e3,
        totals: report.totals(),
        cases: report.cases.iter().map(|case| describe(report, case)).collect(),
    };
    serde_json::to_string_pretty(&json).map_err(|error| ReplayError::Report { kind: "JSON", reason: error.to_string() })
}

fn describe<'a>(report: &'a ReplayReport, case: &'a CaseResult) -> Case<'a> {
    Case {
        id: &case.id,
        op: &case.op,
        layer: Named { index: case.layer, name: report.layer(case) },
        step: Named { index: case.step, name: report.step(case) },
        verdict: case.verdict,
        reason: case.reason.as_deref(),
        target_ms: case.target_ms,
        oracle_ms: case.oracle_ms,
        outputs: &case.outputs,
    }
}
