//! Division, and what is left over.

use super::elementwise::{Tensors, binary, elementwise, read, seen, write};
use crate::graph::signatures::remainder::{Rounding, rounding};
use crate::graph::{Call, Operand};
use crate::webgpu::dispatch::Seen;
use crate::webgpu::pass::Pass;
use crate::webgpu::{GpuTensor, shaders};

/// What `OPERATION` can be in remainder.wgsl and remainder_integer.wgsl.
const OPERATIONS: &[&str] = &["FLOOR", "TRUNC", "REMAINDER", "FMOD"];

/// `torch.div(input, other, rounding_mode)`.
///
/// # Errors
/// When memory runs out, or an integer is divided by 0 where integers stay integers.
pub fn div(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    match rounding(call)? {
        None => binary(pass, call),
        Some(Rounding::Trunc) => whole(pass, call, "TRUNC"),
        Some(Rounding::Floor) => whole(pass, call, "FLOOR"),
    }
}

/// `floor_divide`, `remainder`, `fmod`.
///
/// # Errors
/// When memory runs out, or an integer is divided by 0.
pub fn remainder(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let operation = if call.op() == "floor_divide" { "FLOOR".to_owned() } else { call.op().to_uppercase() };
    whole(pass, call, &operation)
}

fn whole(pass: &mut Pass<'_>, call: &Call<GpuTensor>, operation: &str) -> Tensors {
    let output = pass.result()?;
    let seen = seen(output.words().dtype());
    let mut dispatch = match seen {
        Seen::Float => elementwise(&shaders::REMAINDER, &output),
        Seen::Integer => elementwise(&shaders::REMAINDER_INTEGER, &output).guard(&output).guard_divisor(),
    };
    dispatch = dispatch.choice("OPERATION", OPERATIONS, operation);
    dispatch = read(dispatch, "input", Operand::Tensor(call.tensor("input")?), seen, &output);
    dispatch = read(dispatch, "other", call.tensor_or_scalar("other")?, seen, &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}
