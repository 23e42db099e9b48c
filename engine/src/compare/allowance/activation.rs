//! Activations.
//!
//! The bounds are those of the formulas in `webgpu/shaders/activation.wgsl`, to first order: exp 1.5 ULP, expm1 and log1p 3, a
//! division 2.5, everything else rounded. A number of the call that f32 does not hold is rounded too, at most ½ ULP.

use super::elementwise::{logistic, of_input};
use super::{DIVISION, HALF_ULP, ULP, of_one, ulp};
use crate::graph::signatures::activation::{Exponential, halved};
use crate::graph::{Call, OpError};
use crate::oracle::Array;

/// ULP of an exponential, or of what log1p makes of it.
const EXP_AND_LOG1P: f64 = 1.5 + 3.0;

/// Activations of one tensor, `erfc` and `sinc`.
pub fn activation(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    match allowed(call) {
        Ok(allowed) => of_input(call, results, allowed),
        Err(_) => super::exact(call, results),
    }
}

type Allowed = Box<dyn Fn(f64, f64) -> f64>;

fn allowed(call: &Call<Array>) -> Result<Allowed, OpError> {
    Ok(match call.op() {
        "softplus" => {
            let (beta, threshold) = (call.float("beta", 1.0)?, call.float("threshold", 20.0)?);
            Box::new(move |x, o| softplus(x, o, beta, threshold))
        }
        // The slope, and the product.
        "leaky_relu" => {
            let rounded = inexact(call.float("negative_slope", 0.01)?);
            Box::new(move |x, o| if x < 0.0 { rounded * o.abs() } else { 0.0 })
        }
        "elu" | "celu" | "selu" => {
            let numbers = Exponential::of(call)?;
            Box::new(move |x, o| exponential(x, o, numbers))
        }
        // The sum, and the division.
        "hardsigmoid" => Box::new(|_, o| HALF_ULP * o.abs() + DIVISION * ulp(o)),
        // And the product's other factor.
        "hardswish" => Box::new(|_, o| ULP * o.abs() + DIVISION * ulp(o)),
        "softshrink" => {
            let lambd = call.float("lambd", 0.5)?;
            Box::new(move |x, _| if x.abs() > lambd { inexact(lambd) * lambd } else { 0.0 })
        }
        // exp, twice in numerator and divisor, where half of it cancels; three sums each; division and product.
        "mish" => Box::new(|_, o| (1.5 + 3.0 + 1.0) * ULP * o.abs() + DIVISION * ulp(o)),
        "softsign" => Box::new(|_, o| HALF_ULP * o.abs() + DIVISION * ulp(o)),
        "logsigmoid" | "log_sigmoid" => Box::new(|_, o| (EXP_AND_LOG1P + 0.5) * ulp(o)),
        // Two exponentials, their exponent's fraction (2.5 ULP of less than ½), two products and a division; between ¾ and 1¼ the
        // quotient, and 2 sums that cancel a half.
        "erfc" => Box::new(|_, o| (2.0 * 1.5 + 1.25 + 1.0 + DIVISION) * ulp(o)),
        // π and π·x are rounded, which moves the sine by π·x times that and its cosine; then sin, and the division.
        "sinc" => Box::new(|x, o| (std::f64::consts::PI * x).cos().abs() * 0.75 * ULP + (2.0 + DIVISION) * ulp(o)),
        _ => Box::new(|_, _| 0.0),
    })
}

/// What a factor that f32 does not hold costs, relative.
fn inexact(number: f64) -> f64 {
    if f64::from(number as f32) == number { 0.0 } else { HALF_ULP }
}

/// z = beta·x is rounded, and beta: softplus′(z) = σ(z) times that. Then exp, log1p, a sum, and the division by beta. Where z is as
/// near to the threshold as that rounding moves it, the other side of the step.
fn softplus(x: f64, o: f64, beta: f64, threshold: f64) -> f64 {
    let z = beta * x;
    let moved = if beta == 1.0 { 0.0 } else { (HALF_ULP + inexact(beta)) * z.abs() };
    let exact = z.max(0.0) + (-z.abs()).exp().ln_1p();
    let edge = (z - threshold).abs() <= moved + inexact(threshold) * threshold.abs();
    let step = if edge && z.is_finite() { ((exact - z) / beta).abs() } else { 0.0 };
    if z > threshold && !edge {
        return 0.0;
    }
    let sigma = 1.0 / (1.0 + (-z).exp());
    (moved * sigma + (EXP_AND_LOG1P + 0.5) * ulp(exact)) / beta.abs() + DIVISION * ulp(o) + step
}

/// Above 0 the factor; below, z = inner·x is rounded, which e^z passes on, expm1 is 3 ULP off, and its factor is rounded.
fn exponential(x: f64, o: f64, numbers: Exponential) -> f64 {
    let Exponential { negative, positive, inner } = numbers;
    if x > 0.0 {
        return inexact(positive) * o.abs();
    }
    let z = inner * x;
    let moved = if inner == 1.0 { 0.0 } else { (HALF_ULP + inexact(inner)) * z.abs() };
    negative.abs() * (z.exp() * moved + 3.0 * ulp(z.exp_m1())) + inexact(negative) * o.abs()
}

/// a · sigmoid(b): |a| times what sigmoid may be off.
pub fn glu(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let input = call.tensor("input").ok()?;
        let at = halved(call, &input.shape).ok()?;
        let half: usize = results.first()?.shape.iter().skip(at).product();
        let values = input.floats();
        let rows = values.chunks_exact((2 * half).max(1)).map(|row| row.split_at(half.min(row.len())));
        let off = |(a, b): (&f64, &f64)| a.abs() * logistic(*b);
        let allowed: Vec<f64> = rows.flat_map(|(a, b)| a.iter().zip(b).map(off).collect::<Vec<_>>()).collect();
        (allowed.len() == result.len()).then_some(allowed)
    })
}
