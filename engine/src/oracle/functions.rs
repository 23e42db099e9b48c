//! Functions of one real number.

use super::Array;
use super::elementwise::Arrays;
use super::unary::{float, same};
use crate::graph::Call;
use crate::graph::signatures::arithmetic as signatures;

/// input · input.
pub fn square(call: &Call<Array>) -> Arrays {
    same(call, &signatures::SQUARE, |x| x * x, |x| x.wrapping_mul(x))
}

/// 1 / input.
pub fn reciprocal(call: &Call<Array>) -> Arrays {
    float(call, &signatures::RECIPROCAL, f64::recip)
}

/// 2^input.
pub fn exp2(call: &Call<Array>) -> Arrays {
    float(call, &signatures::EXP2, f64::exp2)
}

/// e^input − 1, small results too.
pub fn expm1(call: &Call<Array>) -> Arrays {
    float(call, &signatures::EXPM1, f64::exp_m1)
}

/// The natural logarithm.
pub fn log(call: &Call<Array>) -> Arrays {
    float(call, &signatures::LOG, f64::ln)
}

/// The logarithm to base 2.
pub fn log2(call: &Call<Array>) -> Arrays {
    float(call, &signatures::LOG2, f64::log2)
}

/// The logarithm to base 10.
pub fn log10(call: &Call<Array>) -> Arrays {
    float(call, &signatures::LOG10, f64::log10)
}

/// ln(1 + input), small results too.
pub fn log1p(call: &Call<Array>) -> Arrays {
    float(call, &signatures::LOG1P, f64::ln_1p)
}

/// The error function, 2/√π · ∫ e^−t² from 0 to input.
pub fn erf(call: &Call<Array>) -> Arrays {
    float(call, &signatures::ERF, libm::erf)
}

/// tan input, in radians.
pub fn tan(call: &Call<Array>) -> Arrays {
    float(call, &signatures::TAN, f64::tan)
}

/// The angle in [−π/2, π/2] whose sine is input.
pub fn asin(call: &Call<Array>) -> Arrays {
    float(call, &signatures::ASIN, f64::asin)
}

/// The angle in [0, π] whose cosine is input.
pub fn acos(call: &Call<Array>) -> Arrays {
    float(call, &signatures::ACOS, f64::acos)
}

/// The angle in [−π/2, π/2] whose tangent is input.
pub fn atan(call: &Call<Array>) -> Arrays {
    float(call, &signatures::ATAN, f64::atan)
}

/// (e^x − e^−x) / 2.
pub fn sinh(call: &Call<Array>) -> Arrays {
    float(call, &signatures::SINH, f64::sinh)
}

/// (e^x + e^−x) / 2.
pub fn cosh(call: &Call<Array>) -> Arrays {
    float(call, &signatures::COSH, f64::cosh)
}

/// The inverse of sinh.
pub fn asinh(call: &Call<Array>) -> Arrays {
    float(call, &signatures::ASINH, libm::asinh)
}

/// The inverse of cosh for results of at least 0; NaN below 1.
pub fn acosh(call: &Call<Array>) -> Arrays {
    float(call, &signatures::ACOSH, |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) })
}

/// The inverse of tanh; NaN beyond ±1.
pub fn atanh(call: &Call<Array>) -> Arrays {
    float(call, &signatures::ATANH, libm::atanh)
}
