//! Padding, parts written into a tensor, and differences of neighbours.

use super::creation::{Number, number};
use super::{Family, Signature, broadcast, promote, require, sized};
use crate::graph::{Call, Meta, OpError, wrap_dim};

macro_rules! signatures {
    ($($(#[$doc:meta])* $constant:ident $name:literal $params:expr, $infer:expr;)*) => { $(
        $(#[$doc])*
        pub static $constant: Signature =
            Signature { name: $name, family: Family::Movement, params: $params, infer: $infer };
    )* };
}

signatures! {
    /// `torch.nn.functional.pad(input, pad, mode="constant", value=None)`.
    PAD "pad" &["input", "pad", "mode", "value"], pad;
    /// `aten.constant_pad_nd(input, pad, value=0)`.
    CONSTANT_PAD_ND "constant_pad_nd" &["input", "pad", "value"], pad;
    /// `torch.diff(input, n=1, dim=-1, prepend=None, append=None)`.
    DIFF "diff" &["input", "n", "dim", "prepend", "append"], diff;
    /// `torch.slice_scatter(input, src, dim=0, start=None, end=None, step=1)`.
    SLICE_SCATTER "slice_scatter" &["input", "src", "dim", "start", "end", "step"], slice_scatter;
    /// `torch.select_scatter(input, src, dim, index)`.
    SELECT_SCATTER "select_scatter" &["input", "src", "dim", "index"], select_scatter;
}

type Metas = Result<Vec<Meta>, OpError>;

/// What stands beyond the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PadMode {
    Constant,
    Reflect,
    Replicate,
    Circular,
}

/// Elements added before and after each dimension (taken away where negative), and how.
///
/// # Errors
/// When the list does not fit the shape, or a dimension is padded by more than the mode can take from it.
pub(crate) fn padding<T>(call: &Call<T>, shape: &[usize]) -> Result<(PadMode, Vec<[i64; 2]>), OpError> {
    let mode = match call.str("mode", "constant")? {
        "constant" => PadMode::Constant,
        "reflect" => PadMode::Reflect,
        "replicate" => PadMode::Replicate,
        "circular" => PadMode::Circular,
        other => {
            let rule = format!("must be 'constant', 'reflect', 'replicate' or 'circular', not '{other}'");
            return Err(call.error("mode", rule));
        }
    };
    let pad = call.ints("pad")?;
    let (pairs, rest) = pad.as_chunks::<2>();
    if !rest.is_empty() || pairs.len() > shape.len() {
        return Err(call.error("pad", format!("{pad:?} must be pairs, at most one for each dimension of {shape:?}")));
    }
    if mode != PadMode::Constant {
        let padded = pairs.len();
        if !(1..=3).contains(&padded) || ![padded + 1, padded + 2].contains(&shape.len()) {
            let rule = format!(
                "of {padded} dimensions does not fit shape {shape:?} in this mode, which takes the last 1 to 3 of one or two more"
            );
            return Err(call.error("pad", rule));
        }
        if pad_value(call)? != 0.0 {
            return Err(call.error("value", "is for mode 'constant' only"));
        }
    }
    let mut by_dim = vec![[0; 2]; shape.len()];
    // The first pair is for the last dimension.
    for ((by_dim, &size), &[before, after]) in by_dim.iter_mut().rev().zip(shape.iter().rev()).zip(pairs) {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        let cut = size.checked_add(before.min(0)).and_then(|cut| cut.checked_add(after.min(0))).unwrap_or(-1);
        let most = match mode {
            PadMode::Constant => i64::MAX,
            PadMode::Reflect => size - 1,
            PadMode::Replicate => {
                if cut > 0 {
                    i64::MAX
                } else {
                    0
                }
            }
            PadMode::Circular => cut,
        };
        if cut < 0 || before > most || after > most || (mode != PadMode::Constant && cut == 0) {
            return Err(call.error("pad", format!("{pad:?} is more than dimension sizes {shape:?} allow in this mode")));
        }
        *by_dim = [before, after];
    }
    Ok((mode, by_dim))
}

/// What stands beyond the edges in mode 'constant': a number or a truth value, 0 where none is given.
///
/// # Errors
/// When something else is given.
pub(crate) fn pad_value<T>(call: &Call<T>) -> Result<f64, OpError> {
    Ok(number(call, "value")?.map_or(0.0, Number::float))
}

fn pad(call: &Call<Meta>) -> Metas {
    let input = call.tensor("input")?;
    pad_value(call)?;
    let (_, by_dim) = padding(call, &input.shape)?;
    let grown = input.shape.iter().zip(&by_dim).map(|(&size, [before, after])| {
        let size = i64::try_from(size).ok()?.checked_add(*before)?.checked_add(*after)?;
        usize::try_from(size).ok()
    });
    let shape = grown.collect::<Option<Vec<_>>>();
    let shape =
        shape.ok_or_else(|| call.error("pad", format!("gives a size that is too large for {:?}", input.shape)))?;
    Ok(vec![sized(call, "pad", input.dtype, &shape)?])
}

/// How often `diff` takes differences, and along which dimension.
///
/// # Errors
/// When `n` is negative or the dimension out of range.
pub(crate) fn differences<T>(call: &Call<T>, rank: usize) -> Result<(usize, usize), OpError> {
    let value = call.int("dim", -1)?;
    let dim = wrap_dim(value, rank).filter(|&dim| dim < rank);
    let dim = dim.ok_or_else(|| call.error("dim", format!("{value} is out of range for {rank} dimensions")))?;
    let n = call.int("n", 1)?;
    let n = usize::try_from(n).map_err(|_| call.error("n", format!("must not be negative, but is {n}")))?;
    Ok((n, dim))
}

fn diff(call: &Call<Meta>) -> Metas {
    let input = call.tensor("input")?;
    let (n, dim) = differences(call, input.rank())?;
    let mut result = input.clone();
    for name in ["prepend", "append"] {
        let Some(part) = call.opt_tensor(name)? else { continue };
        let fits = part.rank() == input.rank()
            && part.shape.iter().zip(&input.shape).enumerate().all(|(at, (a, b))| at == dim || a == b);
        require(fits, call, name, || {
            format!("of shape {:?} must agree with input's {:?} outside dimension {dim}", part.shape, input.shape)
        })?;
        result.dtype = promote(result.dtype, part.dtype);
        result.shape[dim] = result.shape[dim].saturating_add(part.shape[dim]);
    }
    if n == 0 {
        // Without a difference to take, PyTorch does not look at what is put before and after.
        return Ok(vec![input.clone()]);
    }
    result.shape[dim] = result.shape[dim].saturating_sub(n);
    Ok(vec![sized(call, "input", result.dtype, &result.shape)?])
}

/// A run along one dimension: elements `start`, `start + step`, … of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) dim: usize,
    pub(crate) start: usize,
    pub(crate) step: usize,
    pub(crate) count: usize,
}

