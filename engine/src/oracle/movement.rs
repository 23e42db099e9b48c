//! Copies that move elements.

use super::elementwise::{array, is_int, wrap};
use super::{Array, Data, result};
use crate::graph::signatures::movement as signatures;
use crate::graph::{Call, OpError, wrap_dim};

/// A row-major copy.
pub fn clone(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    result(call, &signatures::CLONE)?;
    Ok(vec![call.tensor("input")?.clone()])
}

/// The tensors one after the other along `dim`.
pub fn cat(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    let meta = result(call, &signatures::CAT)?;
    let tensors = call.tensors("tensors")?.iter().filter(|tensor| !signatures::is_nothing(&tensor.meta()));
    let dim = wrap_dim(call.int("dim", 0)?, meta.rank()).unwrap_or(0);
    let outer: usize = meta.shape[..dim].iter().product();
    let inner: usize = meta.shape[dim + 1..].iter().product();
    let data = if is_int(meta.dtype) {
        let parts: Vec<_> = tensors.map(|tensor| (tensor.ints(), tensor.shape[dim] * inner)).collect();
        Data::Int(interleave(&parts, outer).into_iter().map(|value| wrap(meta.dtype, value)).collect())
    } else {
        let parts: Vec<_> = tensors.map(|tensor| (tensor.floats(), tensor.shape[dim] * inner)).collect();
        Data::Float(interleave(&parts, outer))
    };
    Ok(vec![array(meta, data)])
}

/// The tensors side by side along a new dimension `dim`.
pub fn stack(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    let meta = result(call, &signatures::STACK)?;
    let tensors = call.tensors("tensors")?;
    let dim = wrap_dim(call.int("dim", 0)?, meta.rank()).unwrap_or(0);
    let outer: usize = meta.shape[..dim].iter().product();
    let inner: usize = meta.shape[dim + 1..].iter().product();
    let data = if is_int(meta.dtype) {
        let parts: Vec<_> = tensors.iter().map(|tensor| (tensor.ints(), inner)).collect();
        Data::Int(interleave(&parts, outer).into_iter().map(|value| wrap(meta.dtype, value)).collect())
    } else {
        let parts: Vec<_> = tensors.iter().map(|tensor| (tensor.floats(), inner)).collect();
        Data::Float(interleave(&parts, outer))
    };
    Ok(vec![array(meta, data)])
}

/// `outer` times in turn the next run of each part.
pub(super) fn interleave<T: Copy, P: std::ops::Deref<Target = [T]>>(parts: &[(P, usize)], outer: usize) -> Vec<T> {
    let mut values = Vec::new();
    for block in 0..outer {
        for (part, run) in parts {
            // In range: a part has outer · run elements.
            values.extend_from_slice(&part[block * run..(block + 1) * run]);
        }
    }
    values
}
