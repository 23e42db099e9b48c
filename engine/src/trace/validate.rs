//! Checks a manifest before anything in it is used: a trace is untrusted input.

use super::{FORMAT, Manifest, Operator, TensorData, TensorEntry, TensorId, TraceError, VERSION};
use crate::graph::{Call, Meta, OpError};
use crate::operators;
use crate::tensor::MAX_RANK;
use std::collections::HashSet;

const MAX_TENSORS: usize = 1_000_000;
const MAX_OPERATORS: usize = 1_000_000;
const MAX_LAYERS: usize = 100_000;
const MAX_STEPS: usize = 100_000;
const MAX_SHARDS: usize = 10_000;
const MAX_NAME: usize = 1024;
/// 1 TiB: above any one tensor of any model, and far from overflowing a file offset.
const MAX_TENSOR_BYTES: u64 = 1 << 40;

/// Reads and checks `trace.json`.
///
/// # Errors
/// The first rule that is broken.
pub fn parse_manifest(json: &[u8]) -> Result<Manifest, TraceError> {
    check_version(json)?;
    let manifest: Manifest = serde_json::from_slice(json).map_err(|error| TraceError::Json(error.to_string()))?;
    check(&manifest)?;
    Ok(manifest)
}

/// Format and version first: the rest of another version may have another form.
fn check_version(json: &[u8]) -> Result<(), TraceError> {
    #[derive(serde::Deserialize)]
    struct Head {
        format: String,
        version: u64,
    }
    let head: Head = serde_json::from_slice(json).map_err(|error| TraceError::Json(error.to_string()))?;
    if head.format != FORMAT {
        return Err(TraceError::Format(head.format.chars().take(64).collect()));
    }
    if head.version == 0 || head.version > u64::from(VERSION) {
        return Err(TraceError::Version { found: head.version, known: VERSION });
    }
    Ok(())
}

/// Checks everything that can be known without the shards.
///
/// # Errors
/// The first rule that is broken.
pub fn check(manifest: &Manifest) -> Result<(), TraceError> {
    limit("tensors", manifest.tensors.len(), MAX_TENSORS)?;
    limit("operators", manifest.operators.len(), MAX_OPERATORS)?;
    limit("layers", manifest.layers.len(), MAX_LAYERS)?;
    limit("steps", manifest.steps.len(), MAX_STEPS)?;
    limit("shards", manifest.shards.len(), MAX_SHARDS)?;
    for shard in &manifest.shards {
        check_path(&shard.path)
            .map_err(|rule| TraceError::Structure(format!("the shard path '{}' {rule}", shard.path)))?;
    }
    for entry in &manifest.tensors {
        check_tensor(manifest, entry)?;
    }
    check_operators(manifest)?;
    for output in &manifest.outputs {
        let known = (output.tensor as usize) < manifest.tensors.len() && output.step < manifest.steps.len();
        if !known {
            return Err(TraceError::Structure(format!(
                "the output '{}' names a tensor or step that the trace does not have",
                output.name
            )));
        }
    }
    Ok(())
}

/// A relative path with `/` that stays inside the trace: the rule as a predicate where it is broken.
///
/// # Errors
/// What is wrong with the path.
pub fn check_path(path: &str) -> Result<(), &'static str> {
    if path.is_empty() || path.len() > MAX_NAME {
        return Err("is empty or too long");
    }
    if path.chars().any(|c| c.is_control() || matches!(c, '\\' | ':' | '?' | '#' | '%')) {
        return Err("holds a character that is not allowed");
    }
    if path.split('/').any(|part| part.is_empty() || part == "." || part == "..") {
        return Err("must stay inside the trace");
    }
    Ok(())
}

fn limit(what: &'static str, found: usize, limit: usize) -> Result<(), TraceError> {
    if found > limit { Err(TraceError::Limit { what, found, limit }) } else { Ok(()) }
}

fn check_tensor(manifest: &Manifest, entry: &TensorEntry) -> Result<(), TraceError> {
    let error = |rule: String| TraceError::tensor(&entry.name, rule);
    if entry.name.len() > MAX_NAME {
        return Err(error("has a name that is too long".to_owned()));
    }
    if entry.shape.len() > MAX_RANK {
        return Err(error(format!("has {} dimensions, more than the {MAX_RANK} allowed", entry.shape.len())));
    }
    match &entry.data {
        TensorData::Stored { shard, hash, .. } => {
            let size = entry.dtype.byte_len(&entry.shape);
            if size.is_none_or(|size| size as u64 > MAX_TENSOR_BYTES) {
                return Err(error(format!("of shape {:?} cannot be stored as {}", entry.shape, entry.dtype)));
            }
            if *shard >= manifest.shards.len() {
                return Err(error(format!("names shard {shard}, but the trace has {}", manifest.shards.len())));
            }
            let digits = hash.strip_prefix("sha256:").unwrap_or_default();
            if digits.len() != 64 || !digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)) {
                return Err(error(format!(
                    "has the hash '{}', not sha256: and 64 hexadecimal digits",
                    hash.chars().take(80).collect::<String>()
                )));
            }
        }
        TensorData::View { of, .. } => {
            let base = manifest
                .tensors
                .get(*of as usize)
                .ok_or_else(|| error(format!("is a view of tensor {of}, which the trace does not have")))?;
            if !matches!(base.data, TensorData::Stored { .. }) {
                return Err(error(format!("is a view of '{}', which is itself a view", base.name)));
            }
            if base.dtype != entry.dtype {
                return Err(error(format!("is a {} view of a {} tensor", entry.dtype, base.dtype)));
            }
            let layout = entry.layout();
            layout
                .check(product(&base.shape))
                .map_err(|rule| error(format!("does not fit '{}': {rule}", base.name)))?;
            if entry.dtype.is_quantized() && !(layout.is_contiguous() && layout.offset == 0) {
                return Err(error("strides over quantised blocks".to_owned()));
            }
        }
    }
    Ok(())
}

