//! Copies that move elements.

use super::{Family, Signature, promote, require, sized};
use crate::graph::{Call, Meta, OpError, wrap_dim};

/// `Tensor.clone(memory_format=torch.contiguous_format)`: a row-major copy.
pub static CLONE: Signature =
    Signature { name: "clone", family: Family::Movement, params: &["input", "memory_format"], infer: clone };

/// `torch.cat(tensors, dim=0)`.
pub static CAT: Signature =
    Signature { name: "cat", family: Family::Movement, params: &["tensors", "dim"], infer: cat };

/// `torch.stack(tensors, dim=0)`.
pub static STACK: Signature =
    Signature { name: "stack", family: Family::Movement, params: &["tensors", "dim"], infer: stack };

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

fn stack(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let tensors = call.tensors("tensors")?;
    let Some((first, rest)) = tensors.split_first() else {
        return Err(call.error("tensors", "must not be empty"));
    };
    let dim = wrap_dim(call.int("dim", 0)?, first.rank() + 1)
        .ok_or_else(|| call.error("dim", format!("is out of range for shape {:?} and one more", first.shape)))?;
    let mut dtype = first.dtype;
    for tensor in rest {
        require(tensor.shape == first.shape, call, "tensors", || {
            format!("must have one shape, but have {:?} and {:?}", first.shape, tensor.shape)
        })?;
        dtype = promote(dtype, tensor.dtype);
    }
    let mut shape = first.shape.clone();
    shape.insert(dim, tensors.len());
    Ok(vec![sized(call, "tensors", dtype, &shape)?])
}
