//! Functions of two numbers, and sums of products of three tensors.

use super::elementwise::{arithmetic, binary_result};
use super::promotion::{common_dtype, common_shape, side};
use super::{Family, Signature, float_result, require};
use crate::graph::{Arg, Call, Meta, OpError, Operand};
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
    ADD "add" &["input", "other", "alpha"], add;
    SUB "sub" &["input", "other", "alpha"], sub;
    RSUB "rsub" &["input", "other", "alpha"], sub;
    LOGADDEXP "logaddexp" &["input", "other"], floats_of_two;
    LOGADDEXP2 "logaddexp2" &["input", "other"], floats_of_two;
    HYPOT "hypot" &["input", "other"], floats_of_two;
    XLOGY "xlogy" &["input", "other"], function_of_two;
    ATAN2 "atan2" &["input", "other"], angle;
    LERP "lerp" &["input", "end", "weight"], lerp;
    ADDCMUL "addcmul" &["input", "tensor1", "tensor2", "value"], addcmul;
    ADDCDIV "addcdiv" &["input", "tensor1", "tensor2", "value"], addcdiv;
}

type Metas = Result<Vec<Meta>, OpError>;

/// A truth value stands for a number beside bool only, a float beside floats only.
fn check_alpha(call: &Call<Meta>, dtype: DType) -> Result<(), OpError> {
    match call.plain("alpha") {
        Arg::Bool(_) => require(dtype == DType::Bool, call, "alpha", || {
            format!("must not be true or false for a result of {dtype}")
        }),
        Arg::Float(_) => {
            require(dtype.is_float(), call, "alpha", || format!("must be an integer for a result of {dtype}"))
        }
        _ => call.float("alpha", 1.0).map(drop),
    }
}

fn add(call: &Call<Meta>) -> Metas {
    let results = arithmetic(call)?;
    for result in &results {
        check_alpha(call, result.dtype)?;
    }
    Ok(results)
}

/// As `add`, but there is no difference of truth values.
fn sub(call: &Call<Meta>) -> Metas {
    call.tensor("input")?;
    for name in ["input", "other"] {
        let rule = || "must not be bool; bitwise_xor and logical_not are meant for those".to_owned();
        require(side(call, name)?.dtype != DType::Bool, call, name, rule)?;
    }
    add(call)
}

/// Two tensors; together they must be floats.
fn floats_of_two(call: &Call<Meta>) -> Metas {
    call.tensor("other")?;
    let results = arithmetic(call)?;
    let floats = results.iter().all(|result| result.dtype.is_float());
    require(floats, call, "input", || "or 'other' must hold floats".to_owned())?;
    Ok(results)
}

fn function_of_two(call: &Call<Meta>) -> Metas {
    let (dtype, shape) = binary_result(call, "other")?;
    Ok(vec![Meta::new(float_result(dtype), &shape)])
}

fn angle(call: &Call<Meta>) -> Metas {
    call.tensor("other")?;
    function_of_two(call)
}

/// Floats of one dtype; a weight of one element without dimensions may have another.
fn lerp(call: &Call<Meta>) -> Metas {
    let (input, end) = (call.tensor("input")?, call.tensor("end")?);
    require(input.dtype.is_float(), call, "input", || format!("must hold floats, not {}", input.dtype))?;
    require(end.dtype == input.dtype, call, "end", || format!("must be {}, not {}", input.dtype, end.dtype))?;
    let mut sides = vec![side(call, "input")?, side(call, "end")?];
    if let Operand::Tensor(weight) = call.tensor_or_scalar("weight")? {
        let rule = || format!("must be {}, not {}", input.dtype, weight.dtype);
        require(weight.dtype == input.dtype || weight.rank() == 0, call, "weight", rule)?;
        sides.push(side(call, "weight")?);
    }
    Ok(vec![Meta::new(input.dtype, &common_shape(call, &sides)?)])
}

fn addcmul(call: &Call<Meta>) -> Metas {
    let sides = [of_tensor(call, "input")?, of_tensor(call, "tensor1")?, of_tensor(call, "tensor2")?];
    let dtype = common_dtype(&sides);
    require(dtype != DType::Bool, call, "input", || "and the others must not all be bool".to_owned())?;
    value(call)?;
    Ok(vec![Meta::new(dtype, &common_shape(call, &sides)?)])
}

fn addcdiv(call: &Call<Meta>) -> Metas {
    let results = addcmul(call)?;
    let floats = results.iter().all(|result| result.dtype.is_float());
    require(floats, call, "tensor1", || "and the others must not all be integers".to_owned())?;
    Ok(results)
}

fn of_tensor(call: &Call<Meta>, name: &'static str) -> Result<super::promotion::Side, OpError> {
    call.tensor(name)?;
    side(call, name)
}

/// The factor of `addcmul` and `addcdiv`.
///
/// # Errors
/// When it is no number.
pub(crate) fn value<T>(call: &Call<T>) -> Result<f64, OpError> {
    match call.plain("value") {
        Arg::Bool(flag) => Ok(f64::from(u8::from(*flag))),
        _ => call.float("value", 1.0),
    }
}
