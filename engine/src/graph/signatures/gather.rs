//! Look-ups by index.

use super::{Family, Signature, float_result, require};
use crate::graph::{Call, Meta, OpError};
use crate::tensor::DType;

/// `aten.embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False)`: weight `[rows, dim]` in any stored form, indices of any shape; result
/// `indices.shape + [dim]`. The last three arguments concern gradients alone.
pub static EMBEDDING: Signature = Signature {
    name: "embedding",
    family: Family::Gather,
    params: &["weight", "indices", "padding_idx", "scale_grad_by_freq", "sparse"],
    infer: embedding,
};

fn embedding(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let weight = call.tensor("weight")?;
    let indices = call.tensor("indices")?;
    require(weight.rank() == 2, call, "weight", || format!("must have 2 dimensions, not shape {:?}", weight.shape))?;
    require(matches!(indices.dtype, DType::I64 | DType::I32), call, "indices", || {
        format!("must be i64 or i32, not {}", indices.dtype)
    })?;
    call.opt_int("padding_idx")?;
    call.bool("scale_grad_by_freq", false)?;
    call.bool("sparse", false)?;
    let mut shape = indices.shape.clone();
    shape.push(weight.shape[1]);
    let dtype = if weight.dtype.is_f8() { weight.dtype } else { float_result(weight.dtype) };
    Ok(vec![Meta::new(dtype, &shape)])
}
