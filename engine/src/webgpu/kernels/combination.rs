//! Functions of two numbers, and sums of products of three tensors.

use super::activation::OF_TWO;
use super::elementwise::{ARITHMETIC, Tensors, alpha, elementwise, read, seen, write};
use crate::graph::signatures::combination::value;
use crate::graph::{Call, Operand};
use crate::webgpu::dispatch::{Scalar, Seen};
use crate::webgpu::pass::Pass;
use crate::webgpu::{GpuError, GpuTensor, shaders};

/// What `OPERATION` can be in of_three.wgsl.
const OF_THREE: &[&str] = &["LERP", "ADDCMUL", "ADDCDIV"];

/// `logaddexp`, `logaddexp2`, `xlogy`, `atan2`, `hypot`.
///
/// # Errors
/// When memory runs out.
pub fn of_two(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let mut dispatch = elementwise(&shaders::OF_TWO, &output).choice("OPERATION", OF_TWO, &call.op().to_uppercase());
    dispatch = read(dispatch, "input", Operand::Tensor(call.tensor("input")?), Seen::Float, &output);
    dispatch = read(dispatch, "other", call.tensor_or_scalar("other")?, Seen::Float, &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

/// `torch.rsub(input, other, alpha)`: `sub` with its operands exchanged.
///
/// # Errors
/// When memory runs out, or a number is beyond 32 bits beside integers.
pub fn rsub(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let seen = seen(output.words().dtype());
    let shader = if seen == Seen::Float { &shaders::BINARY } else { &shaders::BINARY_INTEGER };
    let mut dispatch = elementwise(shader, &output).choice("OPERATION", ARITHMETIC, "SUB");
    dispatch = read(dispatch, "input", call.tensor_or_scalar("other")?, seen, &output);
    dispatch = read(dispatch, "other", Operand::Tensor(call.tensor("input")?), seen, &output);
    let alpha = alpha(call, output.words().dtype())?;
    pass.dispatch(write(dispatch.scalar("alpha", alpha).guard(&output), &output))?;
    pass.finish(output)
}

/// `torch.lerp(input, end, weight)`.
///
/// # Errors
/// When memory runs out.
pub fn lerp(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    of_three(pass, call, Operand::Tensor(call.tensor("end")?), call.tensor_or_scalar("weight")?, 1.0)
}

/// `torch.addcmul(input, tensor1, tensor2, value)` and `torch.addcdiv`.
///
/// # Errors
/// When memory runs out, or a number is beyond 32 bits beside integers.
pub fn addc(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let first = Operand::Tensor(call.tensor("tensor1")?);
    of_three(pass, call, first, Operand::Tensor(call.tensor("tensor2")?), value(call)?)
}

fn of_three(
    pass: &mut Pass<'_>,
    call: &Call<GpuTensor>,
    first: Operand<'_, GpuTensor>,
    second: Operand<'_, GpuTensor>,
    value: f64,
) -> Tensors {
    let output = pass.result()?;
    let seen = seen(output.words().dtype());
    let mut dispatch = if seen == Seen::Float {
        elementwise(&shaders::OF_THREE, &output)
            .choice("OPERATION", OF_THREE, &call.op().to_uppercase())
            .scalar("value", Scalar::Float(value as f32))
    } else {
        let whole = value as i64;
        let word = i32::try_from(whole).map_err(|_| GpuError::ScalarRange { argument: "value", value: whole })?;
        elementwise(&shaders::ADDCMUL_INTEGER, &output).scalar("value", Scalar::Integer(word)).guard(&output)
    };
    dispatch = read(dispatch, "input", Operand::Tensor(call.tensor("input")?), seen, &output);
    dispatch = read(dispatch, "first", first, seen, &output);
    dispatch = read(dispatch, "second", second, seen, &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}
