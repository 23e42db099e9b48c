//! What comes of a case.

use crate::vectors::{Case, Vectors};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use taproot_engine::compare::{Comparands, Verdict, compare};
use taproot_engine::graph::{Call, Meta, OpError};
use taproot_engine::operators::{self, Definition};
use taproot_engine::oracle::{self, Array};
use taproot_engine::tensor::{HostTensor, Layout};
use taproot_engine::webgpu::{Gpu, GpuError, GpuTensor};

/// Relative to the element, and relative to 1 or the largest number that takes part: as `operator_vectors` holds the oracle.
const RELATIVE: f64 = 1e-12;
const OF_LARGEST: f64 = 1e-15;
/// Longest reason that is kept.
const REASON: usize = 240;

/// What comes of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// The oracle and WebGPU give what is expected.
    Passes,
    /// The vocabulary has no such operator.
    Missing,
    /// The operator's signature refuses the arguments, or gives another dtype or shape.
    Refused,
    /// The oracle gives another result, or none.
    Oracle,
    /// WebGPU says that it does not do this.
    Gap,
    /// WebGPU gives another result, or an error.
    Fails,
}

/// What comes of a case, and why.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Outcome {
    pub(crate) kind: Kind,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) reason: String,
}

type Judged = Result<(), Outcome>;

fn because(kind: Kind, reason: impl std::fmt::Display) -> Outcome {
    Outcome { kind, reason: reason.to_string().chars().take(REASON).collect() }
}

/// All outcomes, for the reports made of them.
pub(crate) fn to_json(device: &str, outcomes: &BTreeMap<&str, Outcome>) -> String {
    let mut text = serde_json::to_string(&serde_json::json!({ "device": device, "outcomes": outcomes })).unwrap();
    text.push('\n');
    text
}

/// Runs a case in the oracle and on WebGPU.
pub(crate) async fn judge(gpu: &Gpu, vectors: &Vectors, case: &Case) -> Outcome {
    match judge_steps(gpu, vectors, case).await {
        Ok(()) => because(Kind::Passes, ""),
        Err(outcome) => outcome,
    }
}

async fn judge_steps(gpu: &Gpu, vectors: &Vectors, case: &Case) -> Judged {
    let Some(definition) = operators::lookup(&case.op) else { return Err(because(Kind::Missing, "")) };
    let host = vectors.call(case);
    let source = vectors.source(case);
    check_signature(&host, &source)?;
    let arrays = host.map_tensors(Array::from_host);
    let computed = oracle::run(&arrays).map_err(|error| because(Kind::Oracle, error))?;
    check_oracle(&arrays, &computed, &vectors.expected(case))?;
    for (at, (array, published)) in computed.iter().zip(&source).enumerate() {
        if let Some(values) = rounded(array) {
            within(case, &values, published).map_err(|line| because(Kind::Oracle, format!("result {at}: {line}")))?;
        }
    }

    let targets = run(gpu, case, &host, definition).await.map_err(|error| match error {
        GpuError::UnsupportedDType { .. } | GpuError::Operator(OpError::Unsupported { .. }) => {
            because(Kind::Gap, error)
        }
        // Not a failure but the promise kept: an integer that 32 bits cannot hold is refused, never wrapped.
        GpuError::IntegerRange { .. } => because(Kind::Gap, error),
        error => because(Kind::Fails, error),
    })?;
    let allowances = match definition {
        Definition::Kernel(kernel) => (kernel.allowance)(&arrays, &computed),
        Definition::View(_) => vec![Vec::new(); computed.len()],
    };
    if targets.len() != source.len() || allowances.len() != source.len() {
        return Err(because(Kind::Fails, format!("{} results, not {}", targets.len(), source.len())));
    }
    for (at, target) in targets.iter().enumerate() {
        // PyTorch's numbers stand as the oracle; ours only says of which dtype the result is.
        let expected = Array { dtype: computed[at].dtype, ..Array::from_host(vectors.expected(case)[at]) };
        let comparison = compare(&Comparands {
            target,
            source: source[at],
            oracle: &expected,
            allowance: &allowances[at],
            noise: None,
            op: &case.op,
            webnn: None,
        });
        if comparison.verdict == Verdict::Fail || (comparison.verdict == Verdict::Warn && case.tolerance.is_none()) {
            let reason = comparison.reason.unwrap_or_default();
            return Err(because(Kind::Fails, format!("result {at}: {}: {reason}", comparison.verdict)));
        }
        within(case, &target.to_f64(), source[at])
            .map_err(|line| because(Kind::Fails, format!("result {at}: {line}")))?;
    }
    Ok(())
}

