//! Elementwise operators.

use super::{DIVISION, HALF_ULP, ULP, exact, exp_relative, of_one, ulp};
use crate::graph::{Call, Operand};
use crate::oracle::Array;
use crate::oracle::broadcast::expand;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, LN_2};

/// `x + alpha·y` and `x − alpha·y`: the product is rounded before the sum, ½ ulp(alpha·y); nothing where alpha is 1.
pub fn add(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    match call.float("alpha", 1.0) {
        Ok(alpha) if alpha != 1.0 => of_one(results, |result| {
            let other = operand(call, "other", &results.first()?.shape, result.len())?;
            Some(other.iter().map(|y| 0.5 * ulp(alpha * y)).collect())
        }),
        _ => exact(call, results),
    }
}

/// `x / y`: 2.5 ULP.
pub fn division(_call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| Some(result.iter().map(|&o| DIVISION * ulp(o)).collect()))
}

/// `inverseSqrt(x)`: 2 ULP.
pub fn two_ulp(_call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| Some(result.iter().map(|&o| 2.0 * ulp(o)).collect()))
}

/// `1.0 / inverseSqrt(x)`.
pub fn sqrt(_call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| Some(result.iter().map(|&o| square_root(o)).collect()))
}

/// With r = 1/o: the 2 ULP of r stay relative, |o|·2·ulp(r)/r, and the division adds 2.5 ulp(o).
pub(super) fn square_root(o: f64) -> f64 {
    if o == 0.0 { 0.0 } else { 2.0 * o * o * ulp(1.0 / o) + DIVISION * ulp(o) }
}

/// `exp(x)`: 3 + 2·|x| ULP.
pub fn exp(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_input(call, results, |x, o| (3.0 + 2.0 * x.abs()) * ulp(o))
}

/// `exp2(z)` with z = y·log2(x): an error δ of z becomes o·ln 2·δ, and δ = |y|·(error of log2) + ½ ulp(z).
pub fn pow(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let shape = &results.first()?.shape;
        let base = operand(call, "input", shape, result.len())?;
        let exponent = operand(call, "exponent", shape, result.len())?;
        let pairs = base.iter().zip(&exponent).zip(result);
        Some(pairs.map(|((&x, &y), &o)| power(x, y, o)).collect())
    })
}

/// What `pow(x, y)` may be off where it is `o`; nothing at x = 0, whose logarithm is infinite and whose power is exact.
pub(super) fn power(x: f64, y: f64, o: f64) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    let log = x.abs().log2();
    let log_error = if (0.5..=2.0).contains(&x.abs()) { f64::powi(2.0, -21) } else { 3.0 * ulp(log) };
    let z = y * log;
    o.abs() * LN_2 * (y.abs() * log_error + 0.5 * ulp(z)) + (3.0 + 2.0 * z.abs()) * ulp(o)
}

/// `sin(x)`, `cos(x)`: 2⁻¹¹ absolute. The kernels reduce the range themselves.
pub fn trigonometric(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_input(call, results, |_, _| f64::powi(2.0, -11))
}

/// `tanh(x)`.
pub fn tanh(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_input(call, results, hyperbolic_tangent)
}

/// 1e-5, or as sinh/cosh where that is more: with e the relative error of exp(±x), sinh and cosh are both off by e·cosh(x), so
/// the quotient is off by e·(1 + |o|), and the division adds 2.5 ulp(o). Beyond ±89 exp overflows and there is no such formula.
fn hyperbolic_tangent(x: f64, o: f64) -> f64 {
    let quotient = exp_relative(x.clamp(-89.0, 89.0)) * (1.0 + o.abs()) + DIVISION * ulp(o);
    quotient.max(1e-5)
}

/// 1 / (1 + exp(−x)).
pub fn sigmoid(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_input(call, results, |x, _| logistic(x))
}

/// x · sigmoid(x): |x| times what sigmoid may be off.
pub fn silu(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_input(call, results, |x, _| x.abs() * logistic(x))
}

/// With σ the result: a relative error e of exp(−x) becomes σ·(1 − σ)·e, rounding 1 + exp(−x) σ·2⁻²⁴, and the division adds
/// 2.5 ulp(σ).
pub(super) fn logistic(x: f64) -> f64 {
    // 1 − σ(x) = σ(−x), without cancellation.
    let sigma = |x: f64| 1.0 / (1.0 + (-x).exp());
    let o = sigma(x);
    o * sigma(-x) * exp_relative(x) + o * HALF_ULP + DIVISION * ulp(o)
}

/// x·Φ(x), or its tanh form.
///
/// WGSL has no erf. Every way to compute 1 + erf(z), z = x/√2, from built-ins goes over erfc(|z|) = exp(−z²) · (a fraction), whose
/// exponential is off by (3 + 2·z²) ULP, and ends with a division (2.5 ULP of a number below 1), a product (½ ULP of one) and a
/// sum (½ ULP of a number below 2): together 2⁻²² at most. The result is off by |x|/2 times all that.
///
/// approximate="tanh" computes |x|/2·(1 + tanh u): what tanh may be off, u's own roundings (2 ULP, times tanh′(u) = 1 − tanh²(u)),
/// and ½ ULP of the sum.
pub fn gelu(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    if call.str("approximate", "none") == Ok("tanh") {
        of_input(call, results, |x, _| {
            let u = FRAC_2_PI.sqrt() * (x + 0.044715 * x.powi(3));
            let inner = (1.0 - u.tanh().powi(2)) * u.abs() * 2.0 * ULP;
            0.5 * x.abs() * (hyperbolic_tangent(u, u.tanh()) + inner + HALF_ULP * 2.0)
        })
    } else {
        of_input(call, results, |x, _| {
            let z = x.abs() * FRAC_1_SQRT_2;
            0.5 * x.abs() * (libm::erfc(z) * exp_relative(z * z) + 2.0 * ULP)
        })
    }
}

/// An allowance that depends on `input` and the result alone, element by element.
pub(super) fn of_input(call: &Call<Array>, results: &[Array], allowed: impl Fn(f64, f64) -> f64) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let input = call.tensor("input").ok()?.floats();
        Some(input.iter().zip(result).map(|(&x, &o)| allowed(x, o)).collect())
    })
}

/// An operand broadcast to the result's shape.
pub(super) fn operand(call: &Call<Array>, name: &str, shape: &[usize], count: usize) -> Option<Vec<f64>> {
    Some(match call.tensor_or_scalar(name).ok()? {
        Operand::Tensor(array) => expand(&array.floats(), &array.shape, shape),
        Operand::Int(value) => vec![value as f64; count],
        Operand::Float(value) => vec![value; count],
    })
}
