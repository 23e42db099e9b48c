//! Truth values, and operators on the bits of integers.

use super::elementwise::{Tensors, elementwise, map, read, seen, write};
use crate::graph::{Call, Operand};
use crate::tensor::DType;
use crate::webgpu::dispatch::Seen;
use crate::webgpu::pass::Pass;
use crate::webgpu::{GpuTensor, shaders};

/// What `OPERATION` can be in truth.wgsl.
const TRUTHS: &[&str] = &["ISNAN", "ISINF", "LOGICAL_NOT"];
/// In logical.wgsl.
const LOGICAL: &[&str] = &["LOGICAL_AND", "LOGICAL_OR", "LOGICAL_XOR"];
/// In bitwise.wgsl.
const BITWISE: &[&str] = &["BITWISE_AND", "BITWISE_OR", "BITWISE_XOR", "BITWISE_LEFT_SHIFT", "BITWISE_RIGHT_SHIFT"];

/// `isnan`, `isinf`, `logical_not`.
///
/// # Errors
/// When memory runs out.
pub fn truth(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    truth_of(pass, call, &call.op().to_uppercase())
}

/// `logical_and`, `logical_or`, `logical_xor`.
///
/// # Errors
/// When memory runs out.
pub fn logical(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let (input, other) = (call.tensor("input")?, call.tensor("other")?);
    let output = pass.result()?;
    let mask = |tensor: &GpuTensor| if tensor.dtype().is_float() { "0x7fffffffu" } else { "0xffffffffu" };
    let mut dispatch = elementwise(&shaders::LOGICAL, &output)
        .choice("OPERATION", LOGICAL, &call.op().to_uppercase())
        .constant("INPUT_MASK", mask(input))
        .constant("OTHER_MASK", mask(other));
    dispatch = read(dispatch, "input", Operand::Tensor(input), seen(input.dtype()), &output);
    dispatch = read(dispatch, "other", Operand::Tensor(other), seen(other.dtype()), &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

/// `bitwise_and` (also by its name `__and__`), `bitwise_or`, `bitwise_xor`, `bitwise_left_shift`, `bitwise_right_shift`.
///
/// # Errors
/// When memory runs out.
pub fn bitwise(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let operation = if call.op() == "__and__" { "BITWISE_AND".to_owned() } else { call.op().to_uppercase() };
    let mut dispatch = elementwise(&shaders::BITWISE, &output).choice("OPERATION", BITWISE, &operation).guard(&output);
    dispatch = read(dispatch, "input", Operand::Tensor(call.tensor("input")?), Seen::Integer, &output);
    dispatch = read(dispatch, "other", call.tensor_or_scalar("other")?, Seen::Integer, &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

/// `bitwise_not`.
///
/// # Errors
/// When memory runs out.
pub fn bitwise_not(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    if call.tensor("input")?.dtype() == DType::Bool {
        return truth_of(pass, call, "LOGICAL_NOT");
    }
    map(pass, call, &shaders::ROUNDING_INTEGER, None, |dispatch| {
        Ok(dispatch.choice("OPERATION", super::rounding::INTEGER, "BITWISE_NOT"))
    })
}

fn truth_of(pass: &mut Pass<'_>, call: &Call<GpuTensor>, operation: &str) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let dispatch = elementwise(&shaders::TRUTH, &output)
        .choice("OPERATION", TRUTHS, operation)
        .constant("FLOATS", input.dtype().is_float());
    let dispatch = read(dispatch, "input", Operand::Tensor(input), seen(input.dtype()), &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}
