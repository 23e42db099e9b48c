//! Elementwise operators on two or more operands, and casts. Those on one are in the file `unary`.

use super::broadcast::expand;
pub use super::unary::{cos, exp, gelu, neg, relu, rsqrt, sigmoid, silu, sin, sqrt, tanh};
use super::{Array, Data, result};
use crate::graph::signatures::elementwise as signatures;
use crate::graph::{Call, Meta, OpError, Operand, Signature};
use crate::tensor::{DType, HostTensor};

/// Results of an operator.
pub(super) type Arrays = Result<Vec<Array>, OpError>;

/// input · other.
pub fn mul(call: &Call<Array>) -> Arrays {
    arithmetic(call, &signatures::MUL, |a, b| a * b, |a, b| Ok(a.wrapping_mul(b)))
}

/// input ^ exponent; integers stay integers.
pub fn pow(call: &Call<Array>) -> Arrays {
    let negative = || call.error("exponent", "must not be negative where input and exponent are integers");
    arithmetic(call, &signatures::POW, f64::powf, |base, exponent| {
        let mut power = 1i64;
        for bit in (0..u64::BITS).rev() {
            power = power.wrapping_mul(power);
            if u64::try_from(exponent).map_err(|_| negative())? >> bit & 1 == 1 {
                power = power.wrapping_mul(base);
            }
        }
        Ok(power)
    })
}

/// input ≤ other.
pub fn le(call: &Call<Array>) -> Arrays {
    compare(call, &signatures::LE, |a, b| a <= b, |a, b| a <= b)
}

/// input = other.
pub fn eq(call: &Call<Array>) -> Arrays {
    compare(call, &signatures::EQ, |a, b| a == b, |a, b| a == b)
}

/// input where condition is true, other elsewhere.
pub fn where_(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::WHERE)?;
    let condition = call.tensor("condition")?;
    let condition = expand(&condition.floats(), &condition.shape, &meta.shape);
    let (input, other) = (Operand::Tensor(call.tensor("input")?), call.tensor_or_scalar("other")?);
    let data = if is_int(meta.dtype) {
        Data::Int(choose(&condition, &ints(input, &meta.shape), &ints(other, &meta.shape)))
    } else {
        let other = floats(rounded(other, meta.dtype), &meta.shape);
        Data::Float(choose(&condition, &floats(input, &meta.shape), &other))
    };
    Ok(vec![array(meta, data)])
}

fn choose<T: Copy>(condition: &[f64], input: &[T], other: &[T]) -> Vec<T> {
    condition.iter().zip(input.iter().zip(other)).map(|(&c, (&a, &b))| if c != 0.0 { a } else { b }).collect()
}

/// input in another dtype: floats become integers by truncation, anything but 0 becomes true.
///
/// Floats are not rounded: the rounding of a cast is the source's and the target's noise.
pub fn to(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::TO)?;
    if meta.dtype.is_quantized() {
        return Err(super::unsupported(call, &format!("a cast to {}", meta.dtype)));
    }
    let input = call.tensor("input")?;
    let data = if meta.dtype == DType::Bool {
        Data::Int(input.floats().iter().map(|&v| i64::from(v != 0.0)).collect())
    } else if is_int(meta.dtype) {
        Data::Int(input.ints().iter().map(|&v| wrap(meta.dtype, v)).collect())
    } else if meta.dtype == DType::F8E4M3 {
        // It has no infinity: whatever is larger becomes its largest number.
        Data::Float(input.floats().iter().map(|&v| if v.is_nan() { v } else { v.clamp(-448.0, 448.0) }).collect())
    } else {
        Data::Float(input.to_f64())
    };
    Ok(vec![array(meta, data)])
}

/// A binary operator whose result is of the promoted dtype; a scalar takes part as f32, as in PyTorch's kernels (as f64 where the
/// result is f64).
pub(super) fn arithmetic(
    call: &Call<Array>,
    signature: &Signature,
    float: impl Fn(f64, f64) -> f64,
    int: impl Fn(i64, i64) -> Result<i64, OpError>,
) -> Arrays {
    let meta = result(call, signature)?;
    let (input, other) = operands(call)?;
    let data = if is_int(meta.dtype) {
        let pairs = ints(input, &meta.shape).into_iter().zip(ints(other, &meta.shape));
        let values = pairs.map(|(a, b)| int(a, b).map(|v| wrap(meta.dtype, v))).collect::<Result<_, _>>()?;
        Data::Int(values)
    } else {
        let scalar = if meta.dtype == DType::F64 { DType::F64 } else { DType::F32 };
        let other = floats(rounded(other, scalar), &meta.shape);
        Data::Float(floats(input, &meta.shape).into_iter().zip(other).map(|(a, b)| float(a, b)).collect())
    };
    Ok(vec![array(meta, data)])
}

