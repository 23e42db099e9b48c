//! Magnitude, sign, rounding to integers, and the larger and smaller of two numbers.

use super::Array;
use super::elementwise::{Arrays, arithmetic};
use super::unary::same;
use crate::graph::Call;
use crate::graph::signatures::arithmetic as signatures;

/// The larger of input and other; NaN where one is NaN.
pub fn maximum(call: &Call<Array>) -> Arrays {
    let float = |a: f64, b: f64| if a.is_nan() || a > b { a } else { b };
    arithmetic(call, &signatures::MAXIMUM, float, |a, b| Ok(a.max(b)))
}

/// The smaller of input and other; NaN where one is NaN.
pub fn minimum(call: &Call<Array>) -> Arrays {
    let float = |a: f64, b: f64| if a.is_nan() || a < b { a } else { b };
    arithmetic(call, &signatures::MINIMUM, float, |a, b| Ok(a.min(b)))
}

/// |input|.
pub fn abs(call: &Call<Array>) -> Arrays {
    same(call, &signatures::ABS, f64::abs, i64::wrapping_abs)
}

/// −1, 0 or 1; 0 for NaN, as PyTorch has it.
pub fn sign(call: &Call<Array>) -> Arrays {
    let float = |x: f64| if x == 0.0 || x.is_nan() { 0.0 } else { x.signum() };
    same(call, &signatures::SIGN, float, i64::signum)
}

/// The largest integer that is not greater.
pub fn floor(call: &Call<Array>) -> Arrays {
    same(call, &signatures::FLOOR, f64::floor, |x| x)
}

/// The smallest integer that is not less.
pub fn ceil(call: &Call<Array>) -> Arrays {
    same(call, &signatures::CEIL, f64::ceil, |x| x)
}

/// The integer part.
pub fn trunc(call: &Call<Array>) -> Arrays {
    same(call, &signatures::TRUNC, f64::trunc, |x| x)
}

/// The nearest integer, the even one of two; with `decimals` the nearest multiple of 10^−decimals.
pub fn round(call: &Call<Array>) -> Arrays {
    let decimals = call.int("decimals", 0)?;
    let scale = 10f64.powi(i32::try_from(decimals.unsigned_abs()).unwrap_or(0));
    let float = |x: f64| match decimals {
        0 => x.round_ties_even(),
        1.. => (x * scale).round_ties_even() / scale,
        _ => (x / scale).round_ties_even() * scale,
    };
    same(call, &signatures::ROUND, float, |x| x)
}
