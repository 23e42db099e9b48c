//! View operators: they change strides and never run a kernel.
//!
//! Each takes the layout of its `input` and gives the layout of its results, as PyTorch does.

pub mod axes;
pub mod parts;
pub mod sizes;
pub mod strided;

use super::{Call, OpError, wrap_dim};
use crate::tensor::Layout;

/// Gives the layout of each result in the same base.
pub type ViewFn = fn(&Call<Layout>) -> Result<Vec<Layout>, OpError>;

/// A view operator.
#[derive(Debug)]
pub struct View {
    /// ATen name without overload.
    pub name: &'static str,
    /// Every argument name that it takes, in PyTorch's order.
    pub params: &'static [&'static str],
    /// Layout rule.
    pub layout: ViewFn,
}

/// `Tensor.view(size)`; one size may be −1.
pub static VIEW: View = View { name: "view", params: &["input", "size"], layout: view };
/// `torch.transpose(input, dim0, dim1)`.
pub static TRANSPOSE: View = View { name: "transpose", params: &["input", "dim0", "dim1"], layout: transpose };
/// `torch.permute(input, dims)`.
pub static PERMUTE: View = View { name: "permute", params: &["input", "dims"], layout: permute };
/// `torch.unsqueeze(input, dim)`.
pub static UNSQUEEZE: View = View { name: "unsqueeze", params: &["input", "dim"], layout: unsqueeze };
/// `torch.squeeze(input, dim)`.
pub static SQUEEZE: View = View { name: "squeeze", params: &["input", "dim"], layout: squeeze };
/// `Tensor.expand(size)`; −1 keeps a size.
pub static EXPAND: View = View { name: "expand", params: &["input", "size"], layout: expand };
/// `aten.slice(input, dim=0, start=None, end=None, step=1)`.
pub static SLICE: View = View { name: "slice", params: &["input", "dim", "start", "end", "step"], layout: slice };
/// `torch.select(input, dim, index)`.
pub static SELECT: View = View { name: "select", params: &["input", "dim", "index"], layout: select };
/// `torch.split_with_sizes(input, split_sizes, dim=0)`.
pub static SPLIT_WITH_SIZES: View =
    View { name: "split_with_sizes", params: &["input", "split_sizes", "dim"], layout: split_with_sizes };
/// `aten.alias(input)`.
pub static ALIAS: View = View { name: "alias", params: &["input"], layout: alias };

impl View {
    /// Checks the argument names and gives the layouts of the results.
    ///
    /// # Errors
    /// When an argument is unknown or breaks a rule.
    pub fn check(&self, call: &Call<Layout>) -> Result<Vec<Layout>, OpError> {
        for (name, _) in call.args() {
            if !self.params.contains(&name) {
                return Err(call.error(name, format!("is unknown; the operator takes {}", self.params.join(", "))));
            }
        }
        (self.layout)(call)
    }
}

fn alias(call: &Call<Layout>) -> Result<Vec<Layout>, OpError> {
    Ok(vec![call.tensor("input")?.clone()])
}

fn dim(call: &Call<Layout>, name: &str, value: i64, rank: usize) -> Result<usize, OpError> {
    wrap_dim(value, rank)
        .filter(|&at| at < rank)
        .ok_or_else(|| call.error(name, format!("{value} is out of range for {rank} dimensions")))
}

/// A dimension that need not be there: a tensor of rank 0 counts as having one where it is not moved.
fn dim_or_none(call: &Call<Layout>, name: &str, value: i64, rank: usize) -> Result<usize, OpError> {
    wrap_dim(value, rank).ok_or_else(|| call.error(name, format!("{value} is out of range for {rank} dimensions")))
}

fn view(call: &Call<Layout>) -> Result<Vec<Layout>, OpError> {
    let input = call.tensor("input")?;
    let size = resolve_size(call, "size", &call.ints("size")?, input.numel())?;
    view_strides(input, &size)
        .map(|strides| vec![Layout { shape: size.clone(), strides, offset: input.offset }])
        .ok_or_else(|| {
            call.error(
                "size",
                format!(
                    "{size:?} cannot be viewed on shape {:?} with strides {:?}; clone it first",
                    input.shape, input.strides
                ),
            )
        })
}

