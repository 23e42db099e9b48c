//! A tensor with some of its elements replaced: by position or by a mask.

use super::creation::{Number, fits};
use super::{Family, Signature, broadcast, require, sized};
use crate::graph::{Call, Meta, OpError, Operand};
use crate::tensor::DType;

/// `torch.tril(input, diagonal=0)`: 0 above the diagonal of the last two dimensions.
pub static TRIL: Signature =
    Signature { name: "tril", family: Family::Movement, params: &["input", "diagonal"], infer: triangle };

/// `torch.triu(input, diagonal=0)`: 0 below the diagonal of the last two dimensions.
pub static TRIU: Signature =
    Signature { name: "triu", family: Family::Movement, params: &["input", "diagonal"], infer: triangle };

/// `Tensor.masked_fill(mask, value)`: value, a number or a tensor of rank 0, where mask is true.
pub static MASKED_FILL: Signature = Signature {
    name: "masked_fill",
    family: Family::Movement,
    params: &["input", "mask", "value"],
    infer: masked_fill,
};

fn triangle(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    call.int("diagonal", 0)?;
    require(input.rank() >= 2, call, "input", || {
        format!("needs at least 2 dimensions, but has shape {:?}", input.shape)
    })?;
    require(!input.dtype.is_quantized(), call, "input", || format!("must not be the quantised {}", input.dtype))?;
    Ok(vec![input.clone()])
}

fn masked_fill(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (input, mask) = (call.tensor("input")?, call.tensor("mask")?);
    require(mask.dtype == DType::Bool, call, "mask", || format!("must be bool, not {}", mask.dtype))?;
    match call.tensor_or_scalar("value")? {
        Operand::Tensor(value) => {
            require(value.rank() == 0, call, "value", || {
                format!("must be a number or a tensor of rank 0, not of shape {:?}", value.shape)
            })?;
        }
        Operand::Int(value) => fits(call, "value", Number::Int(value), input.dtype)?,
        Operand::Float(value) => fits(call, "value", Number::Float(value), input.dtype)?,
    }
    let rule = || call.error("mask", format!("of shape {:?} does not broadcast with {:?}", mask.shape, input.shape));
    let shape = broadcast(&input.shape, &mask.shape).ok_or_else(rule)?;
    Ok(vec![sized(call, "mask", input.dtype, &shape)?])
}
