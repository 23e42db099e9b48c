//! Functions of one real number.
//!
//! WGSL's own rules for most of these are of no use as a measure (4096 ULP for `atan`, 2⁻¹¹ of π for `tan`), or name built-ins that
//! do not exist (log10, log1p, expm1, erf). So the bounds are those of the kernels' formulas (`webgpu/shaders/functions`), in which
//! only division (2.5 ULP) and the square root (4.5 ULP, as a division by `inverseSqrt`) are not exact but for rounding.

use super::elementwise::of_input;
use super::{ULP, of_one, ulp};
use crate::graph::Call;
use crate::oracle::Array;

/// ULP of a square root: 2 of `inverseSqrt` and 2.5 of the division.
const SQUARE_ROOT: f64 = 4.5;

/// Functions whose error is a number of ULP of their result.
pub fn function(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let ulps = ulps(call.op());
        Some(result.iter().map(|&o| ulps * ulp(o)).collect())
    })
}

fn ulps(op: &str) -> f64 {
    match op {
        // The logarithm in two floats is good to 2⁻²⁸; two products and their sum are rounded.
        "log" | "log2" | "log10" => 1.0,
        // Half a ULP of 1 + x is 2⁻²⁴, of a logarithm of at least 0.34: 2 ULP; and that logarithm.
        "log1p" => 3.0,
        // A division within a term of at most 0.35 of a result of at least 0.7.
        "exp2" => 2.0,
        // 2ⁿ·(e^r − 1) is at most 1.4 times the result; e^r − 1 is off by some 1.5 ULP.
        "expm1" => 3.0,
        // (e + e/(e + 1))/2 of e = expm1 |x|: expm1's 3, and half of its 3 and the quotient's 2.5 and roundings.
        "sinh" => 5.0,
        // Two factors of exp, 1.5 ULP each, and roundings.
        "cosh" => 4.0,
        // x + x·y with |y| < 0.13 from a division, or 1 − tail, whose tail is below 0.24.
        "erf" => 2.0,
        // sin and cos 1 ULP each, the reduced angle 1 ULP times at most 1.6, the division.
        "tan" => 6.0,
        // The divisions 1/x and (x − 1)/(x + 1), where 1 ULP of the argument is at most 1 of the result, and the polynomial.
        "atan" => 7.0,
        // ln(1 + x + x²/(1 + √(x² + 1))): the square root and the division in at most half of the argument, and log1p.
        "asinh" => 7.0,
        // ln(1 + t + √(2t + t²)): the square root and log1p.
        "acosh" => SQUARE_ROOT + 1.0 + 3.0,
        // ln(1 + 2x/(1 − x)): 1 − x, the division, and log1p.
        "atanh" => 6.5,
        _ => 0.0,
    }
}

/// `asin(x)`: 2 ULP of the polynomial up to ½; above, π/2 − 2·asin √((1 − |x|)/2) with the square root's error.
pub fn asin(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_input(call, results, |x, o| if x.abs() <= 0.5 { 2.0 * ulp(o) } else { acos_of_large(x.abs()) + ulp(o) })
}

/// `acos(x)`: π/2 − asin x up to ½; above, 2·asin √((1 − |x|)/2), or π less that.
pub fn acos(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_input(call, results, |x, o| if x.abs() <= 0.5 { 2.0 * ulp(o) } else { acos_of_large(x.abs()) + ulp(o) })
}

/// What acos x may be off for x in [½, 1]: the square root's error stays relative, up to asin′(½)·½/asin(½) = 1.11, and a ULP of
/// the polynomial.
fn acos_of_large(x: f64) -> f64 {
    x.acos() * (1.11 * SQUARE_ROOT + 1.0) * ULP
}

/// `round(x, decimals)`: the quotient or product that gives back the decimals; and where the scaled number is as near to the middle
/// between two integers as its own rounding may move it, the other integer.
pub fn round(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    let decimals = call.int("decimals", 0).unwrap_or(0);
    if decimals == 0 {
        return super::exact(call, results);
    }
    let scale = 10f64.powi(i32::try_from(decimals).unwrap_or(0));
    of_input(call, results, |x, o| {
        let scaled = x * scale;
        // 2.5 ULP of a division, half of one that 10^decimals is off.
        let tie = (scaled - scaled.floor() - 0.5).abs() <= 3.0 * ulp(scaled);
        3.0 * ulp(o) + if tie { 1.0 / scale } else { 0.0 }
    })
}
