//! Division, and what is left over.

use super::elementwise::binary_result;
use super::{Family, Signature, float_result, require};
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
    DIV "div" &["input", "other", "rounding_mode"], division;
    FLOOR_DIVIDE "floor_divide" &["input", "other"], whole;
    REMAINDER "remainder" &["input", "other"], whole;
    FMOD "fmod" &["input", "other"], whole;
}

/// How a quotient becomes an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// Towards zero.
    Trunc,
    /// Down.
    Floor,
}

/// The `rounding_mode` of `div`; `None` for the true quotient.
///
/// # Errors
/// When it is none that there is.
pub(crate) fn rounding<T>(call: &Call<T>) -> Result<Option<Rounding>, OpError> {
    match call.str("rounding_mode", "")? {
        "" => Ok(None),
        "trunc" => Ok(Some(Rounding::Trunc)),
        "floor" => Ok(Some(Rounding::Floor)),
        other => Err(call.error("rounding_mode", format!("must be None, 'trunc' or 'floor', not '{other}'"))),
    }
}

fn division(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    if rounding(call)?.is_some() {
        return whole(call);
    }
    let (dtype, shape) = binary_result(call, "other")?;
    Ok(vec![Meta::new(float_result(dtype), &shape)])
}

/// Integers stay integers.
fn whole(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (dtype, shape) = binary_result(call, "other")?;
    require(dtype != DType::Bool, call, "input", || "and 'other' must not both be bool".to_owned())?;
    Ok(vec![Meta::new(dtype, &shape)])
}
