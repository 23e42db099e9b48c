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
    if tensors.is_empty() {
        return Err(call.error("tensors", "must not be empty"));
    }
    let counted: Vec<&Meta> = tensors.iter().filter(|tensor| !is_nothing(tensor)).collect();
    let dtype = tensors.iter().map(|tensor| tensor.dtype).reduce(promote);
    let Some((&first, rest)) = counted.split_first() else {
        let result = tensors.iter().max_by_key(|tensor| tensor.rank()).cloned();
        return Ok(result.map(|result| Meta { dtype: dtype.unwrap_or(result.dtype), ..result }).into_iter().collect());
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
        result.shape[dim] = result.shape[dim]
            .checked_add(tensor.shape[dim])
            .ok_or_else(|| call.error("tensors", "are together too large"))?;
    }
    result.dtype = dtype.unwrap_or(result.dtype);
    Ok(vec![result])
}

/// Whether a tensor adds nothing to `cat` whatever the others' rank: PyTorch lets one of shape \[0\] stand among any.
pub(crate) fn is_nothing(tensor: &Meta) -> bool {
    tensor.shape == [0]
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
