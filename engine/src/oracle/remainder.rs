//! Division, and what is left over: of real numbers and of integers.

use super::Array;
use super::elementwise::{Arrays, arithmetic};
use crate::graph::signatures::remainder::{self as signatures, Rounding, rounding};
use crate::graph::{Call, OpError, Signature};

/// input / other: the true quotient for integers too, or rounded to an integer.
pub fn div(call: &Call<Array>) -> Arrays {
    match rounding(call)? {
        // The signature never gives an integer result.
        None => arithmetic(call, &signatures::DIV, |a, b| a / b, |a, _| Ok(a)),
        Some(Rounding::Trunc) => whole(call, &signatures::DIV, |a, b| (a / b).trunc(), i64::wrapping_div),
        Some(Rounding::Floor) => whole(call, &signatures::DIV, floor_of_quotient, floor_of_integers),
    }
}

/// ⌊input / other⌋.
pub fn floor_divide(call: &Call<Array>) -> Arrays {
    whole(call, &signatures::FLOOR_DIVIDE, floor_of_quotient, floor_of_integers)
}

/// input − other · ⌊input / other⌋: 0 or of other's sign.
pub fn remainder(call: &Call<Array>) -> Arrays {
    let float = |a: f64, b: f64| {
        let rest = a % b;
        if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
    };
    let int = |a: i64, b: i64| {
        let rest = a.wrapping_rem(b);
        if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
    };
    whole(call, &signatures::REMAINDER, float, int)
}

/// input − other · trunc(input / other): 0 or of input's sign.
pub fn fmod(call: &Call<Array>) -> Arrays {
    whole(call, &signatures::FMOD, |a, b| a % b, i64::wrapping_rem)
}

/// Not ⌊a / b⌋ of the rounded quotient, which may have been rounded up to an integer: Python's way, by what is left over.
fn floor_of_quotient(a: f64, b: f64) -> f64 {
    if b == 0.0 {
        return a / b;
    }
    let rest = a % b;
    let less = if rest != 0.0 && (rest < 0.0) != (b < 0.0) { 1.0 } else { 0.0 };
    let quotient = (a - rest) / b - less;
    if quotient == 0.0 {
        return 0f64.copysign(a / b);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

fn floor_of_integers(a: i64, b: i64) -> i64 {
    let less = a.wrapping_rem(b) != 0 && (a < 0) != (b < 0);
    a.wrapping_div(b) - i64::from(less)
}

/// An operator that keeps integers integers, for which there is no dividing by 0.
fn whole(
    call: &Call<Array>,
    signature: &Signature,
    float: impl Fn(f64, f64) -> f64,
    int: impl Fn(i64, i64) -> i64,
) -> Arrays {
    let divided = |a: i64, b: i64| -> Result<i64, OpError> {
        if b == 0 { Err(call.error("other", "must not hold 0 where integers are divided")) } else { Ok(int(a, b)) }
    };
    arithmetic(call, signature, float, divided)
}
