//! Elementwise operators.

use super::array::broadcast_positions;
use super::{Array, Data, unsupported};
use std::borrow::Cow;
use std::f32::consts::{FRAC_1_SQRT_2, PI};
use taproot_engine::graph::{Arg, Call, Meta, OpError, Operand};
use taproot_engine::operators;
use taproot_engine::tensor::DType;

type Result = std::result::Result<Array, OpError>;

/// An operator on one tensor.
pub(super) fn unary(call: &Call<Array>) -> Result {
    let input = call.tensor("input")?;
    let function: fn(f32) -> f32 = match call.op() {
        "neg" if input.is_int() => return Ok(map_ints(input, i64::wrapping_neg)),
        "relu" if input.is_int() => return Ok(map_ints(input, |x| x.max(0))),
        "neg" => |x| -x,
        "relu" => |x| if x < 0.0 { 0.0 } else { x },
        "rsqrt" => |x| 1.0 / x.sqrt(),
        "sqrt" => f32::sqrt,
        "cos" => f32::cos,
        "sin" => f32::sin,
        "exp" => f32::exp,
        "tanh" => f32::tanh,
        "sigmoid" => |x| 1.0 / (1.0 + (-x).exp()),
        "silu" => |x| x / (1.0 + (-x).exp()),
        _ => return Err(unsupported(call, "this operator".to_owned())),
    };
    Ok(map_floats(input, function))
}

/// `gelu`, exact or by tanh.
pub(super) fn gelu(call: &Call<Array>) -> Result {
    let input = call.tensor("input")?;
    let exact = |x: f32| 0.5 * x * (1.0 + libm::erff(x * FRAC_1_SQRT_2));
    let by_tanh = |x: f32| 0.5 * x * (1.0 + ((2.0 / PI).sqrt() * (x + 0.044_715 * x * x * x)).tanh());
    Ok(if call.str("approximate", "none")? == "tanh" { map_floats(input, by_tanh) } else { map_floats(input, exact) })
}

/// An operator on two operands of which the second may be a number.
pub(super) fn binary(call: &Call<Array>) -> Result {
    if call.op() == "div" && *call.plain("rounding_mode") != Arg::None {
        return Err(unsupported(call, "a rounded quotient".to_owned()));
    }
    let input = call.tensor("input")?;
    let other = call.tensor_or_scalar(if call.op() == "pow" { "exponent" } else { "other" })?;
    let meta = result(call)?;
    let integers = input.is_int() && call.op() != "div" && !matches!(other, Operand::Float(_));
    if integers && let Some(other) = integer_operand(&other) {
        let values = zip(&input.ints(), &input.shape, &other.0, &other.1, &meta.shape, integer_function(call)?);
        return Ok(Array::int(meta.dtype, &meta.shape, values));
    }
    let (values, shape) = float_operand(other);
    if meta.dtype == DType::Bool {
        let compare: fn(f32, f32) -> bool = if call.op() == "le" { |a, b| a <= b } else { |a, b| a == b };
        let truth = zip(&input.floats(), &input.shape, &values, &shape, &meta.shape, |a, b| i64::from(compare(a, b)));
        return Ok(Array::int(DType::Bool, &meta.shape, truth));
    }
    let alpha = call.float("alpha", 1.0)? as f32;
    let function: Box<dyn Fn(f32, f32) -> f32> = match call.op() {
        "add" => Box::new(move |a, b| a + alpha * b),
        "sub" => Box::new(move |a, b| a - alpha * b),
        "mul" => Box::new(|a, b| a * b),
        "div" => Box::new(|a, b| a / b),
        "pow" => Box::new(f32::powf),
        _ => return Err(unsupported(call, "this operator".to_owned())),
    };
    Ok(Array::float(&meta.shape, zip(&input.floats(), &input.shape, &values, &shape, &meta.shape, function)))
}

/// `where(condition, input, other)`.
pub(super) fn where_(call: &Call<Array>) -> Result {
    let meta = result(call)?;
    let condition = call.tensor("condition")?;
    let input = call.tensor("input")?;
    let chosen = |a: Vec<usize>, b: Vec<usize>| {
        let condition = expanded(&condition.ints(), &condition.shape, &meta.shape);
        condition.into_iter().zip(a.into_iter().zip(b)).collect::<Vec<_>>()
    };
    let (values, shape) = float_operand(call.tensor_or_scalar("other")?);
    let pairs = chosen(broadcast_positions(&input.shape, &meta.shape), broadcast_positions(&shape, &meta.shape));
    if !meta.dtype.is_float() {
        let (others, _) = integer_operand(&call.tensor_or_scalar("other")?)
            .ok_or_else(|| unsupported(call, "a float beside integers".to_owned()))?;
        let ints = input.ints();
        let values = pairs.iter().map(|&(take, (a, b))| if take != 0 { ints[a] } else { others[b] });
        return Ok(Array::int(meta.dtype, &meta.shape, values.collect()));
    }
    let floats = input.floats();
    let values = pairs.iter().map(|&(take, (a, b))| if take != 0 { floats[a] } else { values[b] });
    Ok(Array::float(&meta.shape, values.collect()))
}