/// Elements of a shape; a stored tensor's does not overflow, and any other compares as too small.
fn product(shape: &[usize]) -> usize {
    shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size)).unwrap_or(0)
}

fn check_operators(manifest: &Manifest) -> Result<(), TraceError> {
    let produced_by_some = produced(manifest)?;
    let mut ids = HashSet::new();
    let mut ready = vec![false; manifest.tensors.len()];
    for operator in &manifest.operators {
        let error = |rule: String| TraceError::operator(&operator.id, rule);
        if operator.id.is_empty() || operator.id.len() > MAX_NAME || !ids.insert(operator.id.as_str()) {
            return Err(error("the id must be unique, not empty and not too long".to_owned()));
        }
        if operator.layer >= manifest.layers.len() || operator.step >= manifest.steps.len() {
            return Err(error(format!(
                "names layer {} or step {}, which the trace does not have",
                operator.layer, operator.step
            )));
        }
        for &id in operator.args.values().flat_map(|arg| arg.tensors()) {
            let entry = manifest
                .tensors
                .get(id as usize)
                .ok_or_else(|| error(format!("takes tensor {id}, which the trace does not have")))?;
            if produced_by_some[id as usize] && !ready[id as usize] {
                return Err(error(format!("takes '{}' before it is computed", entry.name)));
            }
        }
        for &id in &operator.outputs {
            // In range: `produced` has looked every output up.
            ready[id as usize] = true;
        }
        check_signature(manifest, operator)?;
    }
    Ok(())
}

fn produced(manifest: &Manifest) -> Result<Vec<bool>, TraceError> {
    let mut produced = vec![false; manifest.tensors.len()];
    for operator in &manifest.operators {
        for &id in &operator.outputs {
            match produced.get_mut(id as usize) {
                Some(flag) if !*flag => *flag = true,
                Some(_) => {
                    return Err(TraceError::operator(
                        &operator.id,
                        format!("computes tensor {id}, which another operator computes too"),
                    ));
                }
                None => {
                    return Err(TraceError::operator(
                        &operator.id,
                        format!("computes tensor {id}, which the trace does not have"),
                    ));
                }
            }
        }
    }
    Ok(produced)
}

/// A known operator's arguments and results must fit its signature; an unknown one is a gap, not an error.
fn check_signature(manifest: &Manifest, operator: &Operator) -> Result<(), TraceError> {
    if operators::lookup(&operator.op).is_none() {
        return Ok(());
    }
    let call = meta_call(manifest, operator)?;
    let results = match operators::infer(&call) {
        Ok(results) => results,
        // Nothing is known to be wrong with it: a gap too.
        Err(OpError::Unsupported { .. }) => return Ok(()),
        Err(error) => return Err(TraceError::op(&operator.id, &error)),
    };
    if results.len() != operator.outputs.len() {
        return Err(TraceError::operator(
            &operator.id,
            format!("{} gives {} results, but {} are recorded", operator.op, results.len(), operator.outputs.len()),
        ));
    }
    for (result, &id) in results.iter().zip(&operator.outputs) {
        let recorded = meta(manifest, id)?;
        if *result != recorded {
            return Err(TraceError::operator(
                &operator.id,
                format!("{} gives {result} for these arguments, but {recorded} is recorded", operator.op),
            ));
        }
    }
    Ok(())
}

/// The call with each tensor's dtype and shape.
///
/// # Errors
/// When a tensor id is out of range.
pub fn meta_call(manifest: &Manifest, operator: &Operator) -> Result<Call<Meta>, TraceError> {
    Call::resolve(operator, |id| meta(manifest, id))
}

fn meta(manifest: &Manifest, id: TensorId) -> Result<Meta, TraceError> {
    manifest
        .tensors
        .get(id as usize)
        .map(|entry| Meta::new(entry.dtype, &entry.shape))
        .ok_or_else(|| TraceError::Structure(format!("the trace has no tensor {id}")))
}
