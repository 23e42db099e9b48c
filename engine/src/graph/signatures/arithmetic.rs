//! Rounding, extremes, functions of one number, and other arithmetic beyond the four operations.

use super::elementwise::{arithmetic, float_unary};
use super::{Family, Signature, require};
use crate::graph::{Call, Meta, OpError};
use crate::tensor::DType;

macro_rules! signatures {
    ($($constant:ident $name:literal $params:expr, $infer:expr;)*) => { $(
        #[doc = concat!("`torch.", $name, "`.")]
        pub static $constant: Signature = Signature {
            name: $name, family: Family::Elementwise, params: $params, infer: $infer,
        };
    )* };
}

signatures! {
    MAXIMUM "maximum" &["input", "other"], extremum;
    MINIMUM "minimum" &["input", "other"], extremum;
    ABS "abs" &["input"], number;
    SIGN "sign" &["input"], same;
    FLOOR "floor" &["input"], number;
    CEIL "ceil" &["input"], number;
    TRUNC "trunc" &["input"], number;
    ROUND "round" &["input", "decimals"], round;
    SQUARE "square" &["input"], square;
    RECIPROCAL "reciprocal" &["input"], float_unary;
    EXP2 "exp2" &["input"], float_unary;
    EXPM1 "expm1" &["input"], float_unary;
    LOG "log" &["input"], float_unary;
    LOG2 "log2" &["input"], float_unary;
    LOG10 "log10" &["input"], float_unary;
    LOG1P "log1p" &["input"], float_unary;
    ERF "erf" &["input"], float_unary;
    TAN "tan" &["input"], float_unary;
    ASIN "asin" &["input"], float_unary;
    ACOS "acos" &["input"], float_unary;
    ATAN "atan" &["input"], float_unary;
    SINH "sinh" &["input"], float_unary;
    COSH "cosh" &["input"], float_unary;
    ASINH "asinh" &["input"], float_unary;
    ACOSH "acosh" &["input"], float_unary;
    ATANH "atanh" &["input"], float_unary;
}

fn extremum(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    call.tensor("other")?;
    arithmetic(call)
}

fn same(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    Ok(vec![call.tensor("input")?.clone()])
}

/// The input's dtype, which must not be bool.
fn number(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    require(input.dtype != DType::Bool, call, "input", || "must not be bool".to_owned())?;
    same(call)
}

/// Decimals that a power of ten in f32 can shift.
const DECIMALS: std::ops::RangeInclusive<i64> = -38..=38;

fn round(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let decimals = call.int("decimals", 0)?;
    let dtype = call.tensor("input")?.dtype;
    require(DECIMALS.contains(&decimals), call, "decimals", || format!("must be in -38 to 38, not {decimals}"))?;
    require(decimals == 0 || dtype.is_float(), call, "decimals", || format!("must be 0 for {dtype}"))?;
    number(call)
}

/// As input · input: bool gives i64.
fn square(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    let dtype = if input.dtype == DType::Bool { DType::I64 } else { input.dtype };
    Ok(vec![Meta::new(dtype, &input.shape)])
}
