//! Elementwise operators: broadcasting, type promotion.

use super::promotion::{common_dtype, common_shape, side};
use super::{Family, Signature, broadcast, float_result};
use crate::graph::{Call, Meta, OpError};
use crate::tensor::DType;

macro_rules! binary {
    ($($constant:ident $name:literal $params:expr, $infer:expr;)*) => { $(
        #[doc = concat!("`torch.", $name, "`.")]
        pub static $constant: Signature = Signature {
            name: $name, family: Family::Elementwise, params: $params, infer: $infer,
        };
    )* };
}

binary! {
    MUL "mul" &["input", "other"], arithmetic;
    POW "pow" &["input", "exponent"], power;
    LE "le" &["input", "other"], comparison;
    EQ "eq" &["input", "other"], comparison;
    NEG "neg" &["input"], same;
    TO "to" &["input", "dtype"], cast;
    WHERE "where" &["condition", "input", "other"], select;
    RSQRT "rsqrt" &["input"], float_unary;
    SQRT "sqrt" &["input"], float_unary;
    COS "cos" &["input"], float_unary;
    SIN "sin" &["input"], float_unary;
    EXP "exp" &["input"], float_unary;
    TANH "tanh" &["input"], float_unary;
    SIGMOID "sigmoid" &["input"], float_unary;
    SILU "silu" &["input"], float_unary;
    RELU "relu" &["input"], same;
    GELU "gelu" &["input", "approximate"], gelu;
}

fn same(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    Ok(vec![call.tensor("input")?.clone()])
}

pub(super) fn float_unary(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    Ok(vec![Meta::new(float_result(input.dtype), &input.shape)])
}

fn gelu(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    match call.str("approximate", "none")? {
        "none" | "tanh" => float_unary(call),
        other => Err(call.error("approximate", format!("must be 'none' or 'tanh', not '{other}'"))),
    }
}

fn cast(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    let dtype = call.opt_dtype("dtype")?.unwrap_or(input.dtype);
    Ok(vec![Meta::new(dtype, &input.shape)])
}

pub(super) fn arithmetic(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (dtype, shape) = binary_result(call, "other")?;
    Ok(vec![Meta::new(dtype, &shape)])
}

pub(super) fn comparison(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (_, shape) = binary_result(call, "other")?;
    Ok(vec![Meta::new(DType::Bool, &shape)])
}

fn power(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (dtype, shape) = binary_result(call, "exponent")?;
    Ok(vec![Meta::new(dtype, &shape)])
}

fn select(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let condition = call.tensor("condition")?;
    let (dtype, shape) = binary_result(call, "other")?;
    let shape = broadcast(&condition.shape, &shape).ok_or_else(|| {
        call.error("condition", format!("of shape {:?} does not broadcast with {shape:?}", condition.shape))
    })?;
    Ok(vec![Meta::new(dtype, &shape)])
}

/// Broadcast and promoted.
pub(super) fn binary_result(call: &Call<Meta>, other: &'static str) -> Result<(DType, Vec<usize>), OpError> {
    call.tensor("input")?;
    let sides = [side(call, "input")?, side(call, other)?];
    Ok((common_dtype(&sides), common_shape(call, &sides)?))
}
