//! A plan: WebGPU computes a range of layers, each operator fed with what came before it; everything else is recorded.

use super::graph_walk::{exits, last_uses, operators_in};
use super::replayer::Replayer;
use crate::compare::logits::{LogitMetrics, logit_metrics};
use crate::graph::views::View;
use crate::graph::{Call, OpError};
use crate::operators::{self, Definition};
use crate::tensor::HostTensor;
use crate::trace::{Operator, TensorId, TraceError};
use crate::webgpu::{Gpu, GpuError, GpuTensor, Submitted};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

/// Who supplies what: WebGPU computes `layers`, the recording supplies the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Layers by position that WebGPU computes, without gaps.
    pub layers: Range<usize>,
    /// Step that is looked at; earlier steps run too, because a KV cache comes from them.
    pub step: usize,
}

/// Errors at the exit of one layer, as RMS(t − s) / RMS(s).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerError {
    /// Position of the layer.
    pub layer: usize,
    /// Name of the tensor that leaves it.
    pub exit: String,
    /// When the layer alone runs on WebGPU, fed with recorded inputs.
    pub isolated: f64,
    /// When it is fed what the plan gave it.
    pub inherited: f64,
    /// inherited / isolated; `None` where the isolated error is 0 or infinite.
    pub amplification: Option<f64>,
}

/// What a plan does to a result of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputError {
    /// Name of the result.
    pub name: String,
    /// RMS(t − s) / RMS(s).
    pub error: f64,
    /// Where the result is logits: what the error does to the next token.
    pub logits: Option<LogitMetrics>,
}

/// What comes back while a plan runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PlanProgress {
    /// One more layer is known.
    Layer(LayerError),
    /// One more operator ran.
    Operators {
        /// Operators done.
        done: usize,
        /// Operators in all.
        total: usize,
    },
}

/// The end of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanResult {
    /// The plan.
    pub plan: Plan,
    /// Every layer of the range that has an exit, in order.
    pub layers: Vec<LayerError>,
    /// Results of the model that WebGPU computed.
    pub outputs: Vec<OutputError>,
    /// Operators that WebGPU cannot compute; their results stayed recorded.
    pub gaps: Vec<String>,
    /// Whether it was cancelled before its end.
    pub cancelled: bool,
}

/// Why a plan cannot be run.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PlanError {
    /// The trace cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// WebGPU failed at an operator: what follows would not be worth looking at.
    #[error("the plan stopped at operator '{operator}': {error}")]
    Gpu {
        /// Operator id.
        operator: String,
        /// What went wrong.
        error: Box<GpuError>,
    },
    /// There is no device.
    #[error("there is no WebGPU device, so no layer can be computed")]
    NoDevice,
    /// The plan names layers or a step that the trace does not have.
    #[error("the plan names layers {}..{} and step {step}, but the trace has {known} layers and {steps} steps", .layers.start, .layers.end)]
    Range {
        /// As given.
        layers: Range<usize>,
        /// As given.
        step: usize,
        /// Layers of the trace.
        known: usize,
        /// Steps of the trace.
        steps: usize,
    },
}

/// Receives progress, and stops the plan by `Break`.
pub(super) type OnProgress<'a> = &'a mut dyn FnMut(PlanProgress) -> ControlFlow<()>;

impl Replayer {
    /// Runs a plan: the whole range with each layer fed by the one before it, and each layer of the range alone.
    ///
    /// # Errors
    /// When the plan does not fit the trace, bytes cannot be had, or WebGPU fails.
    pub async fn run_plan(&self, plan: &Plan, progress: OnProgress<'_>) -> Result<PlanResult, PlanError> {
        self.check(plan)?;
        let exits = exits(self.manifest(), plan.step);
        let mut result = PlanResult {
            plan: plan.clone(),
            layers: Vec::new(),
            outputs: Vec::new(),
            gaps: Vec::new(),
            cancelled: false,
        };
        let mut chain = Chain::new(self, plan.layers.clone(), plan.step)?;
        for layer in plan.layers.clone() {
            // In range: `check` compared the plan with the trace.
            let Some(exit) = exits[layer] else { continue };
            let inherited = chain.error_at(exit, progress).await?;
            let isolated = match inherited {
                Some(_) => self.isolated_error(layer, plan.step, exit, progress).await?,
                None => None,
            };
            let (Some(inherited), Some(isolated)) = (inherited, isolated) else {
                if chain.cancelled {
                    break;
                }
                continue;
            };
            let amplification = (isolated > 0.0 && isolated.is_finite()).then(|| inherited / isolated);
            let error =
                LayerError { layer, exit: self.trace().entry(exit)?.name.clone(), isolated, inherited, amplification };
            result.layers.push(error.clone());
            if progress(PlanProgress::Layer(error)).is_break() {
                chain.cancelled = true;
                break;
            }
        }
        if !chain.cancelled {
            result.outputs = chain.outputs(progress).await?;
        }
        result.cancelled = chain.cancelled;
        result.gaps = chain.gaps;
        Ok(result)
    }

