//! Reductions over dimensions.

use super::{Family, Signature, float_result};
use crate::graph::{Call, Meta, OpError, wrap_dim};
use crate::tensor::DType;

/// `torch.sum(input, dim=None, keepdim=False)`; integers and bool sum to i64.
pub static SUM: Signature =
    Signature { name: "sum", family: Family::Reduction, params: &["input", "dim", "keepdim"], infer: sum };

/// `torch.mean(input, dim=None, keepdim=False)`.
pub static MEAN: Signature =
    Signature { name: "mean", family: Family::Reduction, params: &["input", "dim", "keepdim"], infer: float_reduction };

/// `torch.linalg.vector_norm(input, ord=2, dim=None, keepdim=False)`.
pub static LINALG_VECTOR_NORM: Signature = Signature {
    name: "linalg_vector_norm",
    family: Family::Reduction,
    params: &["input", "ord", "dim", "keepdim"],
    infer: float_reduction,
};

/// `torch.argmax(input, dim=None, keepdim=False)`: i64, the first of equal maxima.
pub static ARGMAX: Signature =
    Signature { name: "argmax", family: Family::Reduction, params: &["input", "dim", "keepdim"], infer: argmax };

/// Dimensions that a call reduces, ascending and without repeats; all of them where `dim` is None or empty.
///
/// # Errors
/// When a dimension is out of range or named twice.
pub fn reduced_dims<T>(call: &Call<T>, rank: usize) -> Result<Vec<usize>, OpError> {
    let Some(dims) = call.opt_ints("dim")?.filter(|dims| !dims.is_empty()) else {
        return Ok((0..rank).collect());
    };
    let mut wrapped = Vec::with_capacity(dims.len());
    for dim in dims {
        let at = wrap_dim(dim, rank)
            .ok_or_else(|| call.error("dim", format!("{dim} is out of range for {rank} dimensions")))?;
        if wrapped.contains(&at) {
            return Err(call.error("dim", format!("names dimension {at} twice")));
        }
        wrapped.push(at);
    }
    wrapped.retain(|&dim| dim < rank);
    wrapped.sort_unstable();
    Ok(wrapped)
}

fn reduced_shape(call: &Call<Meta>) -> Result<Vec<usize>, OpError> {
    let input = call.tensor("input")?;
    let dims = reduced_dims(call, input.rank())?;
    let keepdim = call.bool("keepdim", false)?;
    Ok(input
        .shape
        .iter()
        .enumerate()
        .filter_map(|(at, &size)| match (dims.contains(&at), keepdim) {
            (false, _) => Some(size),
            (true, true) => Some(1),
            (true, false) => None,
        })
        .collect())
}

fn sum(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let dtype = match call.tensor("input")?.dtype {
        DType::Bool => DType::I64,
        dtype if dtype.is_integer() => DType::I64,
        dtype => float_result(dtype),
    };
    Ok(vec![Meta::new(dtype, &reduced_shape(call)?)])
}

fn float_reduction(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let dtype = float_result(call.tensor("input")?.dtype);
    Ok(vec![Meta::new(dtype, &reduced_shape(call)?)])
}

fn argmax(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    Ok(vec![Meta::new(DType::I64, &reduced_shape(call)?)])
}
