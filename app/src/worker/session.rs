//! An open trace and what is kept of it.

use crate::protocol::{CaseSummary, TraceSummary};
use futures_util::lock::Mutex;
use std::collections::VecDeque;
use std::rc::Rc;
use taproot_engine::replay::{CaseTensors, Filter, Replayer};
use taproot_engine::trace::{Trace, TraceError};
use taproot_engine::webgpu::Gpu;

/// Cases whose values are kept: going back and forth between a few should not compute them again.
const KEPT_CASES: usize = 6;

type CaseKey = (usize, usize);

/// An open trace.
pub(super) struct Session {
    pub(super) replayer: Replayer,
    /// Values of the cases looked at last, newest first. Locked while one is computed, so that it is computed once.
    kept: Mutex<VecDeque<(CaseKey, Rc<CaseTensors>)>>,
}

impl Session {
    pub(super) fn new(trace: Trace, gpu: Option<Rc<Gpu>>) -> Self {
        Session { replayer: Replayer::new(Rc::new(trace), gpu), kept: Mutex::default() }
    }

    pub(super) fn trace(&self) -> &Trace {
        self.replayer.trace()
    }

    pub(super) fn summary(&self) -> TraceSummary {
        let trace = self.trace();
        let manifest = trace.manifest();
        // The default filter has no glob, so that nothing about it can be wrong.
        let operators = self.replayer.cases(&Filter::default()).unwrap_or_default();
        let cases = operators.iter().filter_map(|&at| {
            let operator = manifest.operators.get(at)?;
            Some(CaseSummary {
                operator: at,
                id: operator.id.clone(),
                op: operator.op.clone(),
                module: operator.module.clone(),
                layer: operator.layer,
                step: operator.step,
            })
        });
        TraceSummary {
            hash: trace.hash().to_owned(),
            model: manifest.model.name.clone(),
            architecture: manifest.model.architecture.clone(),
            producer: manifest.producer.clone(),
            prompt: manifest.prompt.clone(),
            steps: manifest.steps.clone(),
            layers: manifest.layers.iter().map(|layer| layer.name.clone()).collect(),
            cases: cases.collect(),
            views: manifest.operators.len() - operators.len(),
        }
    }

    /// Values of a result of a case, computed when first asked for.
    ///
    /// # Errors
    /// When the trace has no such case or its record cannot be read.
    pub(super) async fn tensors(&self, operator: usize, output: usize) -> Result<Rc<CaseTensors>, TraceError> {
        let key = (operator, output);
        let mut kept = self.kept.lock().await;
        if let Some((_, tensors)) = kept.iter().find(|(known, _)| *known == key) {
            return Ok(tensors.clone());
        }
        let tensors = Rc::new(self.replayer.case_tensors(operator, output).await?);
        kept.push_front((key, tensors.clone()));
        kept.truncate(KEPT_CASES);
        Ok(tensors)
    }
}
