//! Reductions over dimensions.

use super::extremum::has_elements;
use super::{Family, Signature, float_result, require};
use crate::graph::{Call, Meta, OpError, wrap_dim};
use crate::tensor::DType;

/// `torch.sum(input, dim=None, keepdim=False, dtype=None)`; integers and bool sum to i64.
pub static SUM: Signature =
    Signature { name: "sum", family: Family::Reduction, params: &["input", "dim", "keepdim", "dtype"], infer: sum };

/// `torch.mean(input, dim=None, keepdim=False, dtype=None)`.
pub static MEAN: Signature =
    Signature { name: "mean", family: Family::Reduction, params: &["input", "dim", "keepdim", "dtype"], infer: mean };

/// `torch.linalg.vector_norm(input, ord=2, dim=None, keepdim=False, dtype=None)`.
pub static LINALG_VECTOR_NORM: Signature = Signature {
    name: "linalg_vector_norm",
    family: Family::Reduction,
    params: &["input", "ord", "dim", "keepdim", "dtype"],
    infer: vector_norm,
};

/// `torch.prod(input, dim=None, keepdim=False, dtype=None)` over one dimension or all; integers and bool give i64.
pub static PROD: Signature =
    Signature { name: "prod", family: Family::Reduction, params: &["input", "dim", "keepdim", "dtype"], infer: prod };

/// `torch.any(input, dim=None, keepdim=False)`: bool, but u8 for u8.
pub static ANY: Signature =
    Signature { name: "any", family: Family::Reduction, params: &["input", "dim", "keepdim"], infer: truth };

/// `torch.all(input, dim=None, keepdim=False)`: bool, but u8 for u8.
pub static ALL: Signature =
    Signature { name: "all", family: Family::Reduction, params: &["input", "dim", "keepdim"], infer: truth };

/// `torch.count_nonzero(input, dim=None)`: i64.
pub static COUNT_NONZERO: Signature =
    Signature { name: "count_nonzero", family: Family::Reduction, params: &["input", "dim"], infer: count };

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

/// Dimensions that `any` and `all` reduce: as [`reduced_dims`], but an empty list reduces none.
///
/// # Errors
/// When a dimension is out of range or named twice.
pub fn truth_dims<T>(call: &Call<T>, rank: usize) -> Result<Vec<usize>, OpError> {
    match call.opt_ints("dim")? {
        Some(dims) if dims.is_empty() => Ok(Vec::new()),
        _ => reduced_dims(call, rank),
    }
}

/// The result's shape of a reduction over `dim`.
pub(super) fn reduced_shape(call: &Call<Meta>) -> Result<Vec<usize>, OpError> {
    shape_without(call, &reduced_dims(call, call.tensor("input")?.rank())?)
}

fn shape_without(call: &Call<Meta>, dims: &[usize]) -> Result<Vec<usize>, OpError> {
    let input = call.tensor("input")?;
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

/// The input of an operator that keeps dtypes, which blocks of quantised numbers cannot be for.
pub(super) fn not_quantized(call: &Call<Meta>) -> Result<&Meta, OpError> {
    let input = call.tensor("input")?;
    require(!input.dtype.is_quantized(), call, "input", || "must not be quantised".to_owned())?;
    Ok(input)
}

/// The argument `dtype`, in which a reduction or scan takes its input; `default` where it is left out.
pub(super) fn dtype_or(call: &Call<Meta>, default: DType) -> Result<DType, OpError> {
    let Some(dtype) = call.opt_dtype("dtype")? else { return Ok(default) };
    let plain = dtype.is_integer() || matches!(dtype, DType::F32 | DType::F16 | DType::BF16 | DType::F64);
    require(plain, call, "dtype", || format!("must be an integer or a float of 16 bits and more, not {dtype}"))?;
    Ok(dtype)
}

/// The argument `dtype` where only floats will do; floats keep theirs and integers become f32 where it is left out.
pub(super) fn float_dtype(call: &Call<Meta>) -> Result<DType, OpError> {
    let dtype = dtype_or(call, float_result(call.tensor("input")?.dtype))?;
    require(dtype.is_float(), call, "dtype", || format!("must be a float, not {dtype}"))?;
    Ok(dtype)
}

/// dtype of a sum or product of `dtype`: integers and bool are taken as i64.
pub(super) fn sum_result(dtype: DType) -> DType {
    if dtype.is_float() { float_result(dtype) } else { DType::I64 }
}

fn sum(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let dtype = dtype_or(call, sum_result(call.tensor("input")?.dtype))?;
    Ok(vec![Meta::new(dtype, &reduced_shape(call)?)])
}

fn prod(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    call.opt_int("dim")?;
    sum(call)
}

fn mean(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    Ok(vec![Meta::new(float_dtype(call)?, &reduced_shape(call)?)])
}

fn vector_norm(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let ord = call.float("ord", 2.0)?;
    require(!ord.is_nan(), call, "ord", || "must be a number".to_owned())?;
    if ord < 0.0 || ord == f64::INFINITY {
        has_elements(call)?;
    }
    mean(call)
}

fn truth(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = not_quantized(call)?;
    let dtype = if input.dtype == DType::U8 { DType::U8 } else { DType::Bool };
    Ok(vec![Meta::new(dtype, &shape_without(call, &truth_dims(call, input.rank())?)?)])
}

fn count(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    not_quantized(call)?;
    Ok(vec![Meta::new(DType::I64, &reduced_shape(call)?)])
}

fn argmax(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    Ok(vec![Meta::new(DType::I64, &reduced_shape(call)?)])
}
