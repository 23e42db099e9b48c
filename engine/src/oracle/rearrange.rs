//! Other shapes, repetitions and orders of one tensor's elements.

use super::elementwise::array;
use super::{Array, Data, result};
use crate::graph::signatures::rearrange::{self as signatures, flipped, repetitions, rolled};
use crate::graph::{Call, Meta, OpError, Signature, wrap_dim};
use crate::tensor::Layout;

type Arrays = Result<Vec<Array>, OpError>;

/// The elements in the same order, in another shape.
pub fn reshape(call: &Call<Array>) -> Arrays {
    reshaped(call, &signatures::RESHAPE)
}

/// The elements in the same order, with neighbouring dimensions merged.
pub fn flatten(call: &Call<Array>) -> Arrays {
    reshaped(call, &signatures::FLATTEN)
}

/// The tensor as it is.
pub fn contiguous(call: &Call<Array>) -> Arrays {
    reshaped(call, &signatures::CONTIGUOUS)
}

fn reshaped(call: &Call<Array>, signature: &Signature) -> Arrays {
    let meta = result(call, signature)?;
    Ok(vec![array(meta, call.tensor("input")?.data.clone())])
}

/// The whole tensor again and again.
pub fn repeat(call: &Call<Array>) -> Arrays {
    repeated(call, &signatures::REPEAT)
}

/// The whole tensor again and again.
pub fn tile(call: &Call<Array>) -> Arrays {
    repeated(call, &signatures::TILE)
}

fn repeated(call: &Call<Array>, signature: &Signature) -> Arrays {
    let meta = result(call, signature)?;
    let input = call.tensor("input")?;
    let added = repetitions(call, input.shape.len())?.len() - input.shape.len();
    let sizes = input.shape.clone();
    Ok(vec![pick(input, meta, |at| (added..at.len()).map(|dim| at[dim] % sizes[dim - added]).collect())])
}

/// Each element along `dim` again and again; of the flattened tensor where `dim` is None.
pub fn repeat_interleave(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::REPEAT_INTERLEAVE)?;
    let repeats = usize::try_from(call.required_int("repeats")?).unwrap_or(0);
    let mut input = call.tensor("input")?.clone();
    let dim = match call.opt_int("dim")? {
        Some(dim) => wrap_dim(dim, input.shape.len()).unwrap_or(0),
        None => 0,
    };
    if call.opt_int("dim")?.is_none() || input.shape.is_empty() {
        input.shape = vec![input.numel()];
    }
    Ok(vec![pick(&input, meta, |at| {
        let mut source = at.to_vec();
        source[dim] /= repeats;
        source
    })])
}

/// The order of `dims` reversed.
pub fn flip(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::FLIP)?;
    let input = call.tensor("input")?;
    let dims = flipped(call, input.shape.len())?;
    let sizes = input.shape.clone();
    Ok(vec![pick(input, meta, |at| {
        let mut source = at.to_vec();
        dims.iter().for_each(|&dim| source[dim] = sizes[dim] - 1 - at[dim]);
        source
    })])
}

/// Element i moves to i + shift, and what leaves at one end comes back at the other.
pub fn roll(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::ROLL)?;
    let mut input = call.tensor("input")?.clone();
    let shifts = rolled(call, &input.shape)?;
    let mut seen = meta.clone();
    if call.opt_ints("dims")?.unwrap_or_default().is_empty() {
        (input.shape, seen.shape) = (vec![input.numel()], vec![input.numel()]);
    }
    let sizes = input.shape.clone();
    let rolled = pick(&input, seen, |at| {
        at.iter().zip(&sizes).zip(&shifts).map(|((&at, &size), &shift)| (at + size - shift) % size).collect()
    });
    Ok(vec![array(meta, rolled.data)])
}

/// The array of `meta`'s shape whose element at each index is the input's at the index that `source` gives for it, which must be one
/// of the input's.
pub(super) fn pick(input: &Array, meta: Meta, mut source: impl FnMut(&[usize]) -> Vec<usize>) -> Array {
    let strides = Layout::contiguous(&input.shape).strides;
    let positions: Vec<usize> =
        indices(&meta.shape).map(|at| source(&at).iter().zip(&strides).map(|(at, stride)| at * stride).sum()).collect();
    let data = if input.is_int() {
        let values = input.ints();
        Data::Int(positions.into_iter().map(|position| values[position]).collect())
    } else {
        let values = input.floats();
        Data::Float(positions.into_iter().map(|position| values[position]).collect())
    };
    array(meta, data)
}

/// Every index of a shape, in row-major order.
pub(super) fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let count: usize = shape.iter().product();
    (0..count).map(move |linear| {
        let mut rest = linear;
        let mut index = vec![0; shape.len()];
        for (at, &size) in index.iter_mut().zip(shape).rev() {
            (*at, rest) = (rest % size, rest / size);
        }
        index
    })
}
