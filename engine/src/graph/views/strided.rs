//! Views along other paths through memory: diagonals, windows, and strides that are given outright.

use super::{View, dim};
use crate::graph::{Call, OpError, wrap_dim};
use crate::tensor::Layout;

type Layouts = Result<Vec<Layout>, OpError>;

/// `torch.diagonal(input, offset=0, dim1=0, dim2=1)`: the diagonal becomes the last dimension.
pub static DIAGONAL: View = View { name: "diagonal", params: &["input", "offset", "dim1", "dim2"], layout: diagonal };
/// `Tensor.unfold(dimension, size, step)`: windows along a dimension; their elements become the last dimension.
pub static UNFOLD: View = View { name: "unfold", params: &["input", "dimension", "size", "step"], layout: unfold };
/// `torch.as_strided(input, size, stride, storage_offset=None)`, of contiguous inputs.
///
/// PyTorch's strides refer to the input's storage, not to its elements. They mean the same wherever the input lies contiguous, whatever
/// made it; of any other input the storage is not known, and the call is refused.
pub static AS_STRIDED: View =
    View { name: "as_strided", params: &["input", "size", "stride", "storage_offset"], layout: as_strided };

fn diagonal(call: &Call<Layout>) -> Layouts {
    let mut layout = call.tensor("input")?.clone();
    let rank = layout.rank();
    let first = dim(call, "dim1", call.int("dim1", 0)?, rank)?;
    let second = dim(call, "dim2", call.int("dim2", 1)?, rank)?;
    if first == second {
        return Err(call.error("dim2", format!("must not be dim1, dimension {first}")));
    }
    let offset = call.int("offset", 0)?;
    let skipped = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
    let (rows, columns) = (layout.shape[first], layout.shape[second]);
    let (down, right) = (layout.strides[first], layout.strides[second]);
    let (length, start) = if offset >= 0 {
        (rows.min(columns.saturating_sub(skipped)), skipped.saturating_mul(right))
    } else {
        (rows.saturating_sub(skipped).min(columns), skipped.saturating_mul(down))
    };
    // Of an empty diagonal the start may lie outside.
    if length > 0 {
        layout.offset += start;
    }
    for at in [first.max(second), first.min(second)] {
        layout.shape.remove(at);
        layout.strides.remove(at);
    }
    layout.shape.push(length);
    layout.strides.push(down.saturating_add(right));
    Ok(vec![layout])
}

fn unfold(call: &Call<Layout>) -> Layouts {
    let mut layout = call.tensor("input")?.clone();
    let rank = layout.rank();
    let dimension = call.required_int("dimension")?;
    let at = wrap_dim(dimension, rank)
        .ok_or_else(|| call.error("dimension", format!("{dimension} is out of range for {rank} dimensions")))?;
    // A rank-0 tensor is a row of one element.
    let (whole, stride) = (layout.shape.get(at).copied().unwrap_or(1), layout.strides.get(at).copied().unwrap_or(1));
    let (size, step) = (call.required_int("size")?, call.required_int("step")?);
    let window = usize::try_from(size)
        .ok()
        .filter(|&size| size <= whole)
        .ok_or_else(|| call.error("size", format!("must lie between 0 and {whole}, but is {size}")))?;
    let step = usize::try_from(step)
        .ok()
        .filter(|&step| step > 0)
        .ok_or_else(|| call.error("step", format!("must be positive, not {step}")))?;
    if at < rank {
        layout.shape[at] = (whole - window) / step + 1;
        layout.strides[at] = stride.saturating_mul(step);
    }
    layout.shape.push(window);
    layout.strides.push(stride);
    Ok(vec![layout])
}

fn as_strided(call: &Call<Layout>) -> Layouts {
    let input = call.tensor("input")?;
    let sizes = |name: &str| -> Result<Vec<usize>, OpError> {
        let given = call.ints(name)?;
        let converted = given.iter().map(|&value| usize::try_from(value).ok()).collect::<Option<_>>();
        converted.ok_or_else(|| call.error(name, format!("{given:?} holds a negative number")))
    };
    let (shape, strides) = (sizes("size")?, sizes("stride")?);
    if shape.len() != strides.len() {
        return Err(call.error("stride", format!("{strides:?} and size {shape:?} must be equally many")));
    }
    let offset = match call.opt_int("storage_offset")? {
        None => input.offset,
        Some(offset) => usize::try_from(offset)
            .map_err(|_| call.error("storage_offset", format!("must not be negative, but is {offset}")))?,
    };
    let layout = Layout { shape, strides, offset };
    let numel = input.shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size)).unwrap_or(0);
    let end = input.offset.saturating_add(numel);
    if !input.is_contiguous() || offset < input.offset || layout.check(end).is_err() {
        let what = format!("a path that leaves an input of shape {:?} with strides {:?}", input.shape, input.strides);
        return Err(OpError::Unsupported { op: call.op().to_owned(), what, by: "Taproot" });
    }
    Ok(vec![layout])
}
