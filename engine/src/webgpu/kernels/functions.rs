//! Functions of one real number.

use super::elementwise::{ARITHMETIC, Tensors, elementwise, map, read, seen, write};
use crate::graph::{Call, Operand};
use crate::webgpu::GpuTensor;
use crate::webgpu::dispatch::{Scalar, Seen};
use crate::webgpu::pass::Pass;
use crate::webgpu::shaders::{self, Shader};

/// What `OPERATION` can be in logarithm.wgsl.
const LOGARITHMS: &[&str] = &["LOG", "LOG2", "LOG10", "LOG1P", "ASINH", "ACOSH", "ATANH"];
/// In exponential.wgsl.
const EXPONENTIALS: &[&str] = &["EXP2", "EXPM1", "SINH", "COSH", "ERF"];
/// In angle.wgsl.
const ANGLES: &[&str] = &["TAN", "ASIN", "ACOS", "ATAN"];

/// `log`, `log2`, `log10`, `log1p`, `asinh`, `acosh`, `atanh`.
///
/// # Errors
/// When memory runs out.
pub fn logarithm(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    function(pass, call, &shaders::LOGARITHM, LOGARITHMS)
}

/// `exp2`, `expm1`, `sinh`, `cosh`, `erf`.
///
/// # Errors
/// When memory runs out.
pub fn exponential(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    function(pass, call, &shaders::EXPONENTIAL, EXPONENTIALS)
}

/// `tan`, `asin`, `acos`, `atan`.
///
/// # Errors
/// When memory runs out.
pub fn angle(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    function(pass, call, &shaders::ANGLE, ANGLES)
}

/// `square`: input times itself.
///
/// # Errors
/// When memory runs out, or the square of an i64 is beyond 32 bits.
pub fn square(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let seen = seen(output.words().dtype());
    let (shader, alpha) = match seen {
        Seen::Float => (&shaders::BINARY, Scalar::Float(1.0)),
        Seen::Integer => (&shaders::BINARY_INTEGER, Scalar::Integer(1)),
    };
    let mut dispatch = elementwise(shader, &output).choice("OPERATION", ARITHMETIC, "MUL");
    dispatch = read(dispatch, "input", Operand::Tensor(input), seen, &output);
    dispatch = read(dispatch, "other", Operand::Tensor(input), seen, &output);
    pass.dispatch(write(dispatch.scalar("alpha", alpha).guard(&output), &output))?;
    pass.finish(output)
}

/// `reciprocal`: 1 divided by input.
///
/// # Errors
/// When memory runs out.
pub fn reciprocal(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let mut dispatch = elementwise(&shaders::BINARY, &output).choice("OPERATION", ARITHMETIC, "DIV");
    dispatch = read(dispatch, "input", Operand::Float(1.0), Seen::Float, &output);
    dispatch = read(dispatch, "other", Operand::Tensor(call.tensor("input")?), Seen::Float, &output);
    pass.dispatch(write(dispatch.scalar("alpha", Scalar::Float(1.0)), &output))?;
    pass.finish(output)
}

fn function(
    pass: &mut Pass<'_>,
    call: &Call<GpuTensor>,
    shader: &'static Shader,
    all: &'static [&'static str],
) -> Tensors {
    map(pass, call, shader, None, |dispatch| Ok(dispatch.choice("OPERATION", all, &call.op().to_uppercase())))
}
