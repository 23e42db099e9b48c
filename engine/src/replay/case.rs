//! One case: an operator fed with recorded inputs on WebGPU, beside the record and the oracle.

use crate::compare::{Comparison, Verdict};
use crate::oracle::Array;
use crate::tensor::HostTensor;
use crate::trace::{Operator, OperatorIndex};
use serde::{Deserialize, Serialize};

/// The outcome of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// Position of the operator in the manifest.
    pub operator: OperatorIndex,
    /// Operator id.
    pub id: String,
    /// ATen name.
    pub op: String,
    /// Position of its layer.
    pub layer: usize,
    /// Position of its step.
    pub step: usize,
    /// The worst verdict of its results.
    pub verdict: Verdict,
    /// One sentence, where it is not a pass.
    pub reason: Option<String>,
    /// One comparison per result; empty where the case could not run.
    pub outputs: Vec<Comparison>,
    /// Milliseconds from submitting the operator to its end, by the clock on the wall.
    pub target_ms: f64,
    /// Milliseconds that the oracle took.
    pub oracle_ms: f64,
}

/// Values of one result of a case, for looking at them.
#[derive(Clone, Debug)]
pub struct CaseTensors {
    /// As recorded.
    pub source: HostTensor,
    /// As WebGPU computed it, where it could.
    pub target: Option<HostTensor>,
    /// As the oracle computed it, where it could.
    pub oracle: Option<Array>,
}

impl CaseResult {
    /// A case that gave nothing to compare.
    pub(super) fn without_result(at: OperatorIndex, operator: &Operator, verdict: Verdict, reason: String) -> Self {
        CaseResult {
            operator: at,
            id: operator.id.clone(),
            op: operator.op.clone(),
            layer: operator.layer,
            step: operator.step,
            verdict,
            reason: Some(reason),
            outputs: Vec::new(),
            target_ms: 0.0,
            oracle_ms: 0.0,
        }
    }

    /// The comparison that decided the verdict: the worst one.
    pub fn deciding(&self) -> Option<&Comparison> {
        let key = |comparison: &Comparison| comparison.metrics.ratio.unwrap_or(f64::INFINITY);
        self.outputs.iter().max_by(|a, b| a.verdict.cmp(&b.verdict).then(key(a).total_cmp(&key(b))))
    }
}
