//! Running operators: one at a time, or many whose errors are asked for together.

use super::device::Gpu;
use super::pass::{DIVIDED_BY_ZERO, IN_RANGE, Pass, Trail};
use super::scopes::{Caught, Scopes};
use super::{GpuError, GpuTensor, KernelFailure, kernels};
use crate::graph::{Call, Meta, OpError};
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// An operator that was submitted; whether it went well is known when [`Gpu::settle`] has asked.
pub struct Submitted {
    id: String,
    op: String,
    trail: Trail,
    caught: Pin<Box<dyn Future<Output = Caught>>>,
}

impl fmt::Debug for Submitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Submitted").field("id", &self.id).field("op", &self.op).finish_non_exhaustive()
    }
}

/// The operator that went wrong among several, and how.
#[derive(Clone, Debug, thiserror::Error)]
#[error("operator '{id}': {error}")]
pub struct RunError {
    /// The operator's id in the trace.
    pub id: String,
    /// What went wrong.
    pub error: GpuError,
}

impl Gpu {
    /// Runs one operator, inside error scopes, and gives its results. `id` is the operator's id in the trace: it stands
    /// in errors, and overrides choose by it.
    ///
    /// # Errors
    /// When the call breaks a rule of the operator, a kernel fails, an i64 result is beyond 32 bits, an integer
    /// is divided by 0, memory runs out, or the
    /// device is lost.
    pub async fn run(&self, id: &str, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
        let (tensors, submitted) = self.submit(id, call)?;
        self.settle(submitted).await.map_err(|failed| failed.error)?;
        Ok(tensors)
    }

    /// Submits one operator without waiting for its errors: asking costs a turn of the browser's event loop, and a model has
    /// thousands of operators. The results may be passed on, but mean nothing before [`Gpu::settle`] was asked. A view
    /// submits nothing.
    ///
    /// # Errors
    /// When the call breaks a rule of the operator, a limit is exceeded, or the device is known to be lost.
    pub fn submit(&self, id: &str, call: &Call<GpuTensor>) -> Result<(Vec<GpuTensor>, Option<Submitted>), GpuError> {
        match kernels::lookup(call.op()) {
            Some(kernels::Runs::Kernel(signature, kernel)) => {
                let results = signature.check(&metas(call))?;
                let (tensors, submitted) = self.submit_kernel(id, call, results, kernel)?;
                Ok((tensors, Some(submitted)))
            }
            Some(kernels::Runs::View(view)) => {
                let input = call.tensor("input")?;
                let layouts = view.check(&call.map_tensors(|tensor| tensor.layout().clone()))?;
                let views = layouts.into_iter().map(|layout| input.with_layout(layout));
                Ok((views.collect::<Result<_, _>>()?, None))
            }
            None => Err(OpError::Unknown(call.op().to_owned()).into()),
        }
    }

    /// Waits until it is known how every operator of `submitted` went.
    ///
    /// # Errors
    /// Of the first operator, in the given order, with which something went wrong.
    pub async fn settle(&self, submitted: impl IntoIterator<Item = Submitted>) -> Result<(), RunError> {
        let mut guards = Vec::new();
        let mut last = String::new();
        for Submitted { id, op, trail, caught } in submitted {
            let caught = caught.await;
            let of = |error| RunError { id: id.clone(), error };
            self.check_alive().map_err(of)?;
            if !caught.is_clean() {
                self.pipelines.forget(&trail.fresh);
                self.memory.distrust();
                return Err(RunError { error: self.explain(&id, &op, caught, trail).await, id });
            }
            guards.extend(trail.guard.map(|guard| (id.clone(), guard)));
            last = id;
        }
        let (ids, guards): (Vec<String>, Vec<GpuTensor>) = guards.into_iter().unzip();
        let words = self.download_words(&guards).await.map_err(|error| RunError { id: last, error })?;
        match ids.into_iter().zip(words).find(|(_, word)| *word != IN_RANGE) {
            Some((id, word)) => Err(RunError { id, error: guarded(word) }),
            None => Ok(()),
        }
    }

    /// Submits `kernel` with results as its signature gives them.
    pub(super) fn submit_kernel(
        &self,
        id: &str,
        call: &Call<GpuTensor>,
        results: Vec<Meta>,
        kernel: kernels::KernelFn,
    ) -> Result<(Vec<GpuTensor>, Submitted), GpuError> {
        self.check_alive()?;
        let scopes = Scopes::push(&self.device);
        let mut pass = Pass::new(self, id, results);
        // A kernel that gives up has recorded nothing worth running.
        let outcome = kernel(&mut pass, call).and_then(|tensors| Ok((tensors, pass.submit()?)));
        let caught = Box::pin(scopes.pop());
        let (tensors, trail) = outcome?;
        Ok((tensors, Submitted { id: id.to_owned(), op: call.op().to_owned(), trail, caught }))
    }

    /// Turns what the scopes caught into the error that says most.
    async fn explain(&self, id: &str, op: &str, caught: Caught, trail: Trail) -> GpuError {
        for fresh in &trail.fresh {
            if let Some(error) = fresh.compile_error().await {
                return error;
            }
        }
        if self.memory.take_exhausted() {
            let what = format!("the inputs of {op} ({id})");
            return GpuError::OutOfMemory { what, bytes: self.memory.in_use() };
        }
        let (op, id, kernel) = (op.to_owned(), id.to_owned(), trail.kernels.join(", "));
        if caught.out_of_memory {
            return GpuError::OutOfMemory { what: format!("{op} ({id})"), bytes: trail.bytes };
        }
        let failure = |message| Box::new(KernelFailure { op, id, kernel, message });
        match caught {
            Caught { validation: Some(message), .. } => GpuError::Validation(failure(message)),
            Caught { internal, .. } => GpuError::Internal(failure(internal.unwrap_or_default())),
        }
    }
}

/// What a guard says.
fn guarded(word: u32) -> GpuError {
    let index = (word & !DIVIDED_BY_ZERO) as usize;
    if word & DIVIDED_BY_ZERO == 0 { GpuError::ResultRange { index } } else { GpuError::DivisionByZero { index } }
}

/// dtypes and shapes of a call's tensors.
pub(super) fn metas(call: &Call<GpuTensor>) -> Call<Meta> {
    call.map_tensors(|tensor| Meta::new(tensor.dtype(), tensor.shape()))
}
