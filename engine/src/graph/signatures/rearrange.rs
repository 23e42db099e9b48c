//! Other shapes, repetitions and orders of one tensor's elements.

use super::{Family, Signature, require, sized};
use crate::graph::views::resolve_size;
use crate::graph::{Arg, Call, Meta, OpError, wrap_dim};

macro_rules! signatures {
    ($($(#[$doc:meta])* $constant:ident $name:literal $params:expr, $infer:expr;)*) => { $(
        $(#[$doc])*
        pub static $constant: Signature =
            Signature { name: $name, family: Family::Movement, params: $params, infer: $infer };
    )* };
}

signatures! {
    /// `torch.reshape(input, shape)`; one size may be −1.
    RESHAPE "reshape" &["input", "shape"], reshape;
    /// `torch.flatten(input, start_dim=0, end_dim=-1)`.
    FLATTEN "flatten" &["input", "start_dim", "end_dim"], flatten;
    /// `Tensor.contiguous(memory_format=torch.contiguous_format)`.
    CONTIGUOUS "contiguous" &["input", "memory_format"], same;
    /// `Tensor.repeat(repeats)`: the whole tensor again and again along each dimension.
    REPEAT "repeat" &["input", "repeats"], repeat;
    /// `torch.tile(input, dims)`: as `repeat`, but missing repetitions count as 1.
    TILE "tile" &["input", "dims"], tile;
    /// `torch.repeat_interleave(input, repeats, dim=None, output_size=None)`: each element again and again.
    REPEAT_INTERLEAVE "repeat_interleave" &["input", "repeats", "dim", "output_size"], repeat_interleave;
    /// `torch.flip(input, dims)`.
    FLIP "flip" &["input", "dims"], flip;
    /// `torch.roll(input, shifts, dims=None)`.
    ROLL "roll" &["input", "shifts", "dims"], roll;
}

type Metas = Result<Vec<Meta>, OpError>;

fn same(call: &Call<Meta>) -> Metas {
    Ok(vec![call.tensor("input")?.clone()])
}

fn reshape(call: &Call<Meta>) -> Metas {
    let input = call.tensor("input")?;
    let numel = input.shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
    let numel = numel.ok_or_else(|| call.error("input", format!("of shape {:?} is too large", input.shape)))?;
    let shape = resolve_size(call, "shape", &call.ints("shape")?, numel)?;
    Ok(vec![sized(call, "shape", input.dtype, &shape)?])
}

fn flatten(call: &Call<Meta>) -> Metas {
    let input = call.tensor("input")?;
    let start = dim(call, "start_dim", call.int("start_dim", 0)?, input.rank())?;
    let end = dim(call, "end_dim", call.int("end_dim", -1)?, input.rank())?;
    require(start <= end, call, "start_dim", || format!("{start} must not lie after end_dim {end}"))?;
    if input.rank() == 0 {
        return Ok(vec![Meta::new(input.dtype, &[1])]);
    }
    let mut shape = input.shape.clone();
    // A shape without elements may hold sizes whose product overflows, but then the rest is what makes it small.
    let merged = shape[start..=end].iter().try_fold(1usize, |product, &size| product.checked_mul(size));
    let merged = merged.ok_or_else(|| call.error("input", format!("of shape {shape:?} is too large")))?;
    shape.splice(start..=end, [merged]);
    Ok(vec![Meta::new(input.dtype, &shape)])
}

/// How often `repeat` and `tile` repeat each dimension of the result.
///
/// # Errors
/// When the argument is no list of integers, or one is negative.
pub(crate) fn repetitions<T>(call: &Call<T>, rank: usize) -> Result<Vec<usize>, OpError> {
    let name = if call.op() == "tile" { "dims" } else { "repeats" };
    let given = call.ints(name)?;
    let mut repeats = given
        .iter()
        .map(|&count| {
            usize::try_from(count).map_err(|_| call.error(name, format!("{given:?} holds a negative number")))
        })
        .collect::<Result<Vec<_>, _>>()?;
    if call.op() == "tile" {
        let missing = rank.saturating_sub(repeats.len());
        repeats.splice(0..0, std::iter::repeat_n(1, missing));
    }
    if repeats.len() < rank {
        return Err(call.error(name, format!("{given:?} must name at least {rank} dimensions")));
    }
    Ok(repeats)
}

fn repeat(call: &Call<Meta>) -> Metas {
    repeated(call, "repeats")
}

fn tile(call: &Call<Meta>) -> Metas {
    repeated(call, "dims")
}

fn repeated(call: &Call<Meta>, name: &str) -> Metas {
    let input = call.tensor("input")?;
    let mut shape = repetitions(call, input.rank())?;
    let added = shape.len() - input.rank();
    for (size, &old) in shape.iter_mut().skip(added).zip(&input.shape) {
        *size = size.saturating_mul(old);
    }
    Ok(vec![sized(call, name, input.dtype, &shape)?])
}

fn repeat_interleave(call: &Call<Meta>) -> Metas {
    let input = call.tensor("input")?;
    if !matches!(call.plain("repeats"), Arg::Int(_)) && call.tensor("repeats").is_ok() {
        let what = "repeats as a tensor, on whose values the result's shape depends,".to_owned();
        return Err(OpError::Unsupported { op: call.op().to_owned(), what, by: "Taproot" });
    }
    let repeats = call.required_int("repeats")?;
    let repeats = usize::try_from(repeats)
        .map_err(|_| call.error("repeats", format!("must not be negative, but is {repeats}")))?;
    let (mut shape, at) = match call.opt_int("dim")? {
        Some(value) => {
            let at = dim(call, "dim", value, input.rank())?;
            (if input.rank() == 0 { vec![1] } else { input.shape.clone() }, at)
        }
        None => (vec![input.shape.iter().fold(1usize, |product, &size| product.saturating_mul(size))], 0),
    };
    shape[at] = shape[at].saturating_mul(repeats);
    if let Some(size) = call.opt_int("output_size")? {
        require(usize::try_from(size) == Ok(shape[at]), call, "output_size", || {
            format!("is {size}, but the result's size is {}", shape[at])
        })?;
    }
    Ok(vec![sized(call, "repeats", input.dtype, &shape)?])
}

fn flip(call: &Call<Meta>) -> Metas {
    let input = call.tensor("input")?;
    flipped(call, input.rank())?;
    same(call)
}

/// The dimensions that `flip` reverses.
///
/// # Errors
/// When one is out of range or named twice.
pub(crate) fn flipped<T>(call: &Call<T>, rank: usize) -> Result<Vec<usize>, OpError> {
    let mut dims = Vec::new();
    for value in call.ints("dims")? {
        let at = dim(call, "dims", value, rank)?;
        if dims.contains(&at) {
            return Err(call.error("dims", format!("names dimension {at} twice")));
        }
        dims.push(at);
    }
    // A rank-0 tensor's virtual dimension has nothing to reverse.
    dims.retain(|&at| at < rank);
    Ok(dims)
}

fn roll(call: &Call<Meta>) -> Metas {
    let input = call.tensor("input")?;
    rolled(call, &input.shape)?;
    same(call)
}

/// How far `roll` shifts each dimension, less than its size; for a tensor that is rolled as one row, that row's.
///
/// # Errors
/// When shifts and dims differ in number, or a dimension is out of range.
pub(crate) fn rolled<T>(call: &Call<T>, shape: &[usize]) -> Result<Vec<usize>, OpError> {
    let shifts = call.ints("shifts")?;
    let dims = call.opt_ints("dims")?.unwrap_or_default();
    let wrap = |shift: i64, size: usize| {
        let size = i64::try_from(size.max(1)).unwrap_or(i64::MAX);
        usize::try_from(shift.rem_euclid(size)).unwrap_or(0)
    };
    if dims.is_empty() {
        let [shift] = shifts.as_slice() else {
            return Err(call.error("shifts", format!("{shifts:?} must be one number where dims is not given")));
        };
        let numel = shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
        let numel = numel.ok_or_else(|| call.error("input", format!("of shape {shape:?} is too large")))?;
        return Ok(vec![wrap(*shift, numel)]);
    }
    require_pairs(call, &shifts, &dims)?;
    let mut by_dim = vec![0usize; shape.len()];
    for (&shift, &value) in shifts.iter().zip(&dims) {
        let at = dim(call, "dims", value, shape.len())?;
        if let (Some(total), Some(&size)) = (by_dim.get_mut(at), shape.get(at)) {
            // Both are below the size, which is far from overflowing twice.
            *total = (*total + wrap(shift, size)) % size.max(1);
        }
    }
    Ok(by_dim)
}

fn require_pairs<T>(call: &Call<T>, shifts: &[i64], dims: &[i64]) -> Result<(), OpError> {
    if shifts.len() == dims.len() {
        return Ok(());
    }
    Err(call.error("dims", format!("{dims:?} and shifts {shifts:?} must be equally many")))
}

fn dim<T>(call: &Call<T>, name: &str, value: i64, rank: usize) -> Result<usize, OpError> {
    wrap_dim(value, rank).ok_or_else(|| call.error(name, format!("{value} is out of range for {rank} dimensions")))
}