/// `clamp(input, min, max)`; NaN stays NaN.
pub(super) fn clamp(call: &Call<Array>) -> Result {
    if call.opt_tensor("min").is_ok_and(|min| min.is_some()) || call.opt_tensor("max").is_ok_and(|max| max.is_some()) {
        return Err(unsupported(call, "a tensor as a bound".to_owned()));
    }
    let input = call.tensor("input")?;
    if input.is_int() {
        let bound = |name: &str| match call.plain(name) {
            Arg::Float(_) => Err(unsupported(call, "a float bound on integers".to_owned())),
            _ => call.opt_int(name),
        };
        let (min, max) = (bound("min")?.unwrap_or(i64::MIN), bound("max")?.unwrap_or(i64::MAX));
        return Ok(map_ints(input, |x| x.max(min).min(max)));
    }
    let (min, max) = (call.opt_float("min")?, call.opt_float("max")?);
    Ok(map_floats(input, |x| {
        // A bound that is NaN makes everything NaN.
        let raised = match min {
            Some(min) if x < min as f32 || min.is_nan() => min as f32,
            _ => x,
        };
        match max {
            Some(max) if raised > max as f32 || max.is_nan() => max as f32,
            _ => raised,
        }
    }))
}

/// `Tensor.to(dtype)`.
pub(super) fn to(call: &Call<Array>) -> Result {
    let input = call.tensor("input")?;
    let dtype = call.opt_dtype("dtype")?.unwrap_or(input.dtype);
    Ok(match dtype {
        DType::Bool => {
            let truth = input.floats().iter().map(|&value| i64::from(value != 0.0)).collect();
            Array::int(dtype, &input.shape, truth)
        }
        dtype if dtype.is_integer() => Array::int(dtype, &input.shape, input.ints().into_owned()),
        dtype => Array { dtype, ..Array::float(&input.shape, input.floats().into_owned()) },
    })
}

fn result(call: &Call<Array>) -> std::result::Result<Meta, OpError> {
    let metas = operators::infer(&call.map_tensors(Array::meta))?;
    metas.into_iter().next().ok_or_else(|| unsupported(call, "a call without results".to_owned()))
}

fn map_floats(input: &Array, function: impl Fn(f32) -> f32) -> Array {
    Array::float(&input.shape, input.floats().iter().map(|&x| function(x)).collect())
}

fn map_ints(input: &Array, function: impl Fn(i64) -> i64) -> Array {
    Array::int(input.dtype, &input.shape, input.ints().iter().map(|&x| function(x)).collect())
}

fn float_operand<'a>(operand: Operand<'a, Array>) -> (Cow<'a, [f32]>, Vec<usize>) {
    match operand {
        Operand::Tensor(array) => (array.floats(), array.shape.clone()),
        Operand::Int(value) => (Cow::Owned(vec![value as f32]), Vec::new()),
        Operand::Float(value) => (Cow::Owned(vec![value as f32]), Vec::new()),
    }
}

fn integer_operand<'a>(operand: &Operand<'a, Array>) -> Option<(Cow<'a, [i64]>, Vec<usize>)> {
    match operand {
        Operand::Tensor(Array { data: Data::Int(values), shape, .. }) => Some((Cow::Borrowed(values), shape.clone())),
        Operand::Int(value) => Some((Cow::Owned(vec![*value]), Vec::new())),
        _ => None,
    }
}

fn integer_function(call: &Call<Array>) -> std::result::Result<Box<dyn Fn(i64, i64) -> i64>, OpError> {
    let alpha = match call.plain("alpha") {
        Arg::Bool(alpha) => i64::from(*alpha),
        _ => call.int("alpha", 1)?,
    };
    // Among bool, alpha is one of them.
    let bools = |name: &str| call.opt_tensor(name).ok().flatten().is_some_and(|tensor| tensor.dtype == DType::Bool);
    let alpha = if bools("input") && bools("other") { i64::from(alpha != 0) } else { alpha };
    Ok(match call.op() {
        "add" => Box::new(move |a, b| a.wrapping_add(alpha.wrapping_mul(b))),
        "sub" => Box::new(move |a, b| a.wrapping_sub(alpha.wrapping_mul(b))),
        "mul" => Box::new(i64::wrapping_mul),
        "pow" => {
            let exponents = call.tensor_or_scalar("exponent")?;
            let negative = integer_operand(&exponents).is_some_and(|(values, _)| values.iter().any(|&value| value < 0));
            if negative {
                return Err(call.error("exponent", "must not be negative where input and exponent are integers"));
            }
            // Not negative; an exponent over u32::MAX is one that nobody has.
            Box::new(|base, exponent| base.wrapping_pow(exponent as u32))
        }
        "le" => Box::new(|a, b| i64::from(a <= b)),
        "eq" => Box::new(|a, b| i64::from(a == b)),
        _ => return Err(unsupported(call, "this operator on integers".to_owned())),
    })
}

fn expanded<T: Copy>(values: &[T], shape: &[usize], target: &[usize]) -> Vec<T> {
    // In range: the signature has checked that the shape broadcasts.
    broadcast_positions(shape, target).into_iter().map(|at| values[at]).collect()
}

fn zip<T: Copy, U>(
    a: &[T],
    a_shape: &[usize],
    b: &[T],
    b_shape: &[usize],
    target: &[usize],
    function: impl Fn(T, T) -> U,
) -> Vec<U> {
    if a_shape == target && b_shape == target {
        return a.iter().zip(b).map(|(&a, &b)| function(a, b)).collect();
    }
    let (a, b) = (expanded(a, a_shape, target), expanded(b, b_shape, target));
    a.into_iter().zip(b).map(|(a, b)| function(a, b)).collect()
}
