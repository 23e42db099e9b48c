//! A tensor with some of its elements replaced.

use super::creation::scalar;
use super::elementwise::{Tensors, elementwise, read, seen, write};
use crate::graph::signatures::creation::Number;
use crate::graph::{Call, Operand};
use crate::tensor::DType;
use crate::webgpu::GpuTensor;
use crate::webgpu::dispatch::{Scalar, Seen};
use crate::webgpu::pass::Pass;
use crate::webgpu::shaders;

/// `tril` and `triu`.
///
/// # Errors
/// When memory runs out.
pub fn triangle(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let size = |from_end: usize| output.shape().iter().rev().nth(from_end).copied().unwrap_or(1);
    // Beyond the matrix on either side every diagonal is alike; sizes fit 31 bits where elements are counted in 32.
    let bound = i64::from(i32::MAX / 2);
    let diagonal = call.int("diagonal", 0)?.clamp(-bound, bound) as i32;
    let dispatch = elementwise(&shaders::TRIANGLE, &output)
        .constant("UPPER", call.op() == "triu")
        .size("columns", size(0))
        .size("rows", size(1))
        .scalar("diagonal", Scalar::Integer(diagonal));
    let dispatch = read(dispatch, "input", Operand::Tensor(input), seen(output.words().dtype()), &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

/// `Tensor.masked_fill(mask, value)`.
///
/// # Errors
/// When an integer value needs more than 32 bits, or memory runs out.
pub fn masked_fill(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let dtype = output.words().dtype();
    let value = call.tensor_or_scalar("value")?;
    let cuts = matches!(value, Operand::Tensor(value) if value.dtype().is_float()) && !dtype.is_float();
    let mut dispatch = elementwise(&shaders::MASKED_FILL, &output)
        .constant("BOOLEAN", cuts && dtype == DType::Bool)
        .constant("CUT", cuts && dtype != DType::Bool)
        .guard(&output);
    dispatch = read(dispatch, "mask", Operand::Tensor(call.tensor("mask")?), Seen::Integer, &output);
    dispatch = read(dispatch, "input", Operand::Tensor(call.tensor("input")?), seen(dtype), &output);
    dispatch = match value {
        Operand::Tensor(_) => read(dispatch, "value", value, if cuts { Seen::Float } else { seen(dtype) }, &output),
        Operand::Int(value) => dispatch.constant_operand("value", scalar("value", Number::Int(value), dtype)?),
        Operand::Float(value) => dispatch.constant_operand("value", scalar("value", Number::Float(value), dtype)?),
    };
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}
