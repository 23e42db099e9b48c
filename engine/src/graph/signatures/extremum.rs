//! Largest and smallest elements, and where they stand.

use super::elementwise::binary_result;
use super::reduction::{not_quantized, reduced_dims, reduced_shape};
use super::{Family, Signature, require};
use crate::graph::{Call, Meta, OpError, wrap_dim};
use crate::tensor::DType;

macro_rules! extremum {
    ($($(#[$doc:meta])* $constant:ident $name:literal $params:expr, $infer:expr;)*) => { $(
        $(#[$doc])*
        pub static $constant: Signature = Signature {
            name: $name, family: Family::Reduction, params: $params, infer: $infer,
        };
    )* };
}

extremum! {
    /// `torch.amax(input, dim=(), keepdim=False)`: the largest element over any dimensions.
    AMAX "amax" &["input", "dim", "keepdim"], over_dims;
    /// `torch.amin(input, dim=(), keepdim=False)`.
    AMIN "amin" &["input", "dim", "keepdim"], over_dims;
    /// `torch.argmin(input, dim=None, keepdim=False)`: i64, the first of equal minima.
    ARGMIN "argmin" &["input", "dim", "keepdim"], argument;
    /// `torch.max(input)`: the largest element. `torch.max(input, dim, keepdim=False)`: values and i64 indices, the first of
    /// equal maxima. `torch.max(input, other)`: the larger element of two tensors that broadcast.
    MAX "max" &["input", "dim", "keepdim", "other"], max;
    /// `torch.min`, as `torch.max`.
    MIN "min" &["input", "dim", "keepdim", "other"], max;
}

fn over_dims(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = not_quantized(call)?;
    has_elements(call)?;
    Ok(vec![Meta::new(input.dtype, &reduced_shape(call)?)])
}

fn argument(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = not_quantized(call)?;
    require(input.dtype != DType::Bool, call, "input", || "must not be bool".to_owned())?;
    single_dim(call)?;
    has_elements(call)?;
    Ok(vec![Meta::new(DType::I64, &reduced_shape(call)?)])
}

fn max(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = not_quantized(call)?;
    let dim = single_dim(call)?;
    if call.opt_tensor("other")?.is_some() {
        require(dim.is_none(), call, "dim", || "must not be given beside 'other'".to_owned())?;
        let (dtype, shape) = binary_result(call, "other")?;
        require(!dtype.is_quantized(), call, "other", || "must not be quantised".to_owned())?;
        return Ok(vec![Meta::new(dtype, &shape)]);
    }
    let keepdim = call.bool("keepdim", false)?;
    require(dim.is_some() || !keepdim, call, "keepdim", || "must be false where no dim is given".to_owned())?;
    has_elements(call)?;
    let shape = reduced_shape(call)?;
    let mut results = vec![Meta::new(input.dtype, &shape)];
    if dim.is_some() {
        results.push(Meta::new(DType::I64, &shape));
    }
    Ok(results)
}

/// The argument `dim` where it is one dimension or None; 0 for a tensor of rank 0.
///
/// # Errors
/// When it is a list or out of range.
pub(crate) fn single_dim(call: &Call<Meta>) -> Result<Option<usize>, OpError> {
    let rank = call.tensor("input")?.rank();
    let Some(dim) = call.opt_int("dim")? else { return Ok(None) };
    let wrapped = wrap_dim(dim, rank);
    wrapped.map(Some).ok_or_else(|| call.error("dim", format!("{dim} is out of range for {rank} dimensions")))
}

/// Nothing has no largest element: no reduced dimension may be of size 0, even where the result is empty (as in PyTorch).
pub(super) fn has_elements(call: &Call<Meta>) -> Result<(), OpError> {
    let shape = &call.tensor("input")?.shape;
    for dim in reduced_dims(call, shape.len())? {
        require(shape.get(dim) != Some(&0), call, "dim", || {
            format!("{dim} is a dimension without elements of shape {shape:?}")
        })?;
    }
    Ok(())
}
