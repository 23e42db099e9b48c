//! The floor of the verdict's denominator: the error that nobody can be blamed for.
//!
//! `floor = RMS over elements of (rounding + allowance + flush)`, where for an element with the exact result o
//!
//! - **rounding** is ulp(o) / (2·√3), the root mean square of an error spread evenly over half a ULP to either side, which is what
//!   rounding to nearest costs on average; it is 0 where o can be represented exactly, so that copies must be exact.
//! - **allowance** is what WGSL lets the operator's built-in functions be off (see [`allowance`](super::allowance)).
//! - **flush** is |o| where o is subnormal in the dtype, because WGSL lets any subnormal become 0; in f32 and bf16 those are
//!   numbers below 2⁻¹²⁶, in f16 below 2⁻¹⁴.
//!
//! The three are added and not combined as squares, because the allowance is a bound and not a deviation: a target that is off by
//! all of it, and by half a ULP, everywhere has a ratio of at most √3 (half a ULP is √3 · ulp / (2·√3)) and passes.
//!
//! WGSL calls a result "correctly rounded" when it is either of the two neighbours. A device that always truncates has an error of
//! ulp / √3, which is a ratio of 2, and one that always takes the farther neighbour has less than 2·√3 = 3.5: a warning at most.
//! No such device is known, so the tighter floor is kept.

use crate::tensor::{DType, HostTensor, ulp_size};

/// The blameless error of one element whose exact result is `oracle`.
pub fn element(dtype: DType, oracle: f64, allowance: f64) -> f64 {
    rounding(dtype, oracle) + allowance + flush(dtype, oracle)
}

/// Root mean square error of rounding `value` to `dtype`; 0 where it can be represented.
pub fn rounding(dtype: DType, value: f64) -> f64 {
    if represents(dtype, value) { 0.0 } else { ulp_size(dtype, value) / (2.0 * 3f64.sqrt()) }
}

/// What it costs to replace a subnormal by zero.
pub fn flush(dtype: DType, value: f64) -> f64 {
    let smallest = match dtype {
        DType::F64 => f64::MIN_POSITIVE,
        DType::F16 => half::f16::MIN_POSITIVE.to_f64(),
        _ => f64::from(f32::MIN_POSITIVE),
    };
    if value.abs() < smallest { value.abs() } else { 0.0 }
}

fn represents(dtype: DType, value: f64) -> bool {
    match dtype {
        DType::F64 => true,
        DType::F16 => half::f16::from_f64(value).to_f64() == value,
        DType::BF16 => half::bf16::from_f64(value).to_f64() == value,
        DType::F32 => f64::from(value as f32) == value,
        other => HostTensor::from_f64(other, &[1], &[value]).is_ok_and(|tensor| tensor.to_f64() == [value]),
    }
}
