//! Activations.

use super::elementwise::{Tensors, elementwise, map, read, write};
use crate::graph::signatures::activation::{Exponential, bounds, halved, weight_shape};
use crate::graph::{Call, OpError, Operand};
use crate::tensor::{DType, HostTensor, Layout};
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{Output, Pass};
use crate::webgpu::{GpuError, GpuTensor, shaders};

/// What `OPERATION` can be in activation.wgsl.
const ACTIVATIONS: &[&str] = &[
    "SOFTPLUS",
    "LEAKY_RELU",
    "EXPONENTIAL",
    "BETWEEN",
    "HARDSIGMOID",
    "HARDSWISH",
    "HARDSHRINK",
    "SOFTSHRINK",
    "THRESHOLD",
    "MISH",
    "SOFTSIGN",
    "LOGSIGMOID",
    "ERFC",
    "SINC",
];
/// In of_two.wgsl.
pub(super) const OF_TWO: &[&str] = &["LOGADDEXP", "LOGADDEXP2", "XLOGY", "ATAN2", "HYPOT", "GLU", "PRELU"];

/// Activations of one tensor, `erfc` and `sinc`.
///
/// # Errors
/// When memory runs out.
pub fn activation(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let dtype = call.tensor("input")?.dtype();
    let (operation, numbers) = numbers(call, dtype)?;
    let [a, b, c] = numbers.map(|number| Scalar::Float(number as f32));
    map(pass, call, &shaders::ACTIVATION, None, |dispatch| {
        let dispatch = dispatch.choice("OPERATION", ACTIVATIONS, operation);
        Ok(dispatch.scalar("a", a).scalar("b", b).scalar("c", c))
    })
}

/// The operation's name in activation.wgsl, and the numbers that it takes.
fn numbers(call: &Call<GpuTensor>, dtype: DType) -> Result<(&'static str, [f64; 3]), OpError> {
    Ok(match call.op() {
        "softplus" => ("SOFTPLUS", [call.float("beta", 1.0)?, call.float("threshold", 20.0)?, 0.0]),
        "leaky_relu" => ("LEAKY_RELU", [call.float("negative_slope", 0.01)?, 0.0, 0.0]),
        "elu" | "celu" | "selu" => {
            let Exponential { negative, positive, inner } = Exponential::of(call)?;
            ("EXPONENTIAL", [negative, positive, inner])
        }
        "relu6" | "hardtanh" => {
            let (min, max) = bounds(call)?;
            ("BETWEEN", [min, max, 0.0])
        }
        "hardsigmoid" => ("HARDSIGMOID", [0.0; 3]),
        "hardswish" => ("HARDSWISH", [0.0; 3]),
        "hardshrink" => ("HARDSHRINK", [in_dtype(call.float("lambd", 0.5)?, dtype), 0.0, 0.0]),
        "softshrink" => ("SOFTSHRINK", [call.float("lambd", 0.5)?, 0.0, 0.0]),
        "threshold" => {
            let (threshold, value) = (call.float("threshold", 0.0)?, call.float("value", 0.0)?);
            ("THRESHOLD", [in_dtype(threshold, dtype), value, 0.0])
        }
        "mish" => ("MISH", [0.0; 3]),
        "softsign" => ("SOFTSIGN", [0.0; 3]),
        "logsigmoid" | "log_sigmoid" => ("LOGSIGMOID", [0.0; 3]),
        "erfc" => ("ERFC", [0.0; 3]),
        _ => ("SINC", [0.0; 3]),
    })
}

/// A number that elements are compared with, as PyTorch stores it: in their dtype.
fn in_dtype(value: f64, dtype: DType) -> f64 {
    let stored = HostTensor::from_f64(dtype, &[1], &[value]).map(|tensor| tensor.to_f64());
    stored.ok().and_then(|values| values.first().copied()).unwrap_or(value)
}

/// `relu6`, `hardtanh` and `threshold`, whose integers stay integers.
///
/// # Errors
/// When memory runs out, or the value of `threshold` is beyond 32 bits.
pub fn bounded(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    if call.tensor("input")?.dtype().is_float() {
        return activation(pass, call);
    }
    let output = pass.result()?;
    let dispatch = if call.op() == "threshold" {
        let value = call.float("value", 0.0)? as i64;
        let word = i32::try_from(value).map_err(|_| GpuError::ScalarRange { argument: "value", value })?;
        elementwise(&shaders::THRESHOLD_INTEGER, &output)
            .scalar("a", whole(call.float("threshold", 0.0)?))
            .scalar("b", Scalar::Integer(word))
    } else {
        let (min, max) = bounds(call)?;
        elementwise(&shaders::CLAMP_INTEGER, &output)
            .constant_operand("lower", whole(min))
            .constant_operand("upper", whole(max))
    };
    one(pass, dispatch, call.tensor("input")?, output)
}

/// A bound cut to an integer; from 32 bits on it bounds nothing, as the cast saturates.
fn whole(value: f64) -> Scalar {
    Scalar::Integer(value as i32)
}

fn one(pass: &mut Pass<'_>, dispatch: Dispatch, input: &GpuTensor, output: Output) -> Tensors {
    let dispatch = read(dispatch, "input", Operand::Tensor(input), Seen::Integer, &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

/// `torch.nn.functional.glu(input, dim)`: one half times the sigmoid of the other.
///
/// # Errors
/// When memory runs out.
pub fn glu(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let at = halved(call, input.shape())?;
    let mut layout = Layout { shape: output.shape().to_vec(), ..input.layout().clone() };
    let first = input.with_layout(layout.clone())?;
    if output.numel() > 0 {
        layout.offset += layout.shape[at] * layout.strides[at];
    }
    two(pass, "GLU", &first, &input.with_layout(layout)?, output)
}

/// `torch.nn.functional.prelu(input, weight)`.
///
/// # Errors
/// When memory runs out.
pub fn prelu(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
    let output = pass.result()?;
    let shape = weight_shape(weight.numel(), input.shape().len());
    let stride = weight.layout().strides.first().copied().unwrap_or(0);
    let strides = vec![stride; shape.len()];
    let weight = weight.with_layout(Layout { shape, strides, offset: weight.layout().offset })?;
    two(pass, "PRELU", input, &weight, output)
}

fn two(pass: &mut Pass<'_>, operation: &str, input: &GpuTensor, other: &GpuTensor, output: Output) -> Tensors {
    let mut dispatch = elementwise(&shaders::OF_TWO, &output).choice("OPERATION", OF_TWO, operation);
    dispatch = read(dispatch, "input", Operand::Tensor(input), Seen::Float, &output);
    dispatch = read(dispatch, "other", Operand::Tensor(other), Seen::Float, &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}
