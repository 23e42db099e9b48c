//! Elementwise operators: broadcasting, type promotion.

use super::{Family, Signature, broadcast, float_result, promote};
use crate::graph::{Call, Meta, OpError, Operand};
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
    ADD "add" &["input", "other", "alpha"], arithmetic;
    SUB "sub" &["input", "other", "alpha"], arithmetic;
    MUL "mul" &["input", "other"], arithmetic;
    DIV "div" &["input", "other"], division;
    POW "pow" &["input", "exponent"], power;
    LE "le" &["input", "other"], comparison;
    EQ "eq" &["input", "other"], comparison;
    NEG "neg" &["input"], same;
    CLAMP "clamp" &["input", "min", "max"], same;
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

fn float_unary(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
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

fn arithmetic(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (dtype, shape) = binary_result(call, "other")?;
    Ok(vec![Meta::new(dtype, &shape)])
}

fn division(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (dtype, shape) = binary_result(call, "other")?;
    Ok(vec![Meta::new(float_result(dtype), &shape)])
}

fn comparison(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
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

/// PyTorch: a scalar changes the dtype only when it is of a higher kind (float beside integers); a rank-0 tensor
/// counts as a scalar beside one with dimensions.
fn binary_result(call: &Call<Meta>, other: &str) -> Result<(DType, Vec<usize>), OpError> {
    let input = call.tensor("input")?;
    match call.tensor_or_scalar(other)? {
        Operand::Tensor(tensor) => {
            let shape = broadcast(&input.shape, &tensor.shape).ok_or_else(|| {
                call.error(
                    other,
                    format!("of shape {:?} does not broadcast with input's {:?}", tensor.shape, input.shape),
                )
            })?;
            let dtype = match (input.rank(), tensor.rank()) {
                (0, 1..) if kind(tensor.dtype) >= kind(input.dtype) => tensor.dtype,
                (1.., 0) if kind(input.dtype) >= kind(tensor.dtype) => input.dtype,
                _ => promote(input.dtype, tensor.dtype),
            };
            Ok((dtype, shape))
        }
        Operand::Int(_) if input.dtype == DType::Bool => Ok((DType::I64, input.shape.clone())),
        Operand::Int(_) => Ok((input.dtype, input.shape.clone())),
        Operand::Float(_) => Ok((float_result(input.dtype), input.shape.clone())),
    }
}

fn kind(dtype: DType) -> u8 {
    match dtype {
        DType::Bool => 0,
        dtype if dtype.is_integer() => 1,
        _ => 2,
    }
}
