//! Comparisons, truth values, and operators on the bits of integers.

use super::broadcast::expand;
use super::elementwise::{Arrays, array, compare, integers, wrap};
use super::{Array, Data, result};
use crate::graph::Signature;
use crate::graph::signatures::logic as signatures;
use crate::graph::{Call, OpError};
use crate::tensor::DType;

/// input ≠ other; NaN differs from everything.
pub fn ne(call: &Call<Array>) -> Arrays {
    compare(call, &signatures::NE, |a, b| a != b, |a, b| a != b)
}

/// input ≥ other.
pub fn ge(call: &Call<Array>) -> Arrays {
    compare(call, &signatures::GE, |a, b| a >= b, |a, b| a >= b)
}

/// input > other.
pub fn gt(call: &Call<Array>) -> Arrays {
    compare(call, &signatures::GT, |a, b| a > b, |a, b| a > b)
}

/// input < other.
pub fn lt(call: &Call<Array>) -> Arrays {
    compare(call, &signatures::LT, |a, b| a < b, |a, b| a < b)
}

/// Whether input is NaN.
pub fn isnan(call: &Call<Array>) -> Arrays {
    truth(call, &signatures::ISNAN, f64::is_nan)
}

/// Whether input is infinite, of either sign.
pub fn isinf(call: &Call<Array>) -> Arrays {
    truth(call, &signatures::ISINF, f64::is_infinite)
}

/// Whether input is zero.
pub fn logical_not(call: &Call<Array>) -> Arrays {
    truth(call, &signatures::LOGICAL_NOT, |x| x == 0.0)
}

/// Whether both are not zero; NaN is not.
pub fn logical_and(call: &Call<Array>) -> Arrays {
    truth_of_two(call, &signatures::LOGICAL_AND, |a, b| a && b)
}

/// Whether one is not zero.
pub fn logical_or(call: &Call<Array>) -> Arrays {
    truth_of_two(call, &signatures::LOGICAL_OR, |a, b| a || b)
}

/// Whether exactly one is not zero.
pub fn logical_xor(call: &Call<Array>) -> Arrays {
    truth_of_two(call, &signatures::LOGICAL_XOR, |a, b| a != b)
}

/// The complement of every bit; of a bool, its opposite.
pub fn bitwise_not(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::BITWISE_NOT)?;
    let bool = meta.dtype == DType::Bool;
    let values =
        call.tensor("input")?.ints().iter().map(|&x| if bool { 1 - x } else { wrap(meta.dtype, !x) }).collect();
    Ok(vec![array(meta, Data::Int(values))])
}

/// Bits set in both.
pub fn bitwise_and(call: &Call<Array>) -> Arrays {
    integers(call, &signatures::BITWISE_AND, |a, b| Ok(a & b))
}

/// `bitwise_and` by the name that `&` has in a graph that was not decomposed.
pub fn and(call: &Call<Array>) -> Arrays {
    integers(call, &signatures::AND, |a, b| Ok(a & b))
}

/// Bits set in either.
pub fn bitwise_or(call: &Call<Array>) -> Arrays {
    integers(call, &signatures::BITWISE_OR, |a, b| Ok(a | b))
}

/// Bits set in one of the two.
pub fn bitwise_xor(call: &Call<Array>) -> Arrays {
    integers(call, &signatures::BITWISE_XOR, |a, b| Ok(a ^ b))
}

/// input · 2^other, without what leaves the dtype; 0 where other is negative or at least the dtype's width.
pub fn bitwise_left_shift(call: &Call<Array>) -> Arrays {
    let shift = |a: i64, b: i64| u32::try_from(b).ok().and_then(|b| a.checked_shl(b)).unwrap_or(0);
    integers(call, &signatures::BITWISE_LEFT_SHIFT, |a, b| Ok(shift(a, b)))
}

/// ⌊input / 2^other⌋; 0 or −1 where other is negative or at least the dtype's width.
pub fn bitwise_right_shift(call: &Call<Array>) -> Arrays {
    let shift = |a: i64, b: i64| u32::try_from(b).ok().and_then(|b| a.checked_shr(b)).unwrap_or(a >> 63);
    integers(call, &signatures::BITWISE_RIGHT_SHIFT, |a, b| Ok(shift(a, b)))
}

fn truth(call: &Call<Array>, signature: &Signature, holds: impl Fn(f64) -> bool) -> Arrays {
    let meta = result(call, signature)?;
    let values = call.tensor("input")?.floats().iter().map(|&x| i64::from(holds(x))).collect();
    Ok(vec![array(meta, Data::Int(values))])
}

fn truth_of_two(call: &Call<Array>, signature: &Signature, holds: impl Fn(bool, bool) -> bool) -> Arrays {
    let meta = result(call, signature)?;
    let truths = |name: &str| -> Result<Vec<bool>, OpError> {
        let operand = call.tensor(name)?;
        let truths: Vec<bool> = operand.floats().iter().map(|&x| x != 0.0).collect();
        Ok(expand(&truths, &operand.shape, &meta.shape))
    };
    let pairs = truths("input")?.into_iter().zip(truths("other")?);
    let values = pairs.map(|(a, b)| i64::from(holds(a, b))).collect();
    Ok(vec![array(meta, Data::Int(values))])
}
