//! Copies that move elements.

use super::{Family, Signature, promote, require};
use crate::graph::{Call, Meta, OpError, wrap_dim};

/// `Tensor.clone(memory_format=torch.contiguous_format)`: a row-major copy.
pub static CLONE: Signature =
    Signature { name: "clone", family: Family::Movement, params: &["input", "memory_format"], infer: clone };

/// `torch.cat(tensors, dim=0)`.
pub static CAT: Signature =
    Signature { name: "cat", family: Family::Movement, params: &["tensors", "dim"], infer: cat };

fn clone(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    Ok(vec![call.tensor("input")?.clone()])
}

fn cat(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let tensors = call.tensors("tensors")?;
    let Some((first, rest)) = tensors.split_first() else {
        return Err(call.error("tensors", "must not be empty"));
    };
    let dim = wrap_dim(call.int("dim", 0)?, first.rank())
        .filter(|_| first.rank() > 0)
        .ok_or_else(|| call.error("dim", format!("is out of range for shape {:?}", first.shape)))?;
    let mut result = first.clone();
    for tensor in rest {
        let fits = tensor.rank() == first.rank()
            && tensor.shape.iter().zip(&first.shape).enumerate().all(|(at, (a, b))| at == dim || a == b);
        require(fits, call, "tensors", || {
            format!("must agree outside dimension {dim}, but have shapes {:?} and {:?}", first.shape, tensor.shape)
        })?;
        result.dtype = promote(result.dtype, tensor.dtype);
        result.shape[dim] = result.shape[dim]
            .checked_add(tensor.shape[dim])
            .ok_or_else(|| call.error("tensors", "are together too large"))?;
    }
    Ok(vec![result])
}
