//! Facts about floating-point numbers read off their bits, so that no compiler's fast-math can change them.

use super::DType;
use super::f8::Format;

/// Mantissa bits (stored), smallest normal exponent, for the float dtypes that a result can have.
fn format(dtype: DType) -> (i32, i32) {
    match dtype {
        DType::F64 => (52, -1022),
        DType::F16 => (10, -14),
        DType::BF16 => (7, -126),
        DType::F8E4M3 => (3, -6),
        DType::F8E5M2 => (2, -14),
        _ => (23, -126),
    }
}

/// The distance between neighbouring numbers of `dtype` around `value`: one unit in the last place.
///
/// Integers and bool have a ULP of 0 (they are exact), subnormals that of the smallest normal.
pub fn ulp_size(dtype: DType, value: f64) -> f64 {
    if dtype.is_integer() || dtype == DType::Bool {
        return 0.0;
    }
    let (mantissa, min_exponent) = format(dtype);
    let exponent = if value == 0.0 || !value.is_finite() {
        min_exponent
    } else {
        let raw = ((value.to_bits() >> 52) & 0x7ff) as i32;
        (raw - 1023).max(min_exponent)
    };
    f64::powi(2.0, exponent - mantissa)
}

/// How many representable numbers of `dtype` lie between two f32 values of that dtype, or `None` if one is NaN.
///
/// +0 and −0 are 0 apart. For f16, bf16 and 8-bit floats the inputs are values of that dtype widened to f32.
pub fn ulp_distance(dtype: DType, a: f32, b: f32) -> Option<u64> {
    if a.is_nan() || b.is_nan() {
        return None;
    }
    let line = |x: f32| -> i64 {
        let bits = match dtype {
            DType::F16 => {
                let bits = half::f16::from_f32(x).to_bits();
                (i64::from(bits & 0x7fff), bits >> 15 == 1)
            }
            DType::BF16 => {
                let bits = half::bf16::from_f32(x).to_bits();
                (i64::from(bits & 0x7fff), bits >> 15 == 1)
            }
            DType::F8E4M3 | DType::F8E5M2 => {
                let code = Format::of(dtype).map_or(0, |format| format.encode(x.into()));
                (i64::from(code & 0x7f), code >> 7 == 1)
            }
            _ => {
                let bits = x.to_bits();
                (i64::from(bits & 0x7fff_ffff), bits >> 31 == 1)
            }
        };
        if bits.1 { -bits.0 } else { bits.0 }
    };
    Some(line(a).abs_diff(line(b)))
}

/// Whether the raw bits of an f32 are those of NaN or an infinity.
pub fn is_non_finite_bits(bits: u32) -> bool {
    bits & 0x7f80_0000 == 0x7f80_0000
}
