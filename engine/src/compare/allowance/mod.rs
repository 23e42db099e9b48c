//! What WGSL's accuracy rules allow an operator's built-in functions to be off, per element, and what the order of summation costs.
//!
//! The kernels compute in f32 whatever the dtype of their tensors, so every bound is in ULP of f32. The rules are those of WGSL's
//! section "Floating Point Accuracy" (gpuweb, August 2026):
//!
//! | expression | error |
//! |---|---|
//! | `x + y`, `x - y`, `x * y`, comparisons, conversions | none beyond rounding |
//! | `x / y` | 2.5 ULP |
//! | `inverseSqrt(x)` | 2 ULP |
//! | `sqrt(x)` | as `1.0 / inverseSqrt(x)` |
//! | `exp(x)`, `exp2(x)` | 3 + 2·\|x\| ULP |
//! | `log2(x)` | 2⁻²¹ absolute in \[0.5, 2\], else 3 ULP |
//! | `pow(x, y)` | as `exp2(y * log2(x))` |
//! | `sin(x)`, `cos(x)` | 2⁻¹¹ absolute in \[−π, π\] |
//! | `tanh(x)` | 1e-5 absolute or as `sinh(x) / cosh(x)`, whichever is more |
//!
//! An operator made of several built-ins is allowed what its formula makes of their errors, to first order; the formula stands at
//! each function. Operators that sum are further allowed what [`accumulation`] derives.
//!
//! Not allowed for: inputs that are subnormal and flushed. A kernel that unpacks f16 numbers or scales below 2⁻¹⁴ with a
//! built-in that flushes them is wrong, and must unpack them by their bits.

pub mod accumulation;
mod activation;
mod attention;
mod combination;
mod convolution;
mod creation;
mod elementwise;
mod functions;
mod grouped;
mod movement;
mod norm;
mod normalization;
mod pooling;
mod products;
mod reduction;
mod remainder;
mod scan;
mod variance;

pub use activation::{activation, glu};
pub use attention::attention;
pub use combination::{addc, lerp, of_two, rsub};
pub use convolution::convolution;
pub use creation::arange;
pub use elementwise::{add, division, exp, gelu, pow, sigmoid, silu, sqrt, tanh, trigonometric, two_ulp};
pub use functions::{acos, asin, function, round};
pub use grouped::grouped_mm;
pub use movement::{diff, scatter};
pub use norm::{layer_norm, log_softmax, logsumexp, rms_norm, softmax, softmin};
pub use normalization::{normalization, weight_norm};
pub use pooling::window_mean;
pub use products::product;
pub use reduction::{linear, matmul, mean, prod, sum, vector_norm, vector_norm_by_name};
pub use remainder::quotient;
pub use scan::{cumprod, cumsum, histc};
pub use variance::variance;

use crate::graph::Call;
use crate::oracle::{Array, Data};
use crate::tensor::{DType, ulp_size};

/// Absolute error allowed for each element of each result, beyond rounding to the result's dtype; an empty list means none.
///
/// Takes the inputs and the oracle's results. The call has been checked: where it is malformed nothing is allowed.
pub type AllowanceFn = fn(&Call<Array>, &[Array]) -> Vec<Vec<f64>>;

/// Nothing beyond rounding.
pub fn exact(_call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    vec![Vec::new(); results.len()]
}

/// Half a ULP of f32 relative to the number rounded, at most: 2⁻²⁴.
const HALF_ULP: f64 = 1.0 / (1u64 << 24) as f64;
/// A ULP of f32 relative to the number, at most: 2⁻²³.
const ULP: f64 = 2.0 * HALF_ULP;
/// ULP that a division may be off.
const DIVISION: f64 = 2.5;

/// The size of an f32 ULP at `value`.
fn ulp(value: f64) -> f64 {
    ulp_size(DType::F32, value)
}

/// Relative error of `exp(x)`.
fn exp_relative(x: f64) -> f64 {
    (3.0 + 2.0 * x.abs()) * ULP
}

/// The allowance of an operator with one real result; none where the result is an integer or an argument is not as it should be.
fn of_one(results: &[Array], allowance: impl FnOnce(&[f64]) -> Option<Vec<f64>>) -> Vec<Vec<f64>> {
    let Some(Array { data: Data::Float(result), .. }) = results.first() else {
        return vec![Vec::new(); results.len()];
    };
    // What is not finite is not compared as a number either.
    let finite = |allowed: Vec<f64>| allowed.into_iter().map(|a| if a.is_finite() { a } else { 0.0 }).collect();
    vec![allowance(result).map(finite).unwrap_or_default()]
}
