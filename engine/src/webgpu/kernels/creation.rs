//! Tensors made from numbers alone.

use super::elementwise::{Tensors, elementwise, write};
use crate::graph::Call;
use crate::graph::signatures::creation::{Number, fill_value, range};
use crate::tensor::DType;
use crate::webgpu::dispatch::Scalar;
use crate::webgpu::pass::Pass;
use crate::webgpu::shaders;
use crate::webgpu::{GpuError, GpuTensor};

/// `full`, `zeros`, `ones`, their forms `…_like` and `new_…`, and `scalar_tensor`.
///
/// # Errors
/// When an integer needs more than 32 bits, or memory runs out.
pub fn fill(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let name = if call.op() == "scalar_tensor" { "s" } else { "fill_value" };
    let value = scalar(name, fill_value(call)?, output.words().dtype())?;
    pass.dispatch(write(elementwise(&shaders::FILL, &output).scalar("value", value), &output))?;
    pass.finish(output)
}

/// `torch.arange(start, end, step, dtype)`.
///
/// # Errors
/// When an integer of the range needs more than 32 bits, or memory runs out.
pub fn arange(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let (start, step, length) = range(call)?;
    let dtype = output.words().dtype();
    if !dtype.is_float() {
        let last = i128::from(start.int()) + i128::from(step.int()) * (length.max(1) - 1) as i128;
        let last = i64::try_from(last).unwrap_or(i64::MAX);
        scalar("end", Number::Int(last), DType::I64)?;
    }
    // With at most one element the step does not matter, however large it is.
    let step = if length > 1 { step } else { Number::Int(0) };
    let shader = if dtype.is_float() { &shaders::ARANGE } else { &shaders::ARANGE_INTEGER };
    let dispatch = elementwise(shader, &output)
        .scalar("start", scalar("start", start, dtype)?)
        .scalar("step", scalar("step", step, dtype)?);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

/// `torch.eye(n, m)`.
///
/// # Errors
/// When memory runs out.
pub fn eye(pass: &mut Pass<'_>, _call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let one = scalar("n", Number::Int(1), output.words().dtype())?;
    let columns = output.shape().last().copied().unwrap_or(1);
    let dispatch = elementwise(&shaders::EYE, &output).size("columns", columns).scalar("one", one);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

/// A number as an element of `dtype` in a kernel's parameters.
pub(super) fn scalar(argument: &'static str, value: Number, dtype: DType) -> Result<Scalar, GpuError> {
    if dtype.is_float() {
        return Ok(Scalar::Float(value.float() as f32));
    }
    if dtype == DType::Bool {
        return Ok(Scalar::Integer(i32::from(value.float() != 0.0)));
    }
    let value = value.int();
    i32::try_from(value).map(Scalar::Integer).map_err(|_| GpuError::ScalarRange { argument, value })
}