/// The part of `shape` that `slice_scatter` or `select_scatter` writes.
///
/// # Errors
/// When an argument is out of range.
pub(crate) fn written<T>(call: &Call<T>, shape: &[usize]) -> Result<Run, OpError> {
    let value = call.int("dim", 0)?;
    let dim = wrap_dim(value, shape.len()).filter(|&dim| dim < shape.len());
    let dim = dim.ok_or_else(|| call.error("dim", format!("{value} is out of range for shape {shape:?}")))?;
    let size = shape[dim];
    if call.op() == "select_scatter" {
        let index = call.required_int("index")?;
        let start = wrap_dim(index, size).filter(|&start| start < size);
        let start = start.ok_or_else(|| call.error("index", format!("{index} is out of range for size {size}")))?;
        return Ok(Run { dim, start, step: 1, count: 1 });
    }
    let step = call.int("step", 1)?;
    let step = usize::try_from(step).ok().filter(|&step| step > 0);
    let step = step.ok_or_else(|| call.error("step", "must be positive"))?;
    let start = crate::graph::views::clamp_index(call.int("start", 0)?, size);
    let end = crate::graph::views::clamp_index(call.int("end", i64::MAX)?, size).max(start);
    Ok(Run { dim, start, step, count: (end - start).div_ceil(step) })
}

fn slice_scatter(call: &Call<Meta>) -> Metas {
    let (input, src) = (call.tensor("input")?, call.tensor("src")?);
    let run = written(call, &input.shape)?;
    let mut part = input.shape.clone();
    part[run.dim] = run.count;
    require(broadcast(&src.shape, &part).as_ref() == Some(&part), call, "src", || {
        format!("of shape {:?} does not fit the slice of shape {part:?}", src.shape)
    })?;
    same_dtype(call, input, src)
}

fn select_scatter(call: &Call<Meta>) -> Metas {
    let (input, src) = (call.tensor("input")?, call.tensor("src")?);
    let run = written(call, &input.shape)?;
    let mut part = input.shape.clone();
    part.remove(run.dim);
    require(src.shape == part, call, "src", || {
        format!("of shape {:?} must have the shape of what is selected, {part:?}", src.shape)
    })?;
    same_dtype(call, input, src)
}

fn same_dtype(call: &Call<Meta>, input: &Meta, src: &Meta) -> Metas {
    if input.dtype != src.dtype {
        let what = format!("a {} src for a {} input", src.dtype, input.dtype);
        return Err(OpError::Unsupported { op: call.op().to_owned(), what, by: "Taproot" });
    }
    Ok(vec![input.clone()])
}
