//! Weights with a length of their own.

use super::{Family, Signature, require};
use crate::graph::{Call, Meta, OpError, wrap_dim};
use crate::tensor::DType;

/// `torch._weight_norm(v, g, dim=0)`: v · g / ‖v‖, with a norm for each index of `dim`; −1 is not the last dimension but one
/// norm of the whole (`norm_except_dim` in ATen's `WeightNorm.cpp`).
pub static WEIGHT_NORM: Signature =
    Signature { name: "_weight_norm", family: Family::Norm, params: &["v", "g", "dim"], infer: weight_norm };

/// Dimensions that the norm is taken over, of a `v` of this rank.
///
/// # Errors
/// When the dimension is out of range.
pub fn norm_dims<T>(call: &Call<T>, rank: usize) -> Result<Vec<usize>, OpError> {
    let dim = call.int("dim", 0)?;
    let kept = wrap_dim(dim, rank)
        .filter(|_| rank > 0 || dim == -1)
        .ok_or_else(|| call.error("dim", format!("{dim} is out of range for {rank} dimensions")))?;
    Ok((0..rank).filter(|&at| dim == -1 || at != kept).collect())
}

fn weight_norm(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (v, g) = (call.tensor("v")?, call.tensor("g")?);
    let float = matches!(v.dtype, DType::F32 | DType::F16 | DType::BF16 | DType::F64);
    require(float, call, "v", || format!("must hold floats of 16 bits and more, not {}", v.dtype))?;
    require(g.dtype == v.dtype, call, "g", || format!("must be {} as v is, not {}", v.dtype, g.dtype))?;
    let dims = norm_dims(call, v.rank())?;
    let lengths: Vec<usize> =
        v.shape.iter().enumerate().map(|(dim, &size)| if dims.contains(&dim) { 1 } else { size }).collect();
    // One length for the whole may be of any rank up to v's.
    let single = dims.len() == v.rank() && g.shape.iter().all(|&size| size == 1) && g.rank() <= v.rank();
    require(single || g.shape == lengths, call, "g", || format!("must have shape {lengths:?}, not {:?}", g.shape))?;
    Ok(vec![v.clone()])
}
