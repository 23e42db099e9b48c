//! What the migration plan has shown so far.

use leptos::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use taproot_engine::replay::{LayerError, OutputError, PlanResult};

/// A plan with concrete layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Layers that WebGPU computes.
    pub layers: Range<usize>,
    /// Step that is looked at.
    pub step: usize,
}

/// How far the plan is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Progress {
    /// Waits for the replay, or there is nothing to run.
    #[default]
    Idle,
    /// Runs.
    Running {
        /// Operators done.
        done: usize,
        /// Operators in all.
        total: usize,
    },
    /// Ended.
    Ended,
    /// Could not be run: one sentence.
    Failed(String),
}

/// Errors by layer.
#[derive(Clone, Copy)]
pub struct PlanView {
    /// Layers of the plan that are known, each with both errors.
    pub layers: RwSignal<BTreeMap<usize, LayerError>>,
    /// Errors of layers alone. They do not depend on the plan and stay when it changes.
    pub isolated: RwSignal<BTreeMap<usize, f64>>,
    /// What the plan does to the model's results.
    pub outputs: RwSignal<Vec<OutputError>>,
    /// Operators that stayed recorded, because WebGPU has none of their kind.
    pub gaps: RwSignal<Vec<String>>,
    /// How far it is.
    pub progress: RwSignal<Progress>,
}

impl PlanView {
    /// Nothing known yet.
    pub fn new() -> Self {
        PlanView {
            layers: RwSignal::default(),
            isolated: RwSignal::default(),
            outputs: RwSignal::default(),
            gaps: RwSignal::default(),
            progress: RwSignal::default(),
        }
    }

    /// Forgets what belongs to one plan alone.
    pub fn restart(&self) {
        self.layers.update(BTreeMap::clear);
        self.outputs.update(Vec::clear);
        self.gaps.update(Vec::clear);
        self.progress.set(Progress::Idle);
    }

    /// Forgets everything: another trace or another step.
    pub fn clear(&self) {
        self.restart();
        self.isolated.update(BTreeMap::clear);
    }

    /// Keeps a layer's errors.
    pub fn keep(&self, error: LayerError) {
        self.isolated.update(|isolated| {
            isolated.insert(error.layer, error.isolated);
        });
        self.layers.update(|layers| {
            layers.insert(error.layer, error);
        });
    }

    /// Keeps the end of a plan.
    pub fn finish(&self, result: PlanResult) {
        self.outputs.set(result.outputs);
        self.gaps.set(result.gaps);
        self.progress.set(Progress::Ended);
    }
}

impl Default for PlanView {
    fn default() -> Self {
        Self::new()
    }
}
