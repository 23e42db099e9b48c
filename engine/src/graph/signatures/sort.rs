//! Sorting, the k largest elements, histograms.

use super::reduction::not_quantized;
use super::scan::line_dim;
use super::{Family, Signature, require};
use crate::graph::{Call, Meta, OpError};
use crate::tensor::DType;

/// `torch.sort(input, dim=-1, descending=False, stable=False)`: values, and i64 indices. Equal elements keep their order, stable or not;
/// NaN counts as the largest.
pub static SORT: Signature = Signature {
    name: "sort",
    family: Family::Reduction,
    params: &["input", "dim", "descending", "stable"],
    infer: sort,
};

/// `torch.argsort(input, dim=-1, descending=False, stable=False)`: the indices of `sort`.
pub static ARGSORT: Signature = Signature {
    name: "argsort",
    family: Family::Reduction,
    params: &["input", "dim", "descending", "stable"],
    infer: argsort,
};

/// `torch.topk(input, k, dim=-1, largest=True, sorted=True)`: values and i64 indices, always sorted; the first of equal elements are
/// taken, NaN counts as the largest.
pub static TOPK: Signature = Signature {
    name: "topk",
    family: Family::Reduction,
    params: &["input", "k", "dim", "largest", "sorted"],
    infer: topk,
};

/// `torch.histc(input, bins=100, min=0, max=0)`: how many elements lie in each of `bins` equal parts of \[min, max\], in the input's
/// dtype; from the smallest to the largest element where min = max.
pub static HISTC: Signature =
    Signature { name: "histc", family: Family::Reduction, params: &["input", "bins", "min", "max"], infer: histc };

/// Most bins of a histogram: so many counts are computed one by one.
const MAX_BINS: i64 = 1 << 20;

fn sort(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = not_quantized(call)?;
    line_dim(call, Some(-1), input.rank())?;
    call.bool("descending", false)?;
    call.bool("stable", false)?;
    Ok(vec![input.clone(), Meta::new(DType::I64, &input.shape)])
}

fn argsort(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    Ok(sort(call)?.split_off(1))
}

fn topk(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = not_quantized(call)?;
    let dim = line_dim(call, Some(-1), input.rank())?;
    call.bool("largest", true)?;
    call.bool("sorted", true)?;
    let k = call.required_int("k")?;
    let size = input.shape.get(dim).copied().unwrap_or(1);
    let count = usize::try_from(k).ok().filter(|&count| count <= size).ok_or_else(|| {
        call.error("k", format!("must be between 0 and {size}, the size of dimension {dim}, not {k}"))
    })?;
    let mut shape = input.shape.clone();
    if let Some(size) = shape.get_mut(dim) {
        *size = count;
    }
    Ok(vec![Meta::new(input.dtype, &shape), Meta::new(DType::I64, &shape)])
}

fn histc(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = not_quantized(call)?;
    require(input.dtype != DType::Bool, call, "input", || "must not be bool".to_owned())?;
    let bins = call.int("bins", 100)?;
    require((1..=MAX_BINS).contains(&bins), call, "bins", || format!("must be between 1 and {MAX_BINS}, not {bins}"))?;
    let [min, max] = histogram_range(call)?;
    require(min.is_finite(), call, "min", || "must be finite".to_owned())?;
    require(max.is_finite() && max >= min, call, "max", || format!("must be finite and at least {min}, not {max}"))?;
    // In range: at most MAX_BINS.
    Ok(vec![Meta::new(input.dtype, &[bins as usize])])
}

/// The arguments `min` and `max`.
///
/// # Errors
/// When they are no numbers.
pub fn histogram_range<T>(call: &Call<T>) -> Result<[f64; 2], OpError> {
    Ok([call.float("min", 0.0)?, call.float("max", 0.0)?])
}
