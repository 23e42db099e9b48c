//! A replay as a JUnit report: a test suite per layer, a test case per case.

use super::{ReplayError, ReplayReport};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;
use taproot_engine::compare::Verdict;
use taproot_engine::replay::CaseResult;

/// The report. A gap is a skipped test, a warning a passed one with its reason as output.
///
/// # Errors
/// When the report cannot be put into XML.
pub fn to_junit(report: &ReplayReport) -> Result<String, ReplayError> {
    let mut junit = Report::new(format!("taproot replay: {}", report.manifest.model.name));
    junit.set_time(report.time);
    for (index, layer) in report.manifest.layers.iter().enumerate() {
        let cases: Vec<TestCase> =
            report.cases.iter().filter(|case| case.layer == index).map(|case| test_case(report, case)).collect();
        if !cases.is_empty() {
            let mut suite = TestSuite::new(&layer.name);
            suite.add_test_cases(cases);
            junit.add_test_suite(suite);
        }
    }
    junit.to_string().map_err(|error| ReplayError::Report { kind: "JUnit", reason: error.to_string() })
}

fn test_case(report: &ReplayReport, case: &CaseResult) -> TestCase {
    let reason = case.reason.as_deref().unwrap_or("no reason was given");
    let status = match case.verdict {
        Verdict::Pass | Verdict::Warn => TestCaseStatus::success(),
        Verdict::Fail => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("fail").set_message(reason);
            status
        }
        Verdict::Gap => {
            let mut status = TestCaseStatus::skipped();
            status.set_type("gap").set_message(reason);
            status
        }
    };
    let mut test = TestCase::new(&case.id, status);
    test.set_classname(&case.op);
    // Not negative and far from overflowing: milliseconds by the clock.
    test.set_time(Duration::try_from_secs_f64((case.target_ms + case.oracle_ms) / 1e3).unwrap_or_default());
    test.add_property(("step", report.step(case)));
    if let Some(ratio) = case.deciding().and_then(|comparison| comparison.metrics.ratio) {
        test.add_property(("ratio", ratio.to_string().as_str()));
    }
    if case.verdict == Verdict::Warn {
        test.set_system_out(reason);
    }
    test
}
