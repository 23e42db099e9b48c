//! Activations, after PyTorch's documentation of `torch.nn.functional`.

use super::elementwise::{Arrays, array, is_int, round};
use super::unary::{float, logistic, same};
use super::{Array, Data, result};
use crate::graph::signatures::activation::{self as signatures, Exponential};
use crate::graph::{Call, Signature};
use std::f64::consts::PI;

/// ln(1 + e^(beta·x)) / beta; x itself where beta·x is above `threshold`.
pub fn softplus(call: &Call<Array>) -> Arrays {
    let (beta, threshold) = (call.float("beta", 1.0)?, call.float("threshold", 20.0)?);
    let function = |x: f64| if beta * x > threshold { x } else { (beta * x).exp().ln_1p() / beta };
    float(call, &signatures::SOFTPLUS, function)
}

/// x above 0, negative_slope · x below.
pub fn leaky_relu(call: &Call<Array>) -> Arrays {
    let slope = call.float("negative_slope", 0.01)?;
    float(call, &signatures::LEAKY_RELU, |x| if x > 0.0 { x } else { slope * x })
}

/// scale · x above 0, scale · alpha · (e^(input_scale·x) − 1) below.
pub fn elu(call: &Call<Array>) -> Arrays {
    exponential(call, &signatures::ELU)
}

/// x above 0, alpha · (e^(x/alpha) − 1) below.
pub fn celu(call: &Call<Array>) -> Arrays {
    exponential(call, &signatures::CELU)
}

/// `elu` with the alpha and scale that keep mean 0 and variance 1.
pub fn selu(call: &Call<Array>) -> Arrays {
    exponential(call, &signatures::SELU)
}

fn exponential(call: &Call<Array>, signature: &Signature) -> Arrays {
    let Exponential { negative, positive, inner } = Exponential::of(call)?;
    float(call, signature, |x| if x > 0.0 { positive * x } else { negative * (inner * x).exp_m1() })
}

/// min(max(x, 0), 6).
pub fn relu6(call: &Call<Array>) -> Arrays {
    between(call, &signatures::RELU6)
}

/// min(max(x, min_val), max_val).
pub fn hardtanh(call: &Call<Array>) -> Arrays {
    between(call, &signatures::HARDTANH)
}

/// Bounds are rounded to the input's dtype, beside integers cut off.
fn between(call: &Call<Array>, signature: &Signature) -> Arrays {
    let (min, max) = signatures::bounds(call)?;
    let dtype = call.tensor("input")?.dtype;
    let (low, high) = (round(min, dtype), round(max, dtype));
    // Comparisons and not f64::clamp, which would panic where the bounds round to crossed ones.
    let float = |x: f64| {
        if x < low {
            low
        } else if x > high {
            high
        } else {
            x
        }
    };
    same(call, signature, float, |x| x.max(min as i64).min(max as i64))
}

/// min(max(x + 3, 0), 6) / 6.
pub fn hardsigmoid(call: &Call<Array>) -> Arrays {
    float(call, &signatures::HARDSIGMOID, ramp)
}

/// x · hardsigmoid(x).
pub fn hardswish(call: &Call<Array>) -> Arrays {
    float(call, &signatures::HARDSWISH, |x| x * ramp(x))
}

fn ramp(x: f64) -> f64 {
    (x + 3.0).clamp(0.0, 6.0) / 6.0
}

/// x, but 0 from −lambd to lambd.
pub fn hardshrink(call: &Call<Array>) -> Arrays {
    let lambd = round(call.float("lambd", 0.5)?, call.tensor("input")?.dtype);
    float(call, &signatures::HARDSHRINK, |x| if x >= -lambd && x <= lambd { 0.0 } else { x })
}

/// x nearer to 0 by lambd, and 0 from −lambd to lambd.
pub fn softshrink(call: &Call<Array>) -> Arrays {
    let lambd = call.float("lambd", 0.5)?;
    let function = |x: f64| match x {
        x if x.is_nan() => x,
        x if x > lambd => x - lambd,
        x if x < -lambd => x + lambd,
        _ => 0.0,
    };
    float(call, &signatures::SOFTSHRINK, function)
}

/// x above `threshold`, `value` elsewhere; NaN stays. Both are rounded to the input's dtype, beside integers cut off.
pub fn threshold(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::THRESHOLD)?;
    let (threshold, value) = (call.float("threshold", 0.0)?, call.float("value", 0.0)?);
    let input = call.tensor("input")?;
    let data = if is_int(meta.dtype) {
        let (threshold, value) = (threshold as i64, value as i64);
        Data::Int(input.ints().iter().map(|&x| if x <= threshold { value } else { x }).collect())
    } else {
        let (threshold, value) = (round(threshold, meta.dtype), round(value, meta.dtype));
        Data::Float(input.floats().iter().map(|&x| if x <= threshold { value } else { x }).collect())
    };
    Ok(vec![array(meta, data)])
}

/// x · tanh(ln(1 + e^x)).
pub fn mish(call: &Call<Array>) -> Arrays {
    // ln(1 + e^x) is x long before e^x overflows.
    float(call, &signatures::MISH, |x| x * if x > 700.0 { 1.0 } else { x.exp().ln_1p().tanh() })
}

/// x / (1 + |x|).
pub fn softsign(call: &Call<Array>) -> Arrays {
    float(call, &signatures::SOFTSIGN, |x| x / (1.0 + x.abs()))
}

/// ln(1 / (1 + e^−x)).
pub fn logsigmoid(call: &Call<Array>) -> Arrays {
    float(call, &signatures::LOGSIGMOID, log_logistic)
}

/// `logsigmoid` by its ATen name.
pub fn log_sigmoid(call: &Call<Array>) -> Arrays {
    float(call, &signatures::LOG_SIGMOID, log_logistic)
}

/// Never overflows: −ln(1 + e^−x) = x − ln(1 + e^x).
fn log_logistic(x: f64) -> f64 {
    if x < 0.0 { x - x.exp().ln_1p() } else { -(-x).exp().ln_1p() }
}

/// 1 − erf(x), small results too.
pub fn erfc(call: &Call<Array>) -> Arrays {
    float(call, &signatures::ERFC, libm::erfc)
}

/// sin(πx) / (πx), and 1 at 0.
pub fn sinc(call: &Call<Array>) -> Arrays {
    float(call, &signatures::SINC, |x| if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) })
}

/// a · sigmoid(b), where a and b are the halves of input along `dim`.
pub fn glu(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::GLU)?;
    let input = call.tensor("input")?;
    let at = signatures::halved(call, &input.shape)?;
    let half: usize = meta.shape.iter().skip(at).product();
    let values = input.floats();
    let gate = |(&a, &b): (&f64, &f64)| a * logistic(b);
    // Both halves are empty where one is.
    let rows = values.chunks_exact((2 * half).max(1)).map(|row| row.split_at(half.min(row.len())));
    let data = rows.flat_map(|(a, b)| a.iter().zip(b).map(gate).collect::<Vec<_>>()).collect();
    Ok(vec![array(meta, Data::Float(data))])
}

/// x above 0, weight · x elsewhere; a weight for all, or one per channel.
pub fn prelu(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::PRELU)?;
    let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
    let shape = signatures::weight_shape(weight.numel(), meta.rank());
    let weights = super::broadcast::expand(&weight.floats(), &shape, &meta.shape);
    let pairs = input.floats().iter().zip(&weights).map(|(&x, &w)| if x > 0.0 { x } else { w * x }).collect();
    Ok(vec![array(meta, Data::Float(pairs))])
}
