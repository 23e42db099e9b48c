//! Tensors made from numbers alone.

use super::{Family, Signature, require, sized};
use crate::graph::{Arg, Call, Meta, OpError};
use crate::tensor::DType;

macro_rules! signatures {
    ($($(#[$doc:meta])* $constant:ident $name:literal $params:expr, $infer:expr;)*) => { $(
        $(#[$doc])*
        pub static $constant: Signature =
            Signature { name: $name, family: Family::Creation, params: $params, infer: $infer };
    )* };
}

signatures! {
    /// `torch.full(size, fill_value, dtype=None)`.
    FULL "full" &["size", "fill_value", "dtype"], full;
    /// `torch.zeros(size, dtype=float32)`.
    ZEROS "zeros" &["size", "dtype"], plain;
    /// `torch.ones(size, dtype=float32)`.
    ONES "ones" &["size", "dtype"], plain;
    /// `torch.full_like(input, fill_value, dtype=None)`.
    FULL_LIKE "full_like" &["input", "fill_value", "dtype"], like;
    /// `torch.zeros_like(input, dtype=None)`.
    ZEROS_LIKE "zeros_like" &["input", "dtype"], like;
    /// `torch.ones_like(input, dtype=None)`.
    ONES_LIKE "ones_like" &["input", "dtype"], like;
    /// `Tensor.new_full(size, fill_value, dtype=None)`.
    NEW_FULL "new_full" &["input", "size", "fill_value", "dtype"], new;
    /// `Tensor.new_zeros(size, dtype=None)`.
    NEW_ZEROS "new_zeros" &["input", "size", "dtype"], new;
    /// `Tensor.new_ones(size, dtype=None)`.
    NEW_ONES "new_ones" &["input", "size", "dtype"], new;
    /// `torch.scalar_tensor(s, dtype=float32)`.
    SCALAR_TENSOR "scalar_tensor" &["s", "dtype"], scalar_tensor;
    /// `torch.arange(start=0, end, step=1, dtype=None)`: start, start + step, … before end.
    ARANGE "arange" &["start", "end", "step", "dtype"], arange;
    /// `torch.eye(n, m=n, dtype=float32)`.
    EYE "eye" &["n", "m", "dtype"], eye;
}

type Metas = Result<Vec<Meta>, OpError>;

/// A number among the arguments, with the kind that decides the dtype of what is made from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// An integer, and bool as 0 and 1.
    Int(i64),
    /// A float.
    Float(f64),
}

impl Number {
    /// Its value, integers beyond 2⁵³ rounded.
    pub(crate) fn float(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Float(value) => value,
        }
    }

    /// Its value cut off toward zero, the nearest i64 beyond that.
    pub(crate) fn int(self) -> i64 {
        match self {
            Number::Int(value) => value,
            Number::Float(value) => value as i64,
        }
    }
}

/// The number `name`, `None` where it is left out.
///
/// # Errors
/// When something else is given.
pub(crate) fn number<T>(call: &Call<T>, name: &str) -> Result<Option<Number>, OpError> {
    match call.plain(name) {
        Arg::Bool(flag) => Ok(Some(Number::Int(i64::from(*flag)))),
        Arg::Int(value) => Ok(Some(Number::Int(*value))),
        _ => Ok(call.opt_float(name)?.map(Number::Float)),
    }
}

/// What every element of `full`, `zeros`, `ones` and their kin, or of `scalar_tensor`, is.
///
/// # Errors
/// When it is missing or no number.
pub(crate) fn fill_value<T>(call: &Call<T>) -> Result<Number, OpError> {
    let name = match call.op() {
        "zeros" | "zeros_like" | "new_zeros" => return Ok(Number::Int(0)),
        "ones" | "ones_like" | "new_ones" => return Ok(Number::Int(1)),
        "scalar_tensor" => "s",
        _ => "fill_value",
    };
    number(call, name)?.ok_or_else(|| call.error(name, "is missing; a number is needed"))
}

/// First element, step and number of elements of `arange`. Floats that make integers are cut off, but counted as they are, as in PyTorch.
///
/// # Errors
/// When the range has no end, its step is 0 or leads away from its end, or it is too long.
pub(crate) fn range<T>(call: &Call<T>) -> Result<(Number, Number, usize), OpError> {
    let start = number(call, "start")?.unwrap_or(Number::Int(0));
    let step = number(call, "step")?.unwrap_or(Number::Int(1));
    let end = number(call, "end")?.ok_or_else(|| call.error("end", "is missing; a number is needed"))?;
    let length = match (start, end, step) {
        (Number::Int(start), Number::Int(end), Number::Int(step)) => {
            let (distance, step) = (i128::from(end) - i128::from(start), i128::from(step));
            check_direction(call, step == 0, (distance > 0 && step < 0) || (distance < 0 && step > 0))?;
            usize::try_from((distance + step - step.signum()) / step).ok()
        }
        _ => {
            let (distance, step) = (end.float() - start.float(), step.float());
            check_direction(call, step == 0.0, distance * step < 0.0)?;
            let length = (distance / step).ceil();
            (length.is_finite() && length < f64::from(u32::MAX)).then_some(length as usize)
        }
    };
    let length = length.ok_or_else(|| call.error("end", "makes the range too long"))?;
    Ok((start, step, length))
}

