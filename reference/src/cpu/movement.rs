//! Operators that copy elements.

use super::{Array, Data, unsupported};
use taproot_engine::graph::{Call, OpError, wrap_dim};

/// `cat(tensors, dim)`.
pub(super) fn cat(call: &Call<Array>) -> Result<Array, OpError> {
    let tensors = call.tensors("tensors")?;
    let first = tensors.first().ok_or_else(|| call.error("tensors", "must not be empty"))?;
    let dim = wrap_dim(call.int("dim", 0)?, first.shape.len()).ok_or_else(|| call.error("dim", "is out of range"))?;
    let mut shape = first.shape.clone();
    shape[dim] = tensors.iter().map(|tensor| tensor.shape[dim]).sum();
    let outer = shape[..dim].iter().product();
    if tensors.iter().all(Array::is_int) {
        let parts: Vec<_> = tensors.iter().map(Array::ints).collect();
        return Ok(Array::int(first.dtype, &shape, interleave(&parts, outer)));
    }
    let parts: Vec<_> = tensors.iter().map(Array::floats).collect();
    Ok(Array::float(&shape, interleave(&parts, outer)))
}

/// Each part holds `outer` runs; the result takes one of each in turn.
fn interleave<T: Copy>(parts: &[impl AsRef<[T]>], outer: usize) -> Vec<T> {
    let mut values = Vec::with_capacity(parts.iter().map(|part| part.as_ref().len()).sum());
    for run in 0..outer {
        for part in parts {
            let part = part.as_ref();
            let length = part.len() / outer;
            values.extend_from_slice(&part[run * length..(run + 1) * length]);
        }
    }
    values
}

/// `embedding(weight, indices)`: row look-ups.
pub(super) fn embedding(call: &Call<Array>) -> Result<Array, OpError> {
    let (weight, indices) = (call.tensor("weight")?, call.tensor("indices")?);
    let Data::Float(table) = &weight.data else {
        return Err(unsupported(call, "a table of integers".to_owned()));
    };
    // The signature asks for two dimensions.
    let (rows, width) = (weight.shape[0], weight.shape[1]);
    let mut values = Vec::with_capacity(indices.ints().len() * width);
    for &index in indices.ints().iter() {
        let row = usize::try_from(index).ok().filter(|&row| row < rows);
        let row = row.ok_or_else(|| call.error("indices", format!("holds {index}, but the table has {rows} rows")))?;
        values.extend_from_slice(&table[row * width..(row + 1) * width]);
    }
    let mut shape = indices.shape.clone();
    shape.push(width);
    Ok(Array::float(&shape, values))
}
