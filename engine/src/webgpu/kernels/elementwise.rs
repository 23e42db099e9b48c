//! Elementwise operators, over strided and broadcast operands.

use crate::graph::{Arg, Call, Operand};
use crate::tensor::{DType, Layout};
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::shaders::{self, Shader};
use crate::webgpu::space::broadcast_strides;
use crate::webgpu::{GpuError, GpuTensor};

/// What `OPERATION` can be in binary.wgsl and binary_integer.wgsl.
pub(super) const ARITHMETIC: &[&str] = &["ADD", "SUB", "MUL", "DIV", "POW"];
/// What it can be in compare.wgsl and compare_integer.wgsl.
const COMPARISONS: &[&str] = &["LE", "EQ", "NE", "GE", "GT", "LT"];
/// What it can be in unary.wgsl and unary_integer.wgsl.
const FUNCTIONS: &[&str] = &["NEG", "RSQRT", "SQRT", "COS", "SIN", "EXP", "TANH", "SIGMOID", "SILU", "RELU"];

/// Results of an operator.
pub(super) type Tensors = Result<Vec<GpuTensor>, GpuError>;

/// `add`, `sub`, `mul`, `div`, `pow`, and the comparisons.
///
/// # Errors
/// When memory runs out.
pub fn binary(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let other = call.tensor_or_scalar(if call.op() == "pow" { "exponent" } else { "other" })?;
    let output = pass.result()?;
    let operation = call.op().to_uppercase();
    let compares = COMPARISONS.contains(&operation.as_str());
    // `div` gives floats even for integers; a comparison is made on floats if one side is.
    let floats =
        if compares { input.dtype().is_float() || is_float(&other) } else { output.words().dtype().is_float() };
    let (shader, seen): (&'static Shader, _) = match (compares, floats) {
        (true, true) => (&shaders::COMPARE, Seen::Float),
        (true, false) => (&shaders::COMPARE_INTEGER, Seen::Integer),
        (false, true) => (&shaders::BINARY, Seen::Float),
        (false, false) => (&shaders::BINARY_INTEGER, Seen::Integer),
    };
    let operations = if compares { COMPARISONS } else { ARITHMETIC };
    let mut dispatch = elementwise(shader, &output).choice("OPERATION", operations, &operation);
    dispatch = read(dispatch, "input", Operand::Tensor(input), seen, &output);
    dispatch = read(dispatch, "other", other, seen, &output);
    if !compares {
        dispatch = dispatch.scalar("alpha", alpha(call, output.words().dtype())?).guard(&output);
    }
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

/// `torch.where(condition, input, other)`.
///
/// # Errors
/// When memory runs out.
pub fn where_(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let seen = seen(output.words().dtype());
    let mut dispatch = elementwise(&shaders::WHERE, &output);
    dispatch = read(dispatch, "condition", Operand::Tensor(call.tensor("condition")?), Seen::Integer, &output);
    dispatch = read(dispatch, "input", Operand::Tensor(call.tensor("input")?), seen, &output);
    dispatch = read(dispatch, "other", call.tensor_or_scalar("other")?, seen, &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

/// `neg`, `relu`, and the functions of one number that give floats.
///
/// # Errors
/// When memory runs out.
pub fn unary(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let operation = call.op().to_uppercase();
    map(pass, call, &shaders::UNARY, Some(&shaders::UNARY_INTEGER), |dispatch| {
        Ok(dispatch.choice("OPERATION", FUNCTIONS, &operation))
    })
}

/// `torch.nn.functional.gelu(input, approximate)`.
///
/// # Errors
/// When memory runs out.
pub fn gelu(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let tanh = call.str("approximate", "none")? == "tanh";
    map(pass, call, &shaders::GELU, None, |dispatch| Ok(dispatch.constant("TANH", tanh)))
}

/// `Tensor.to(dtype)`.
///
/// # Errors
/// When the dtype has no form on the GPU, or memory runs out.
pub fn to(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let target = output.words().dtype();
    let cuts = input.dtype().is_float() && !target.is_float();
    let dispatch = if cuts {
        elementwise(&shaders::TO, &output).constant("BOOLEAN", target == DType::Bool).guard(&output)
    } else {
        elementwise(&shaders::COPY, &output)
    };
    // Integers that become floats are converted as they are loaded; narrow integers wrap as they are stored.
    let seen = if cuts { Seen::Float } else { seen(target) };
    let dispatch = read(dispatch, "input", Operand::Tensor(input), seen, &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

/// One kernel over one input: `floats`, or `integers` where the result is one.
pub(super) fn map(
    pass: &mut Pass<'_>,
    call: &Call<GpuTensor>,
    floats: &'static Shader,
    integers: Option<&'static Shader>,
    specialise: impl FnOnce(Dispatch) -> Result<Dispatch, GpuError>,
) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let seen = seen(output.words().dtype());
    let shader = integers.filter(|_| seen == Seen::Integer).unwrap_or(floats);
    let dispatch = specialise(elementwise(shader, &output).guard(&output))?;
    let dispatch = read(dispatch, "input", Operand::Tensor(input), seen, &output);
    pass.dispatch(write(dispatch, &output))?;
    pass.finish(output)
}

pub(super) fn elementwise(shader: &'static Shader, output: &Output) -> Dispatch {
    Dispatch::new(shader, ELEMENTWISE).space("element", output.shape()).invocations(output.numel(), ELEMENTWISE)
}

/// An operand that broadcasts to the result's shape.
pub(super) fn read(
    dispatch: Dispatch,
    name: &'static str,
    operand: Operand<'_, GpuTensor>,
    seen: Seen,
    output: &Output,
) -> Dispatch {
    match (operand, seen) {
        (Operand::Tensor(tensor), _) => {
            let Layout { shape, strides, .. } = tensor.layout();
            let strides = broadcast_strides(shape, strides, output.shape());
            dispatch.read_as(name, tensor, seen, &[("element", &strides)])
        }
        (Operand::Int(value), Seen::Integer) => match i32::try_from(value) {
            Ok(value) => dispatch.constant_operand(name, Scalar::Integer(value)),
            Err(_) => dispatch.fail(GpuError::ScalarRange { argument: name, value }),
        },
        (Operand::Int(value), Seen::Float) => dispatch.constant_operand(name, Scalar::Float(value as f32)),
        (Operand::Float(value), Seen::Float) => dispatch.constant_operand(name, Scalar::Float(value as f32)),
        // A float beside integers makes the result float, so this does not occur; the signature sees to it.
        (Operand::Float(value), Seen::Integer) => dispatch.constant_operand(name, Scalar::Integer(value as i32)),
    }
}

pub(super) fn write(dispatch: Dispatch, output: &Output) -> Dispatch {
    dispatch.write("result", output, &[("element", &output.words().layout().strides)])
}

/// `alpha` of `add` and `sub`; the other operators do not look at it.
pub(super) fn alpha(call: &Call<GpuTensor>, result: DType) -> Result<Scalar, GpuError> {
    if result.is_float() {
        return Ok(Scalar::Float(call.float("alpha", 1.0)? as f32));
    }
    let value = match call.plain("alpha") {
        Arg::Bool(flag) => i64::from(*flag),
        _ => call.int("alpha", 1)?,
    };
    // Beside bool any factor but 0 is 1.
    let value = if result == DType::Bool { i64::from(value != 0) } else { value };
    let word = i32::try_from(value).map_err(|_| GpuError::ScalarRange { argument: "alpha", value })?;
    Ok(Scalar::Integer(word))
}

pub(super) fn seen(dtype: DType) -> Seen {
    if dtype.is_float() { Seen::Float } else { Seen::Integer }
}

fn is_float(operand: &Operand<'_, GpuTensor>) -> bool {
    match operand {
        Operand::Tensor(tensor) => tensor.dtype().is_float(),
        Operand::Int(_) => false,
        Operand::Float(_) => true,
    }
}