    fn check(&self, plan: &Plan) -> Result<(), PlanError> {
        let (known, steps) = (self.manifest().layers.len(), self.manifest().steps.len());
        if plan.layers.start > plan.layers.end || plan.layers.end > known || plan.step >= steps {
            return Err(PlanError::Range { layers: plan.layers.clone(), step: plan.step, known, steps });
        }
        Ok(())
    }

    /// The error of one layer fed with recorded inputs; kept, because no plan changes it.
    async fn isolated_error(
        &self,
        layer: usize,
        step: usize,
        exit: TensorId,
        progress: OnProgress<'_>,
    ) -> Result<Option<f64>, PlanError> {
        if let Some(&known) = self.isolated.borrow().get(&(layer, step)) {
            return Ok(Some(known));
        }
        let error = Chain::new(self, layer..layer + 1, step)?.error_at(exit, progress).await?;
        if let Some(error) = error {
            self.isolated.borrow_mut().insert((layer, step), error);
        }
        Ok(error)
    }
}

/// Layers running on WebGPU, each operator fed with what the ones before it gave.
struct Chain<'a> {
    replayer: &'a Replayer,
    gpu: &'a Gpu,
    step: usize,
    operators: Vec<usize>,
    /// Operators done.
    done: usize,
    computed: HashMap<TensorId, GpuTensor>,
    last_uses: HashMap<TensorId, usize>,
    /// Tensors kept beyond their last use: exits and results of the model.
    kept: Vec<TensorId>,
    /// Operators whose errors were not asked for yet.
    unsettled: Vec<Submitted>,
    gaps: Vec<String>,
    cancelled: bool,
}

/// Operators submitted before their errors are asked for: few enough that progress and cancelling stay lively.
const UNSETTLED: usize = 64;

impl<'a> Chain<'a> {
    fn new(replayer: &'a Replayer, layers: Range<usize>, step: usize) -> Result<Self, PlanError> {
        let gpu = replayer.gpu().ok_or(PlanError::NoDevice)?;
        let manifest = replayer.manifest();
        let mut kept: Vec<TensorId> = exits(manifest, step).into_iter().flatten().collect();
        kept.extend(manifest.outputs.iter().map(|output| output.tensor));
        Ok(Chain {
            replayer,
            gpu,
            step,
            operators: operators_in(manifest, &layers, step),
            done: 0,
            computed: HashMap::new(),
            last_uses: last_uses(manifest),
            kept,
            unsettled: Vec::new(),
            gaps: Vec::new(),
            cancelled: false,
        })
    }

    /// Runs until `exit` is computed and gives its error; `None` where it stayed recorded or the run was cancelled.
    async fn error_at(&mut self, exit: TensorId, progress: OnProgress<'_>) -> Result<Option<f64>, PlanError> {
        while !self.computed.contains_key(&exit) && self.done < self.operators.len() {
            let at = self.operators[self.done];
            self.run(at).await?;
            self.done += 1;
            if progress(PlanProgress::Operators { done: self.done, total: self.operators.len() }).is_break() {
                self.cancelled = true;
                return Ok(None);
            }
        }
        self.settle().await?;
        Ok(self.compared(exit).await?.map(|(target, source)| relative_error(&target, &source)))
    }

    /// What the rest of the range does to the model's results.
    async fn outputs(&mut self, progress: OnProgress<'_>) -> Result<Vec<OutputError>, PlanError> {
        let manifest = self.replayer.manifest().clone();
        let mut errors = Vec::new();
        let step = self.step;
        for output in manifest.outputs.iter().filter(|output| output.step == step) {
            self.error_at(output.tensor, progress).await?;
            let Some((target, source)) = self.compared(output.tensor).await? else { continue };
            let is_logits = output.name == "logits";
            errors.push(OutputError {
                name: output.name.clone(),
                error: relative_error(&target, &source),
                logits: if is_logits { logit_metrics(&source, &target) } else { None },
            });
        }
        Ok(errors)
    }