/// A binary operator on integers and bool.
pub(super) fn integers(
    call: &Call<Array>,
    signature: &Signature,
    int: impl Fn(i64, i64) -> Result<i64, OpError>,
) -> Arrays {
    // The signature never gives a float result.
    arithmetic(call, signature, |a, _| a, int)
}

/// A comparison: integers as integers, everything else as real numbers; a scalar is rounded to the tensor's dtype first.
pub(super) fn compare(
    call: &Call<Array>,
    signature: &Signature,
    float: impl Fn(f64, f64) -> bool,
    int: impl Fn(i64, i64) -> bool,
) -> Arrays {
    let meta = result(call, signature)?;
    let (input, other) = operands(call)?;
    let dtype = call.tensor("input")?.dtype;
    let integers = is_int(dtype)
        && match other {
            Operand::Tensor(other) => is_int(other.dtype),
            Operand::Int(_) => true,
            Operand::Float(_) => false,
        };
    let values = if integers {
        let other = ints(other, &meta.shape);
        ints(input, &meta.shape).into_iter().zip(other).map(|(a, b)| i64::from(int(a, b))).collect()
    } else {
        let other = floats(rounded(other, dtype), &meta.shape);
        floats(input, &meta.shape).into_iter().zip(other).map(|(a, b)| i64::from(float(a, b))).collect()
    };
    Ok(vec![array(meta, Data::Int(values))])
}

type Operands<'a> = (Operand<'a, Array>, Operand<'a, Array>);

fn operands(call: &Call<Array>) -> Result<Operands<'_>, OpError> {
    let other = if call.op() == signatures::POW.name { "exponent" } else { "other" };
    Ok((Operand::Tensor(call.tensor("input")?), call.tensor_or_scalar(other)?))
}

pub(super) fn floats(operand: Operand<'_, Array>, shape: &[usize]) -> Vec<f64> {
    match operand {
        Operand::Tensor(array) => expand(&array.floats(), &array.shape, shape),
        Operand::Int(value) => vec![value as f64; shape.iter().product()],
        Operand::Float(value) => vec![value; shape.iter().product()],
    }
}

pub(super) fn ints(operand: Operand<'_, Array>, shape: &[usize]) -> Vec<i64> {
    match operand {
        Operand::Tensor(array) => expand(&array.ints(), &array.shape, shape),
        Operand::Int(value) => vec![value; shape.iter().product()],
        Operand::Float(value) => vec![value as i64; shape.iter().product()],
    }
}

fn rounded(operand: Operand<'_, Array>, dtype: DType) -> Operand<'_, Array> {
    match operand {
        Operand::Float(value) => Operand::Float(round(value, dtype)),
        other => other,
    }
}

/// `value` rounded to a float dtype; as it is for integers, which PyTorch promotes beside a float.
pub(super) fn round(value: f64, dtype: DType) -> f64 {
    if is_int(dtype) {
        return value;
    }
    HostTensor::from_f64(dtype, &[1], &[value])
        .map_or(value, |tensor| tensor.to_f64().first().copied().unwrap_or(value))
}

/// Whether arrays of this dtype hold integers.
pub(super) fn is_int(dtype: DType) -> bool {
    !dtype.is_float()
}

/// An integer as `dtype` stores it: wrapped around; bool is 0 or 1.
pub(super) fn wrap(dtype: DType, value: i64) -> i64 {
    match dtype {
        DType::I32 => i64::from(value as i32),
        DType::I16 => i64::from(value as i16),
        DType::I8 => i64::from(value as i8),
        DType::U8 => i64::from(value as u8),
        DType::Bool => i64::from(value != 0),
        _ => value,
    }
}

pub(super) fn array(meta: Meta, data: Data) -> Array {
    Array { dtype: meta.dtype, shape: meta.shape, data }
}
