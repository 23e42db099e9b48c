//! Functions of two numbers, and sums of products of three tensors.

use super::elementwise::operand;
use super::{DIVISION, HALF_ULP, ULP, exact, of_one, ulp};
use crate::graph::Call;
use crate::graph::signatures::combination::value;
use crate::oracle::Array;
use std::f64::consts::LOG2_E;

/// ULP of log1p(exp(x)).
const EXP_AND_LOG1P: f64 = 1.5 + 3.0;

/// `y − alpha·x`: the product is rounded before the difference, ½ ulp(alpha·x); nothing where alpha is 1.
pub fn rsub(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    match call.float("alpha", 1.0) {
        Ok(alpha) if alpha != 1.0 => of_one(results, |result| {
            let input = operand(call, "input", &results.first()?.shape, result.len())?;
            Some(input.iter().map(|x| 0.5 * ulp(alpha * x)).collect())
        }),
        _ => exact(call, results),
    }
}

/// `logaddexp`, `logaddexp2`, `xlogy`, `atan2`, `hypot`.
pub fn of_two(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    let allowed: fn(f64, f64, f64) -> f64 = match call.op() {
        "logaddexp" => |a, b, _| log_of_sum(a, b, 1.0),
        "logaddexp2" => |a, b, _| log_of_sum(a, b, LOG2_E),
        // A logarithm is 1 ULP off, and twice that at most relative to the product.
        "xlogy" => |_, _, o| 2.0 * ulp(o),
        // As atan: the quotient, which is 1 of the result at most, and the polynomial.
        "atan2" => |_, _, o| 7.0 * ulp(o),
        // The quotient's 2.5 ULP and ½ of its square count half in the root at most, which itself is off by 4.5; the product.
        "hypot" => |_, _, o| (DIVISION + 0.5 + 4.5 + 0.5) * ulp(o),
        _ => |_, _, _| 0.0,
    };
    of_one(results, |result| {
        let shape = &results.first()?.shape;
        let input = operand(call, "input", shape, result.len())?;
        let other = operand(call, "other", shape, result.len())?;
        Some(input.iter().zip(&other).zip(result).map(|((&a, &b), &o)| allowed(a, b, o)).collect())
    })
}

/// larger + scale·ln(1 + e^(−d/scale)): the difference d is rounded, which the logarithm passes on times 1 / (1 + e^d); then exp, log1p
/// and, to base 2, a product. The sum may cancel, so this is no number of ULP of the result.
fn log_of_sum(a: f64, b: f64, scale: f64) -> f64 {
    let difference = (a - b).abs();
    let more = (-difference / scale).exp().ln_1p() * scale;
    let passed_on = 1.0 / (1.0 + (difference / scale).exp());
    (EXP_AND_LOG1P + 1.0) * ulp(more) + if difference.is_finite() { 0.5 * ulp(difference) * passed_on } else { 0.0 }
}

/// x + w·(y − x): the difference and the product are rounded, and the weight, of which 1 − w is taken from ½ on.
pub fn lerp(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let shape = &results.first()?.shape;
        let [start, end, weight] = ["input", "end", "weight"].map(|name| operand(call, name, shape, result.len()));
        let (start, end, weight) = (start?, end?, weight?);
        let off = |((x, y), w): ((&f64, &f64), &f64)| {
            let taken = if w.abs() < 0.5 { w.abs() } else { (1.0 - w).abs() };
            (y - x).abs() * (3.0 * taken + w.abs()) * HALF_ULP
        };
        Some(start.iter().zip(&end).zip(&weight).map(off).collect())
    })
}

/// x + value·a·b: value and both products are rounded. x + value·a / b: value, the product, and the division.
pub fn addc(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    let divides = call.op() == "addcdiv";
    of_one(results, |result| {
        let shape = &results.first()?.shape;
        let value = value(call).ok()?;
        let [a, b] = ["tensor1", "tensor2"].map(|name| operand(call, name, shape, result.len()));
        let (a, b) = (a?, b?);
        let off = |(a, b): (&f64, &f64)| {
            let term = if divides { value * a / b } else { value * a * b };
            let last = if divides { DIVISION * ulp(term) } else { HALF_ULP * term.abs() };
            // A value of 1 changes nothing, and so rounds nothing.
            last + if value == 1.0 { 0.0 } else { ULP * term.abs() }
        };
        Some(a.iter().zip(&b).map(off).collect())
    })
}
