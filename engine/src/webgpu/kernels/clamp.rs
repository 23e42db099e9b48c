//! Bounds on elements: numbers or tensors.

use super::elementwise::{Tensors, elementwise, read, seen, write};
use crate::graph::signatures::clamp::bound;
use crate::graph::{Call, Operand};
use crate::webgpu::dispatch::Seen;
use crate::webgpu::pass::Pass;
use crate::webgpu::{GpuTensor, shaders};

/// `clamp`, `clamp_min`, `clamp_max`.
///
/// # Errors
/// When memory runs out.
pub fn clamp(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let seen = seen(output.words().dtype());
    let shader = if seen == Seen::Float { &shaders::CLAMP } else { &shaders::CLAMP_INTEGER };
    let mut dispatch = elementwise(shader, &output);
    dispatch = read(dispatch, "input", Operand::Tensor(call.tensor("input")?), seen, &output);
    for (name, bound, none) in [
        ("lower", bound(call, "min")?, no_bound(seen, f64::NEG_INFINITY, i32::MIN)),
        ("upper", bound(call, "max")?, no_bound(seen, f64::INFINITY, i32::MAX)),
    ] {
        dispatch = read(dispatch, name, bound.map_or(none, |bound| saturated(bound, seen)), seen, &output);
    }
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

/// What bounds nothing.
fn no_bound<'a>(seen: Seen, float: f64, integer: i32) -> Operand<'a, GpuTensor> {
    match seen {
        Seen::Float => Operand::Float(float),
        Seen::Integer => Operand::Int(integer.into()),
    }
}

/// The nearest 32-bit integer: no element lies beyond it.
fn saturated(bound: Operand<'_, GpuTensor>, seen: Seen) -> Operand<'_, GpuTensor> {
    match bound {
        Operand::Int(value) if seen == Seen::Integer => Operand::Int(value.clamp(i32::MIN.into(), i32::MAX.into())),
        other => other,
    }
}
