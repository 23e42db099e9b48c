//! Comparisons, truth values, and operators on the bits of integers.

use super::elementwise::comparison;
use super::promotion::{common_dtype, common_shape, side};
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
    NE "ne" &["input", "other"], comparison;
    GE "ge" &["input", "other"], comparison;
    GT "gt" &["input", "other"], comparison;
    LT "lt" &["input", "other"], comparison;
    ISNAN "isnan" &["input"], truth;
    ISINF "isinf" &["input"], truth;
    LOGICAL_NOT "logical_not" &["input"], truth;
    LOGICAL_AND "logical_and" &["input", "other"], truth_of_two;
    LOGICAL_OR "logical_or" &["input", "other"], truth_of_two;
    LOGICAL_XOR "logical_xor" &["input", "other"], truth_of_two;
    BITWISE_NOT "bitwise_not" &["input"], bits;
    BITWISE_AND "bitwise_and" &["input", "other"], bits_of_two;
    BITWISE_OR "bitwise_or" &["input", "other"], bits_of_two;
    BITWISE_XOR "bitwise_xor" &["input", "other"], bits_of_two;
    AND "__and__" &["input", "other"], bits_of_two;
    BITWISE_LEFT_SHIFT "bitwise_left_shift" &["input", "other"], shift;
    BITWISE_RIGHT_SHIFT "bitwise_right_shift" &["input", "other"], shift;
}

/// Any dtype gives bool.
fn truth(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    Ok(vec![Meta::new(DType::Bool, &call.tensor("input")?.shape)])
}

fn truth_of_two(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    call.tensor("input")?;
    call.tensor("other")?;
    let shape = common_shape(call, &[side(call, "input")?, side(call, "other")?])?;
    Ok(vec![Meta::new(DType::Bool, &shape)])
}

fn bits(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    require(!input.dtype.is_float(), call, "input", || format!("must be integer or bool, not {}", input.dtype))?;
    Ok(vec![input.clone()])
}

fn bits_of_two(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    call.tensor("input")?;
    let sides = [side(call, "input")?, side(call, "other")?];
    for (side, name) in sides.iter().zip(["input", "other"]) {
        require(!side.dtype.is_float(), call, name, || format!("must be integer or bool, not {}", side.dtype))?;
    }
    Ok(vec![Meta::new(common_dtype(&sides), &common_shape(call, &sides)?)])
}

fn shift(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let results = bits_of_two(call)?;
    let integers = results.iter().all(|result| result.dtype.is_integer());
    require(integers, call, "input", || "and 'other' must not both be bool".to_owned())?;
    Ok(results)
}
