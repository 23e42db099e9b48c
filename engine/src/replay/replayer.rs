//! Runs single cases of a trace.

use super::case::{CaseResult, CaseTensors};
use super::filter::{Filter, FilterError};
use crate::compare::{self, Comparands, Comparison, Verdict, webnn};
use crate::graph::{Call, OpError};
use crate::operators::{self, Definition, Kernel};
use crate::oracle::Array;
use crate::tensor::HostTensor;
use crate::trace::{Manifest, Operator, OperatorIndex, TensorId, Trace, TraceError};
use crate::webgpu::{Gpu, GpuError, GpuTensor};
use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// Replays the cases of one trace on one device. Without a device everything that needs none still works.
#[derive(Debug)]
pub struct Replayer {
    trace: Rc<Trace>,
    gpu: Option<Rc<Gpu>>,
    /// Errors of single layers fed with recorded inputs, by layer and step: they do not depend on the plan.
    pub(super) isolated: RefCell<HashMap<(usize, usize), f64>>,
}

/// Why a case gave no result.
#[derive(Debug, thiserror::Error)]
enum CaseError {
    #[error(transparent)]
    Trace(#[from] TraceError),
    #[error(transparent)]
    Gpu(#[from] GpuError),
    #[error("the oracle cannot compute it: {0}")]
    Oracle(OpError),
    #[error("there is no WebGPU device")]
    NoDevice,
}

impl Replayer {
    /// A replayer of `trace` on `gpu`.
    pub fn new(trace: Rc<Trace>, gpu: Option<Rc<Gpu>>) -> Self {
        Replayer { trace, gpu, isolated: RefCell::default() }
    }

    /// The trace.
    pub fn trace(&self) -> &Rc<Trace> {
        &self.trace
    }

    /// The device.
    pub fn gpu(&self) -> Option<&Rc<Gpu>> {
        self.gpu.as_ref()
    }

    pub(super) fn manifest(&self) -> &Rc<Manifest> {
        self.trace.manifest()
    }

    /// Positions of the operators that make a case and pass the filter, in order.
    ///
    /// # Errors
    /// When the filter's glob is broken.
    pub fn cases(&self, filter: &Filter) -> Result<Vec<OperatorIndex>, FilterError> {
        filter.cases(self.manifest())
    }

    /// Replays one case, isolated: recorded inputs in, WebGPU's result judged against record and oracle.
    ///
    /// Whatever goes wrong is in the result: a missing operator is a gap, everything else that gives no trustworthy
    /// result is a fail with its reason. `None` where the trace has no such operator or it is a view.
    pub async fn case(&self, at: OperatorIndex) -> Option<CaseResult> {
        let operator = self.manifest().operators.get(at)?;
        let kernel = match operators::lookup(&operator.op) {
            Some(Definition::Kernel(kernel)) => kernel,
            Some(Definition::View(_)) => return None,
            None => {
                let reason = format!("the vocabulary has no operator '{}': nothing was computed", operator.op);
                return Some(CaseResult::without_result(at, operator, Verdict::Gap, reason));
            }
        };
        Some(match self.judge(at, operator, kernel).await {
            Ok(result) => result,
            Err(error) => {
                let verdict = if is_gap(&error) { Verdict::Gap } else { Verdict::Fail };
                CaseResult::without_result(at, operator, verdict, error.to_string())
            }
        })
    }

    /// Values of one result of a case: recorded, by WebGPU, by the oracle. What cannot be computed is left out.
    ///
    /// # Errors
    /// When the trace has no such operator or result, or the recorded value cannot be read.
    pub async fn case_tensors(&self, at: OperatorIndex, output: usize) -> Result<CaseTensors, TraceError> {
        let operator = self.manifest().operators.get(at);
        let found = operator.and_then(|operator| Some((operator, *operator.outputs.get(output)?)));
        let (operator, id) =
            found.ok_or_else(|| TraceError::Structure(format!("the trace has no result {output} of operator {at}")))?;
        let source = self.trace.tensor(id).await?;
        let Some(Definition::Kernel(kernel)) = operators::lookup(&operator.op) else {
            return Ok(CaseTensors { source, target: None, oracle: None });
        };
        let inputs = self.inputs(operator).await?;
        let target = self.on_target(operator, &inputs).await.ok();
        let oracle = (kernel.oracle)(&inputs.map_tensors(Array::from_host)).ok();
        Ok(CaseTensors {
            source,
            target: target.and_then(|(tensors, _)| tensors.into_iter().nth(output)),
            oracle: oracle.and_then(|arrays| arrays.into_iter().nth(output)),
        })
    }

    async fn judge(&self, at: OperatorIndex, operator: &Operator, kernel: &Kernel) -> Result<CaseResult, CaseError> {
        let inputs = self.inputs(operator).await?;
        let (targets, target_ms) = self.on_target(operator, &inputs).await?;
        let start = Clock::now();
        let arrays = inputs.map_tensors(Array::from_host);
        let oracles = (kernel.oracle)(&arrays).map_err(CaseError::Oracle)?;
        let allowances = (kernel.allowance)(&arrays, &oracles);
        let oracle_ms = start.elapsed_ms();
        let budget = webnn::budget(&arrays);
        let mut outputs = Vec::with_capacity(operator.outputs.len());
        for (index, &id) in operator.outputs.iter().enumerate() {
            let source = self.trace.tensor(id).await?;
            let found = targets.get(index).zip(oracles.get(index));
            let Some((target, oracle)) = found else {
                let rule = format!("result {index} was not computed");
                return Err(TraceError::Operator { operator: operator.id.clone(), rule }.into());
            };
            outputs.push(compare::compare(&Comparands {
                target,
                source: &source,
                oracle,
                allowance: allowances.get(index).map_or(&[], Vec::as_slice),
                noise: operator.noise.get(index),
                op: &operator.op,
                webnn: budget.as_ref(),
            }));
        }
        Ok(summarize(at, operator, outputs, target_ms, oracle_ms))
    }

    async fn inputs(&self, operator: &Operator) -> Result<Call<HostTensor>, TraceError> {
        let mut tensors: HashMap<TensorId, HostTensor> = HashMap::new();
        for &id in operator.args.values().flat_map(|arg| arg.tensors()) {
            if let Entry::Vacant(vacant) = tensors.entry(id) {
                vacant.insert(self.trace.tensor(id).await?);
            }
        }
        Call::resolve(operator, |id| {
            tensors.get(&id).cloned().ok_or_else(|| TraceError::Structure(format!("the trace has no tensor {id}")))
        })
    }

    async fn on_target(
        &self,
        operator: &Operator,
        inputs: &Call<HostTensor>,
    ) -> Result<(Vec<HostTensor>, f64), CaseError> {
        let gpu = self.gpu.as_deref().ok_or(CaseError::NoDevice)?;
        let call = upload(gpu, inputs)?;
        let start = Clock::now();
        let results = gpu.run(&operator.id, &call).await?;
        let elapsed = start.elapsed_ms();
        let mut tensors = Vec::with_capacity(results.len());
        for result in &results {
            tensors.push(gpu.download(result).await?);
        }
        Ok((tensors, elapsed))
    }
}

fn summarize(
    at: OperatorIndex,
    operator: &Operator,
    outputs: Vec<Comparison>,
    target_ms: f64,
    oracle_ms: f64,
) -> CaseResult {
    let mut result = CaseResult {
        operator: at,
        id: operator.id.clone(),
        op: operator.op.clone(),
        layer: operator.layer,
        step: operator.step,
        // A case without results has nothing that could be trusted.
        verdict: Verdict::Fail,
        reason: Some("the operator has no result to compare".to_owned()),
        outputs,
        target_ms,
        oracle_ms,
    };
    if let Some((verdict, reason)) = result.deciding().map(|comparison| (comparison.verdict, comparison.reason.clone()))
    {
        result.verdict = verdict;
        result.reason = reason;
    }
    result
}

pub(super) fn upload(gpu: &Gpu, call: &Call<HostTensor>) -> Result<Call<GpuTensor>, GpuError> {
    call.try_map_tensors(|tensor| gpu.upload(tensor))
}

/// An operator, dtype or layout that an implementation does not know is a gap; nothing was computed that could be wrong.
fn is_gap(error: &CaseError) -> bool {
    match error {
        CaseError::Oracle(error) | CaseError::Gpu(GpuError::Operator(error)) => is_unsupported(error),
        CaseError::Gpu(GpuError::UnsupportedDType { .. }) => true,
        _ => false,
    }
}

fn is_unsupported(error: &OpError) -> bool {
    matches!(error, OpError::Unknown(_) | OpError::Unsupported { .. })
}

/// A clock that works natively and in the browser, where `std::time::Instant` panics.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    #[cfg(not(target_arch = "wasm32"))]
    start: std::time::Instant,
    #[cfg(target_arch = "wasm32")]
    start: f64,
}

impl Clock {
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn now() -> Self {
        Clock { start: std::time::Instant::now() }
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn elapsed_ms(self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1e3
    }

    #[cfg(target_arch = "wasm32")]
    pub(super) fn now() -> Self {
        Clock { start: performance_now() }
    }

    #[cfg(target_arch = "wasm32")]
    pub(super) fn elapsed_ms(self) -> f64 {
        performance_now() - self.start
    }
}

/// `performance.now()` of a page or a worker alike; 0 where there is none.
#[cfg(target_arch = "wasm32")]
fn performance_now() -> f64 {
    use wasm_bindgen::JsCast as _;
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into()).ok();
    performance
        .and_then(|value| value.dyn_into::<web_sys::Performance>().ok())
        .map_or(0.0, |performance| performance.now())
}
