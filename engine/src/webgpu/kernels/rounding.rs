//! Magnitude, sign, rounding to integers, and the larger and smaller of two numbers.

use super::elementwise::{Tensors, elementwise, map, read, seen, write};
use crate::graph::{Call, Operand};
use crate::webgpu::dispatch::{Scalar, Seen};
use crate::webgpu::pass::Pass;
use crate::webgpu::{GpuTensor, shaders};

/// What `OPERATION` can be in rounding.wgsl.
const FLOATS: &[&str] = &["ABS", "SIGN", "FLOOR", "CEIL", "TRUNC", "ROUND"];
/// In rounding_integer.wgsl.
pub(super) const INTEGER: &[&str] = &["ABS", "SIGN", "BITWISE_NOT", "IDENTITY"];

/// `abs`, `sign`, `floor`, `ceil`, `trunc`, `round`.
///
/// # Errors
/// When memory runs out.
pub fn rounding(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let operation = call.op().to_uppercase();
    let floats = call.tensor("input")?.dtype().is_float();
    map(pass, call, &shaders::ROUNDING, Some(&shaders::ROUNDING_INTEGER), |dispatch| {
        Ok(if floats {
            let decimals = call.int("decimals", 0)?;
            let scale = 10f64.powi(i32::try_from(decimals.unsigned_abs()).unwrap_or(i32::MAX));
            dispatch
                .choice("OPERATION", FLOATS, &operation)
                .constant("DECIMALS", decimals.signum())
                .scalar("scale", Scalar::Float(scale as f32))
        } else {
            let operation = if INTEGER.contains(&operation.as_str()) { &operation } else { "IDENTITY" };
            dispatch.choice("OPERATION", INTEGER, operation)
        })
    })
}

/// `maximum`, `minimum`; `max`, `min` of two tensors.
///
/// # Errors
/// When memory runs out.
pub fn extremum(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let seen = seen(output.words().dtype());
    let shader = if seen == Seen::Float { &shaders::EXTREMUM } else { &shaders::EXTREMUM_INTEGER };
    let mut dispatch = elementwise(shader, &output).constant("LARGER", matches!(call.op(), "maximum" | "max"));
    for name in ["input", "other"] {
        dispatch = read(dispatch, name, Operand::Tensor(call.tensor(name)?), seen, &output);
    }
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}
