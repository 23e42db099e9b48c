//! Division that is rounded to integers.

use super::elementwise::operand;
use super::{DIVISION, of_one, ulp};
use crate::graph::Call;
use crate::graph::signatures::remainder::{Rounding, rounding};
use crate::oracle::Array;

/// From here on a quotient that is 2.5 ULP off may be an integer off.
const LARGE: f64 = (1u64 << 21) as f64;

/// `x / y`: 2.5 ULP, also where it is rounded and so large that those are integers.
///
/// Rounded towards zero a quotient that f32 rounds to an integer may be taken for it: PyTorch rounds the rounded quotient. Rounded
/// down it may not: PyTorch goes by the remainder, which is exact.
pub fn quotient(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    let mode = if call.op() == "floor_divide" { Ok(Some(Rounding::Floor)) } else { rounding(call) };
    of_one(results, |result| {
        let shape = &results.first()?.shape;
        let input = operand(call, "input", shape, result.len())?;
        let other = operand(call, "other", shape, result.len())?;
        let off = |((x, y), &o): ((&f64, &f64), &f64)| match mode {
            Ok(Some(Rounding::Trunc)) => {
                let quotient = x / y;
                let near = f64::from(quotient as f32).trunc() != quotient.trunc();
                large(o) + if near { 1.0 } else { 0.0 }
            }
            Ok(Some(Rounding::Floor)) => large(o),
            _ => DIVISION * ulp(o),
        };
        Some(input.iter().zip(&other).zip(result).map(off).collect())
    })
}

fn large(o: f64) -> f64 {
    if o.abs() < LARGE { 0.0 } else { 1.0 + DIVISION * ulp(o) }
}
