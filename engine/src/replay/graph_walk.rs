//! Facts about the order of a graph that a plan needs: which layer an operator's results leave, and when a tensor is no
//! longer needed.

use crate::trace::{Manifest, OperatorIndex, TensorId};
use std::collections::HashMap;
use std::ops::Range;

/// The last operator that takes each tensor.
pub(super) fn last_uses(manifest: &Manifest) -> HashMap<TensorId, OperatorIndex> {
    let mut last = HashMap::new();
    for (at, operator) in manifest.operators.iter().enumerate() {
        for &id in operator.args.values().flat_map(|arg| arg.tensors()) {
            last.insert(id, at);
        }
    }
    last
}

/// Where the value of a layer leaves it in one step: the last tensor that it computes and that another layer of the same
/// step takes, or that the model returns.
pub(super) fn exits(manifest: &Manifest, step: usize) -> Vec<Option<TensorId>> {
    let mut producer = HashMap::new();
    for (at, operator) in manifest.operators.iter().enumerate().filter(|(_, operator)| operator.step == step) {
        for &id in &operator.outputs {
            producer.insert(id, (at, operator.layer));
        }
    }
    let mut exits: Vec<Option<(OperatorIndex, TensorId)>> = vec![None; manifest.layers.len()];
    let mut leave = |id: TensorId, to: Option<usize>| {
        let Some(&(at, layer)) = producer.get(&id) else { return };
        // The layer is in range: the trace was checked when it was opened.
        if to != Some(layer) && exits[layer].is_none_or(|(last, _)| last <= at) {
            exits[layer] = Some((at, id));
        }
    };
    for operator in manifest.operators.iter().filter(|operator| operator.step == step) {
        for &id in operator.args.values().flat_map(|arg| arg.tensors()) {
            leave(id, Some(operator.layer));
        }
    }
    for output in manifest.outputs.iter().filter(|output| output.step == step) {
        leave(output.tensor, None);
    }
    exits.into_iter().map(|exit| exit.map(|(_, id)| id)).collect()
}

/// Operators of the layers in `layers` in steps up to `step`, in order.
pub(super) fn operators_in(manifest: &Manifest, layers: &Range<usize>, step: usize) -> Vec<OperatorIndex> {
    let wanted =
        |(_, operator): &(usize, &crate::trace::Operator)| layers.contains(&operator.layer) && operator.step <= step;
    manifest.operators.iter().enumerate().filter(wanted).map(|(at, _)| at).collect()
}