    async fn compared(&self, id: TensorId) -> Result<Option<(HostTensor, HostTensor)>, PlanError> {
        let Some(tensor) = self.computed.get(&id) else { return Ok(None) };
        let name = || self.replayer.trace().entry(id).map(|entry| entry.name.clone()).unwrap_or_default();
        let target = self
            .gpu
            .download(tensor)
            .await
            .map_err(|error| PlanError::Gpu { operator: name(), error: Box::new(error) })?;
        Ok(Some((target, self.replayer.trace().tensor(id).await?)))
    }

    async fn run(&mut self, at: usize) -> Result<(), PlanError> {
        let manifest = self.replayer.manifest().clone();
        let operator = &manifest.operators[at];
        match operators::lookup(&operator.op) {
            Some(Definition::View(view)) => self.view(operator, view).await?,
            Some(Definition::Kernel(_)) => self.kernel(operator).await?,
            None => self.gaps.push(operator.id.clone()),
        }
        let over = |id: &TensorId| self.last_uses.get(id).is_none_or(|&last| last <= at) && !self.kept.contains(id);
        let dead: Vec<TensorId> =
            operator.args.values().flat_map(|arg| arg.tensors()).filter(|id| over(id)).copied().collect();
        for id in dead {
            self.computed.remove(&id);
        }
        Ok(())
    }

    /// Views follow the value that is really there; a view of a recorded tensor stays recorded.
    async fn view(&mut self, operator: &Operator, view: &View) -> Result<(), PlanError> {
        let input = operator.args.get("input").and_then(|arg| arg.tensors().first());
        let Some((&input, base)) = input.and_then(|id| Some((id, self.computed.get(id)?.clone()))) else {
            return Ok(());
        };
        // Of another tensor (`expand_as`) only the shape counts, which is as recorded.
        let call = Call::resolve(operator, |id| match self.replayer.trace().entry(id) {
            Ok(other) if id != input => Ok(other.layout()),
            _ => Ok::<_, PlanError>(base.layout().clone()),
        })?;
        let layouts = view.check(&call).map_err(|error| self.failed(operator, GpuError::Operator(error)))?;
        for (layout, &id) in layouts.into_iter().zip(&operator.outputs) {
            let tensor = base.with_layout(layout).map_err(|error| self.failed(operator, error))?;
            self.computed.insert(id, tensor);
        }
        Ok(())
    }

    async fn kernel(&mut self, operator: &Operator) -> Result<(), PlanError> {
        let mut inputs: HashMap<TensorId, GpuTensor> = HashMap::new();
        for &id in operator.args.values().flat_map(|arg| arg.tensors()) {
            let tensor = match self.computed.get(&id) {
                Some(tensor) => tensor.clone(),
                None => {
                    let recorded = self.replayer.trace().tensor(id).await?;
                    self.gpu.upload(&recorded).map_err(|error| self.failed(operator, error))?
                }
            };
            inputs.insert(id, tensor);
        }
        let missing = |id| TraceError::Structure(format!("the trace has no tensor {id}"));
        let call = Call::resolve(operator, |id| inputs.get(&id).cloned().ok_or_else(|| missing(id)))?;
        match self.gpu.submit(&operator.id, &call) {
            Ok((results, submitted)) => {
                self.computed.extend(operator.outputs.iter().copied().zip(results));
                self.unsettled.extend(submitted);
                if self.unsettled.len() >= UNSETTLED { self.settle().await } else { Ok(()) }
            }
            Err(GpuError::Operator(OpError::Unsupported { .. }) | GpuError::UnsupportedDType { .. }) => {
                self.gaps.push(operator.id.clone());
                Ok(())
            }
            Err(error) => Err(self.failed(operator, error)),
        }
    }

    /// Asks how the operators since the last time went.
    async fn settle(&mut self) -> Result<(), PlanError> {
        let outcome = self.gpu.settle(std::mem::take(&mut self.unsettled)).await;
        outcome.map_err(|failed| PlanError::Gpu { operator: failed.id, error: Box::new(failed.error) })
    }

    fn failed(&self, operator: &Operator, error: GpuError) -> PlanError {
        PlanError::Gpu { operator: operator.id.clone(), error: Box::new(error) }
    }
}

/// RMS(t − s) / RMS(s). A non-finite element where the record is finite makes it infinite; 0/0 is 0.
fn relative_error(target: &HostTensor, source: &HostTensor) -> f64 {
    let (mut difference, mut norm) = (0.0, 0.0);
    for (t, s) in target.to_f64().into_iter().zip(source.to_f64()) {
        if t.is_finite() && s.is_finite() {
            difference += (t - s) * (t - s);
            norm += s * s;
        } else if t.to_bits() != s.to_bits() && !(t.is_nan() && s.is_nan()) {
            return f64::INFINITY;
        }
    }
    if difference == 0.0 { 0.0 } else { (difference / norm).sqrt() }
}
