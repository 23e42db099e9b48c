//! Elementwise operators on one operand.

use super::elementwise::{Arrays, array, is_int, wrap};
use super::{Array, Data, result};
use crate::graph::signatures::elementwise as signatures;
use crate::graph::{Call, Signature};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

/// −input.
pub fn neg(call: &Call<Array>) -> Arrays {
    same(call, &signatures::NEG, |x| -x, i64::wrapping_neg)
}

/// max(input, 0); NaN stays NaN.
pub fn relu(call: &Call<Array>) -> Arrays {
    same(call, &signatures::RELU, |x| if x < 0.0 { 0.0 } else { x }, |x| x.max(0))
}

/// 1 / √input.
pub fn rsqrt(call: &Call<Array>) -> Arrays {
    float(call, &signatures::RSQRT, |x| x.sqrt().recip())
}

/// √input.
pub fn sqrt(call: &Call<Array>) -> Arrays {
    float(call, &signatures::SQRT, f64::sqrt)
}

/// cos input, in radians.
pub fn cos(call: &Call<Array>) -> Arrays {
    float(call, &signatures::COS, f64::cos)
}

/// sin input, in radians.
pub fn sin(call: &Call<Array>) -> Arrays {
    float(call, &signatures::SIN, f64::sin)
}

/// e^input.
pub fn exp(call: &Call<Array>) -> Arrays {
    float(call, &signatures::EXP, f64::exp)
}

/// tanh input.
pub fn tanh(call: &Call<Array>) -> Arrays {
    float(call, &signatures::TANH, f64::tanh)
}

/// 1 / (1 + e^−input).
pub fn sigmoid(call: &Call<Array>) -> Arrays {
    float(call, &signatures::SIGMOID, logistic)
}

/// input · sigmoid(input).
pub fn silu(call: &Call<Array>) -> Arrays {
    float(call, &signatures::SILU, |x| x * logistic(x))
}

/// approximate="none": x·Φ(x) = x/2 · (1 + erf(x/√2)), written with erfc so that large negative x keep their digits.
/// approximate="tanh": x/2 · (1 + tanh u) with u = √(2/π)·(x + 0.044715·x³), which is x · sigmoid(2u).
pub fn gelu(call: &Call<Array>) -> Arrays {
    if call.str("approximate", "none")? == "tanh" {
        float(call, &signatures::GELU, |x| x * logistic(2.0 * FRAC_2_PI.sqrt() * (x + 0.044715 * x.powi(3))))
    } else {
        float(call, &signatures::GELU, |x| 0.5 * x * libm::erfc(-x * FRAC_1_SQRT_2))
    }
}

/// Never overflows: for x < 0 it is e^x / (1 + e^x).
pub(super) fn logistic(x: f64) -> f64 {
    if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) }
}

/// An operator whose result is real.
pub(super) fn float(call: &Call<Array>, signature: &Signature, map: impl Fn(f64) -> f64) -> Arrays {
    let meta = result(call, signature)?;
    let data = Data::Float(call.tensor("input")?.floats().iter().map(|&x| map(x)).collect());
    Ok(vec![array(meta, data)])
}

/// An operator that keeps integers integers.
pub(super) fn same(
    call: &Call<Array>,
    signature: &Signature,
    float: impl Fn(f64) -> f64,
    int: impl Fn(i64) -> i64,
) -> Arrays {
    let meta = result(call, signature)?;
    let input = call.tensor("input")?;
    let data = if is_int(meta.dtype) {
        Data::Int(input.ints().iter().map(|&x| wrap(meta.dtype, int(x))).collect())
    } else {
        Data::Float(input.floats().iter().map(|&x| float(x)).collect())
    };
    Ok(vec![array(meta, data)])
}