fn check_signature(host: &Call<HostTensor>, source: &[&HostTensor]) -> Judged {
    let meta = |tensor: &HostTensor| Meta::new(tensor.dtype(), tensor.shape());
    let inferred = operators::infer(&host.map_tensors(meta)).map_err(|error| because(Kind::Refused, error))?;
    let wanted: Vec<Meta> = source.iter().map(|tensor| meta(tensor)).collect();
    if inferred == wanted { Ok(()) } else { Err(because(Kind::Refused, format!("{inferred:?}, not {wanted:?}"))) }
}

/// The oracle against PyTorch in f64.
fn check_oracle(call: &Call<Array>, computed: &[Array], expected: &[&HostTensor]) -> Judged {
    if computed.len() != expected.len() {
        return Err(because(Kind::Oracle, format!("{} results, not {}", computed.len(), expected.len())));
    }
    for (at, (result, expected)) in computed.iter().zip(expected).enumerate() {
        if result.shape != expected.shape() {
            let reason = format!("result {at} has shape {:?}, not {:?}", result.shape, expected.shape());
            return Err(because(Kind::Oracle, reason));
        }
        if let Ok(expected) = expected.to_i64() {
            if *result.ints() != expected {
                return Err(because(Kind::Oracle, format!("result {at} is {:?}, not {expected:?}", result.ints())));
            }
            continue;
        }
        let expected = expected.to_f64();
        let largest = largest(call, &expected);
        for (element, (&found, &e)) in result.floats().iter().zip(&expected).enumerate() {
            let close = found == e
                || (found.is_nan() && e.is_nan())
                || (found - e).abs() <= RELATIVE * e.abs() + OF_LARGEST * largest;
            if !close {
                let reason = format!("result {at}: element {element} is {found:e}, not {e:e}");
                return Err(because(Kind::Oracle, reason));
            }
        }
    }
    Ok(())
}

/// The largest finite magnitude among the tensors of a call and its result, and 1.
fn largest(call: &Call<Array>, result: &[f64]) -> f64 {
    let mut values = result.to_vec();
    let _ = call.map_tensors(|array| values.extend(array.to_f64()));
    values.into_iter().filter(|value| value.is_finite()).fold(1.0, |largest, value| largest.max(value.abs()))
}

/// The oracle's values, rounded where they are floats; None for floats that the engine reads only.
fn rounded(result: &Array) -> Option<Vec<f64>> {
    let exact = result.to_f64();
    if !result.dtype.is_float() {
        return Some(exact);
    }
    HostTensor::from_f64(result.dtype, &result.shape, &exact).ok().map(|tensor| tensor.to_f64())
}

/// A result against what was published, within the tolerance that was published with it.
fn within(case: &Case, found: &[f64], published: &HostTensor) -> Result<(), String> {
    let Some([relative, absolute]) = case.tolerance else { return Ok(()) };
    for (at, (&f, p)) in found.iter().zip(published.to_f64()).enumerate() {
        let close = f == p || (f.is_nan() && p.is_nan()) || (f - p).abs() <= absolute + relative * p.abs();
        if !close {
            return Err(format!("element {at} is {f:e}, published {p:e}"));
        }
    }
    Ok(())
}

/// Results on WebGPU.
async fn run(
    gpu: &Gpu,
    case: &Case,
    host: &Call<HostTensor>,
    definition: Definition,
) -> Result<Vec<HostTensor>, GpuError> {
    let call = host.try_map_tensors(|tensor| gpu.upload(tensor))?;
    let results = match definition {
        Definition::Kernel(_) => gpu.run(&case.id, &call).await?,
        Definition::View(view) => {
            let input = call.tensor("input")?;
            let layouts: Vec<Layout> = view.check(&call.map_tensors(|tensor| tensor.layout().clone()))?;
            layouts.into_iter().map(|layout| input.with_layout(layout)).collect::<Result<Vec<GpuTensor>, _>>()?
        }
    };
    let mut targets = Vec::new();
    for result in results {
        targets.push(gpu.download(&result).await?);
    }
    Ok(targets)
}
