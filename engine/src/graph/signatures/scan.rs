//! Scans: running sums, products and extrema along a dimension.

use super::reduction::{dtype_or, not_quantized, sum_result};
use super::{Family, Signature};
use crate::graph::{Call, Meta, OpError, wrap_dim};
use crate::tensor::DType;

/// `torch.cumsum(input, dim, dtype=None)`; integers and bool give i64.
pub static CUMSUM: Signature =
    Signature { name: "cumsum", family: Family::Reduction, params: &["input", "dim", "dtype"], infer: total };

/// `torch.cumprod(input, dim, dtype=None)`; integers and bool give i64.
pub static CUMPROD: Signature =
    Signature { name: "cumprod", family: Family::Reduction, params: &["input", "dim", "dtype"], infer: total };

/// `torch.cummax(input, dim)`: values, and i64 indices, the last of equal maxima.
pub static CUMMAX: Signature =
    Signature { name: "cummax", family: Family::Reduction, params: &["input", "dim"], infer: extremum };

/// `torch.cummin(input, dim)`: values, and i64 indices, the last of equal minima.
pub static CUMMIN: Signature =
    Signature { name: "cummin", family: Family::Reduction, params: &["input", "dim"], infer: extremum };

fn total(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    line_dim(call, None, input.rank())?;
    Ok(vec![Meta::new(dtype_or(call, sum_result(input.dtype))?, &input.shape)])
}

fn extremum(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = not_quantized(call)?;
    line_dim(call, None, input.rank())?;
    Ok(vec![input.clone(), Meta::new(DType::I64, &input.shape)])
}

/// The dimension that an operator works along, 0 for a tensor of rank 0; `default` where the argument `dim` may be left out.
///
/// # Errors
/// When it is missing or out of range.
pub fn line_dim<T>(call: &Call<T>, default: Option<i64>, rank: usize) -> Result<usize, OpError> {
    let dim = match default {
        Some(default) => call.int("dim", default)?,
        None => call.required_int("dim")?,
    };
    wrap_dim(dim, rank).ok_or_else(|| call.error("dim", format!("{dim} is out of range for {rank} dimensions")))
}
