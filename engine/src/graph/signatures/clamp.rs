//! Bounds on elements: numbers or tensors.

use super::promotion::{common_dtype, common_shape, side};
use super::{Family, Signature, require};
use crate::graph::{Arg, Call, Meta, OpError, Operand};
use crate::tensor::DType;

/// `torch.clamp(input, min=None, max=None)`.
pub static CLAMP: Signature =
    Signature { name: "clamp", family: Family::Elementwise, params: &["input", "min", "max"], infer: clamp };

/// `torch.clamp_min(input, min)`.
pub static CLAMP_MIN: Signature =
    Signature { name: "clamp_min", family: Family::Elementwise, params: &["input", "min"], infer: clamp };

/// `torch.clamp_max(input, max)`.
pub static CLAMP_MAX: Signature =
    Signature { name: "clamp_max", family: Family::Elementwise, params: &["input", "max"], infer: clamp };

/// A bound that may be left out.
///
/// # Errors
/// When it is neither a tensor nor a number.
pub(crate) fn bound<'a, T>(call: &'a Call<T>, name: &str) -> Result<Option<Operand<'a, T>>, OpError> {
    let left_out = matches!(call.plain(name), Arg::None) && call.opt_tensor(name)?.is_none();
    if left_out { Ok(None) } else { call.tensor_or_scalar(name).map(Some) }
}

/// The dtype that the operands promote to, and the shape that they broadcast to.
fn clamp(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    call.tensor("input")?;
    let mut sides = vec![side(call, "input")?];
    let mut numbers = Vec::new();
    for name in ["min", "max"] {
        if let Some(given) = bound(call, name)? {
            sides.push(side(call, name)?);
            numbers.push((name, !matches!(given, Operand::Tensor(_))));
        }
    }
    let missing = if call.op() == "clamp_max" { "max" } else { "min" };
    let rule =
        if call.op() == "clamp" { "or 'max' must be given" } else { "is missing; a tensor or a number is needed" };
    require(!numbers.is_empty(), call, missing, || rule.to_owned())?;
    let meta = Meta::new(common_dtype(&sides), &common_shape(call, &sides)?);
    let any_number = numbers.iter().any(|(_, number)| *number);
    require(meta.dtype != DType::Bool || !any_number, call, "input", || {
        "must not be bool beside bounds that are bool".to_owned()
    })?;
    if let Some((lowest, highest)) = range(meta.dtype) {
        // The other side of the range is no bound at all, but these leave no element that the dtype holds.
        let holds = |name: &str| {
            let value = call.opt_int(name).ok().flatten();
            value.is_none_or(|value| if name == "min" { value <= highest } else { value >= lowest })
        };
        for (name, _) in numbers.iter().filter(|(_, number)| *number) {
            require(holds(name), call, name, || format!("is outside the range of {}", meta.dtype))?;
        }
    }
    Ok(vec![meta])
}

/// The smallest and the largest integer of an integer dtype.
fn range(dtype: DType) -> Option<(i64, i64)> {
    Some(match dtype {
        DType::I64 => (i64::MIN, i64::MAX),
        DType::I32 => (i32::MIN.into(), i32::MAX.into()),
        DType::I16 => (i16::MIN.into(), i16::MAX.into()),
        DType::I8 => (i8::MIN.into(), i8::MAX.into()),
        DType::U8 => (0, u8::MAX.into()),
        DType::Bool => (0, 1),
        _ => return None,
    })
}

/// Whether `dtype` holds an integer; any number is held by a float, as infinity if need be.
pub(super) fn fits(dtype: DType, value: f64) -> bool {
    range(dtype).is_none_or(|(lowest, highest)| value >= lowest as f64 && value <= highest as f64)
}