fn check_direction<T>(call: &Call<T>, zero: bool, away: bool) -> Result<(), OpError> {
    match (zero, away) {
        (true, _) => Err(call.error("step", "must not be 0")),
        (_, true) => Err(call.error("step", "leads away from the end of the range")),
        _ => Ok(()),
    }
}

/// An error where `dtype` does not hold the number `name`, by PyTorch's rule: a float is cut off for integers, a negative number wraps
/// around in u8, and only finite numbers are too large for a float.
///
/// # Errors
/// When it does not.
pub(crate) fn fits<T>(call: &Call<T>, name: &str, value: Number, dtype: DType) -> Result<(), OpError> {
    let held = match dtype {
        DType::Bool => true,
        DType::U8 => value.int().unsigned_abs() <= 255,
        DType::I8 => i8::try_from(value.int()).is_ok(),
        DType::I16 => i16::try_from(value.int()).is_ok(),
        DType::I32 => i32::try_from(value.int()).is_ok(),
        DType::F16 => !value.float().is_finite() || value.float().abs() <= 65_504.0,
        DType::BF16 => !value.float().is_finite() || value.float().abs() <= BF16_MAX,
        DType::F32 => !value.float().is_finite() || value.float().abs() <= f64::from(f32::MAX),
        DType::I64 => matches!(value, Number::Int(_)) || value.float().abs() < 9.2e18,
        _ => true,
    };
    if held { Ok(()) } else { Err(call.error(name, format!("is {}, which {dtype} does not hold", value.float()))) }
}

/// (2 − 2⁻⁷) · 2¹²⁷.
const BF16_MAX: f64 = 3.389_531_389_251_535_5e38;

fn full(call: &Call<Meta>) -> Metas {
    let dtype = match (call.opt_dtype("dtype")?, fill_value(call)?, call.plain("fill_value")) {
        (Some(dtype), ..) => dtype,
        (None, _, Arg::Bool(_)) => DType::Bool,
        (None, Number::Int(_), _) => DType::I64,
        (None, Number::Float(_), _) => DType::F32,
    };
    Ok(vec![filled(call, "size", dtype, &size(call)?)?])
}

fn plain(call: &Call<Meta>) -> Metas {
    let dtype = call.opt_dtype("dtype")?.unwrap_or(DType::F32);
    Ok(vec![filled(call, "size", dtype, &size(call)?)?])
}

fn like(call: &Call<Meta>) -> Metas {
    let input = call.tensor("input")?;
    Ok(vec![filled(call, "input", call.opt_dtype("dtype")?.unwrap_or(input.dtype), &input.shape)?])
}

fn new(call: &Call<Meta>) -> Metas {
    let dtype = call.opt_dtype("dtype")?.unwrap_or(call.tensor("input")?.dtype);
    Ok(vec![filled(call, "size", dtype, &size(call)?)?])
}

fn scalar_tensor(call: &Call<Meta>) -> Metas {
    Ok(vec![filled(call, "s", call.opt_dtype("dtype")?.unwrap_or(DType::F32), &[])?])
}

fn arange(call: &Call<Meta>) -> Metas {
    let (start, step, length) = range(call)?;
    let given = [Some(start), Some(step), number(call, "end")?];
    let floats = given.iter().flatten().any(|number| matches!(number, Number::Float(_)));
    let dtype = call.opt_dtype("dtype")?.unwrap_or(if floats { DType::F32 } else { DType::I64 });
    require(dtype != DType::Bool, call, "dtype", || "must not be bool".to_owned())?;
    Ok(vec![made(call, "end", dtype, &[length])?])
}

fn eye(call: &Call<Meta>) -> Metas {
    let side = |name, value: i64| {
        usize::try_from(value).map_err(|_| call.error(name, format!("must not be negative, as {value} is")))
    };
    let n = side("n", call.required_int("n")?)?;
    let m = call.opt_int("m")?.map_or(Ok(n), |m| side("m", m))?;
    Ok(vec![made(call, "n", call.opt_dtype("dtype")?.unwrap_or(DType::F32), &[n, m])?])
}

fn size(call: &Call<Meta>) -> Result<Vec<usize>, OpError> {
    let sizes = call.ints("size")?;
    let size = |&size: &i64| usize::try_from(size);
    let shape: Result<_, _> = sizes.iter().map(size).collect();
    shape.map_err(|_| call.error("size", format!("{sizes:?} holds a negative number")))
}

fn filled(call: &Call<Meta>, argument: &str, dtype: DType, shape: &[usize]) -> Result<Meta, OpError> {
    let name = if call.op() == "scalar_tensor" { "s" } else { "fill_value" };
    fits(call, name, fill_value(call)?, dtype)?;
    made(call, argument, dtype, shape)
}

fn made(call: &Call<Meta>, argument: &str, dtype: DType, shape: &[usize]) -> Result<Meta, OpError> {
    require(!dtype.is_quantized(), call, "dtype", || format!("must not be the quantised {dtype}"))?;
    sized(call, argument, dtype, shape)
}
