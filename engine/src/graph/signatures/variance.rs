//! Variances and standard deviations over dimensions.

use super::reduction::reduced_shape;
use super::{Family, Signature, require};
use crate::graph::{Call, Meta, OpError};
use crate::tensor::DType;

macro_rules! variances {
    ($($(#[$doc:meta])* $constant:ident $name:literal $infer:expr;)*) => { $(
        $(#[$doc])*
        pub static $constant: Signature = Signature {
            name: $name,
            family: Family::Reduction,
            params: &["input", "dim", "unbiased", "correction", "keepdim"],
            infer: $infer,
        };
    )* };
}

variances! {
    /// `torch.var(input, dim=None, correction=1, keepdim=False)`; `unbiased` says 1 or 0 for the correction.
    VAR "var" one;
    /// `torch.std(input, dim=None, correction=1, keepdim=False)`.
    STD "std" one;
    /// `torch.var_mean(input, dim=None, correction=1, keepdim=False)`: the variance and the mean.
    VAR_MEAN "var_mean" two;
    /// `torch.std_mean(input, dim=None, correction=1, keepdim=False)`: the standard deviation and the mean.
    STD_MEAN "std_mean" two;
}

/// What the squared deviations of `count` elements are divided by: the count less the correction, and not less than 0.
///
/// # Errors
/// When both `correction` and `unbiased` are given, or one is of another type.
pub fn divisor<T>(call: &Call<T>, count: usize) -> Result<f64, OpError> {
    let correction = call.opt_float("correction")?;
    if correction.is_some() && *call.plain("unbiased") != crate::graph::Arg::None {
        return Err(call.error("unbiased", "must not be given beside 'correction'"));
    }
    let unbiased = if call.bool("unbiased", true)? { 1.0 } else { 0.0 };
    Ok((count as f64 - correction.unwrap_or(unbiased)).max(0.0))
}

fn one(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    let float = matches!(input.dtype, DType::F32 | DType::F16 | DType::BF16 | DType::F64);
    require(float, call, "input", || format!("must hold floats of 16 bits and more, not {}", input.dtype))?;
    divisor(call, 0)?;
    Ok(vec![Meta::new(input.dtype, &reduced_shape(call)?)])
}

fn two(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let mut results = one(call)?;
    results.extend_from_within(..);
    Ok(results)
}