/// A shape given by its sizes, of which one may be −1, for `numel` elements.
pub(crate) fn resolve_size<T>(call: &Call<T>, name: &str, size: &[i64], numel: usize) -> Result<Vec<usize>, OpError> {
    let known = size
        .iter()
        .filter(|&&s| s != -1)
        .try_fold(1usize, |product, &s| product.checked_mul(usize::try_from(s).ok()?))
        .ok_or_else(|| call.error(name, format!("{size:?} holds a negative size or overflows")))?;
    let unknown = size.iter().filter(|&&s| s == -1).count();
    let rest = match unknown {
        0 if known == numel => 0,
        1 if known > 0 && numel.is_multiple_of(known) => numel / known,
        _ => return Err(call.error(name, format!("{size:?} does not hold {numel} elements"))),
    };
    // Sizes other than −1 passed the conversion above.
    Ok(size.iter().map(|&s| usize::try_from(s).unwrap_or(rest)).collect())
}

/// Strides of a view of `size`, where one exists: runs of dimensions that lie contiguous are split or merged
/// (ATen's `computeStride`).
pub(crate) fn view_strides(input: &Layout, size: &[usize]) -> Option<Vec<usize>> {
    if input.numel() == 0 {
        return Some(Layout::contiguous(size).strides);
    }
    let mut strides = vec![0; size.len()];
    let mut at = size.len();
    let mut chunk_stride = input.strides.last().copied().unwrap_or(1);
    let (mut old, mut new) = (1usize, 1usize);
    for dim in (0..input.rank()).rev() {
        old *= input.shape[dim];
        let chunk_ends = dim == 0 || (input.shape[dim - 1] != 1 && input.strides[dim - 1] != old * chunk_stride);
        if !chunk_ends {
            continue;
        }
        while at > 0 && (new < old || size[at - 1] == 1) {
            at -= 1;
            strides[at] = new * chunk_stride;
            new *= size[at];
        }
        if new != old {
            return None;
        }
        if dim > 0 {
            chunk_stride = input.strides[dim - 1];
            (old, new) = (1, 1);
        }
    }
    // A rank-0 input has no dimension to walk over: every size is 1.
    if input.rank() == 0 {
        strides.fill(1);
        at = 0;
    }
    (at == 0).then_some(strides)
}

fn transpose(call: &Call<Layout>) -> Result<Vec<Layout>, OpError> {
    let mut layout = call.tensor("input")?.clone();
    let a = dim_or_none(call, "dim0", call.required_int("dim0")?, layout.rank())?;
    let b = dim_or_none(call, "dim1", call.required_int("dim1")?, layout.rank())?;
    // The one dimension of a tensor of rank 0 is not there to be moved.
    if layout.rank() > 0 {
        layout.shape.swap(a, b);
        layout.strides.swap(a, b);
    }
    Ok(vec![layout])
}

fn permute(call: &Call<Layout>) -> Result<Vec<Layout>, OpError> {
    let input = call.tensor("input")?;
    let dims = call.ints("dims")?;
    let wrapped = dims.iter().map(|&d| dim(call, "dims", d, input.rank())).collect::<Result<Vec<_>, _>>()?;
    let mut seen = wrapped.clone();
    seen.sort_unstable();
    if !seen.iter().copied().eq(0..input.rank()) {
        return Err(call.error("dims", format!("{dims:?} must name each of {} dimensions once", input.rank())));
    }
    Ok(vec![Layout {
        shape: wrapped.iter().map(|&d| input.shape[d]).collect(),
        strides: wrapped.iter().map(|&d| input.strides[d]).collect(),
        offset: input.offset,
    }])
}

fn unsqueeze(call: &Call<Layout>) -> Result<Vec<Layout>, OpError> {
    let mut layout = call.tensor("input")?.clone();
    let at = dim(call, "dim", call.required_int("dim")?, layout.rank() + 1)?;
    let stride = if at < layout.rank() { layout.shape[at].saturating_mul(layout.strides[at]) } else { 1 };
    layout.shape.insert(at, 1);
    layout.strides.insert(at, stride);
    Ok(vec![layout])
}

fn squeeze(call: &Call<Layout>) -> Result<Vec<Layout>, OpError> {
    let mut layout = call.tensor("input")?.clone();
    let rank = layout.rank();
    let dims = match call.opt_ints("dim")? {
        Some(dims) => dims.iter().map(|&d| dim_or_none(call, "dim", d, rank)).collect::<Result<Vec<_>, _>>()?,
        None => (0..rank).collect(),
    };
    let keep: Vec<bool> = (0..rank).map(|at| layout.shape[at] != 1 || !dims.contains(&at)).collect();
    let mut kept = keep.iter();
    layout.shape.retain(|_| kept.next() == Some(&true));
    let mut kept = keep.iter();
    layout.strides.retain(|_| kept.next() == Some(&true));
    Ok(vec![layout])
}

fn expand(call: &Call<Layout>) -> Result<Vec<Layout>, OpError> {
    expand_to(call, "size", &call.ints("size")?)
}

/// `input` expanded to `size`, which argument `name` gave.
fn expand_to(call: &Call<Layout>, name: &str, size: &[i64]) -> Result<Vec<Layout>, OpError> {
    let input = call.tensor("input")?;
    let added = size
        .len()
        .checked_sub(input.rank())
        .ok_or_else(|| call.error(name, format!("{size:?} has fewer dimensions than shape {:?}", input.shape)))?;
    let mut layout = Layout { shape: Vec::new(), strides: Vec::new(), offset: input.offset };
    for (at, &target) in size.iter().enumerate() {
        let old = at.checked_sub(added).map(|d| (input.shape[d], input.strides[d]));
        let (target, stride) = match (old, usize::try_from(target)) {
            (Some((size, stride)), Err(_)) if target == -1 => (size, stride),
            (Some((size, stride)), Ok(target)) if size == target => (target, stride),
            (Some((1, _)) | None, Ok(target)) => (target, 0),
            _ => return Err(call.error(name, format!("{size:?} does not expand shape {:?}", input.shape))),
        };
        layout.shape.push(target);
        layout.strides.push(stride);
    }
    Ok(vec![layout])
}

fn slice(call: &Call<Layout>) -> Result<Vec<Layout>, OpError> {
    let mut layout = call.tensor("input")?.clone();
    let at = dim(call, "dim", call.int("dim", 0)?, layout.rank())?;
    let size = layout.shape[at];
    let step = call.int("step", 1)?;
    let step = usize::try_from(step)
        .ok()
        .filter(|&step| step > 0)
        .ok_or_else(|| call.error("step", format!("must be positive, not {step}")))?;
    let start = clamp_index(call.int("start", 0)?, size);
    let end = clamp_index(call.int("end", i64::MAX)?, size).max(start);
    layout.offset += start * layout.strides[at];
    layout.shape[at] = (end - start).div_ceil(step);
    layout.strides[at] = layout.strides[at].saturating_mul(step);
    Ok(vec![layout])
}

/// Python's slice bound: negative counts from the end, then clamped to `0..=size`.
pub(crate) fn clamp_index(index: i64, size: usize) -> usize {
    let size_signed = i64::try_from(size).unwrap_or(i64::MAX);
    let index = if index < 0 { index.saturating_add(size_signed) } else { index };
    usize::try_from(index.max(0)).unwrap_or(usize::MAX).min(size)
}

fn select(call: &Call<Layout>) -> Result<Vec<Layout>, OpError> {
    let mut layout = call.tensor("input")?.clone();
    let at = dim(call, "dim", call.required_int("dim")?, layout.rank())?;
    let size = layout.shape[at];
    let index = call.required_int("index")?;
    let wrapped = wrap_dim(index, size)
        .filter(|&i| i < size)
        .ok_or_else(|| call.error("index", format!("{index} is out of range for size {size}")))?;
    layout.offset += wrapped * layout.strides[at];
    layout.shape.remove(at);
    layout.strides.remove(at);
    Ok(vec![layout])
}

fn split_with_sizes(call: &Call<Layout>) -> Result<Vec<Layout>, OpError> {
    sized_parts(call, "split_sizes", &call.ints("split_sizes")?)
}

/// Parts of the given sizes, which argument `name` gave.
fn sized_parts(call: &Call<Layout>, name: &str, sizes: &[i64]) -> Result<Vec<Layout>, OpError> {
    let input = call.tensor("input")?;
    let at = dim(call, "dim", call.int("dim", 0)?, input.rank())?;
    let mut start = 0usize;
    let mut parts = Vec::with_capacity(sizes.len());
    for size in sizes {
        let part = usize::try_from(*size)
            .ok()
            .filter(|part| start.checked_add(*part).is_some_and(|end| end <= input.shape[at]));
        let Some(part) = part else {
            return Err(call.error(name, format!("{sizes:?} must sum to {}", input.shape[at])));
        };
        let mut layout = input.clone();
        layout.offset += start * layout.strides[at];
        layout.shape[at] = part;
        start += part;
        parts.push(layout);
    }
    if start != input.shape[at] {
        return Err(call.error(name, format!("{sizes:?} must sum to {}", input.shape[at])));
    }
    Ok(parts)
}
