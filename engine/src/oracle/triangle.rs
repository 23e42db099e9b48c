//! A tensor with some of its elements replaced.

use super::broadcast::expand;
use super::elementwise::{Arrays, array, wrap};
use super::{Array, Data, result};
use crate::graph::signatures::triangle as signatures;
use crate::graph::{Call, Operand, Signature};
use crate::tensor::DType;

/// Elements with column − row ≤ diagonal.
pub fn tril(call: &Call<Array>) -> Arrays {
    triangle(call, &signatures::TRIL, |offset, diagonal| offset <= diagonal)
}

/// Elements with column − row ≥ diagonal.
pub fn triu(call: &Call<Array>) -> Arrays {
    triangle(call, &signatures::TRIU, |offset, diagonal| offset >= diagonal)
}

fn triangle(call: &Call<Array>, signature: &Signature, kept: impl Fn(i64, i64) -> bool) -> Arrays {
    let meta = result(call, signature)?;
    let (input, diagonal) = (call.tensor("input")?, call.int("diagonal", 0)?);
    // The signature gives at least two dimensions; an empty one leaves no element to place.
    let columns = meta.shape.last().copied().unwrap_or(1).max(1);
    let rows = meta.shape.iter().rev().nth(1).copied().unwrap_or(1).max(1);
    let keeps = |at: usize| kept((at % columns) as i64 - (at / columns % rows) as i64, diagonal);
    let data = if input.is_int() {
        Data::Int(input.ints().iter().enumerate().map(|(at, &v)| if keeps(at) { v } else { 0 }).collect())
    } else {
        Data::Float(input.floats().iter().enumerate().map(|(at, &v)| if keeps(at) { v } else { 0.0 }).collect())
    };
    Ok(vec![array(meta, data)])
}

/// value where mask is true, input elsewhere.
pub fn masked_fill(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::MASKED_FILL)?;
    let (input, mask) = (call.tensor("input")?, call.tensor("mask")?);
    let mask = expand(&mask.ints(), &mask.shape, &meta.shape);
    let (real, whole) = match call.tensor_or_scalar("value")? {
        Operand::Tensor(value) => {
            (value.floats().first().copied().unwrap_or(0.0), value.ints().first().copied().unwrap_or(0))
        }
        Operand::Int(value) => (value as f64, value),
        Operand::Float(value) => (value, value as i64),
    };
    let data = if meta.dtype.is_float() {
        Data::Float(replace(&mask, expand(&input.floats(), &input.shape, &meta.shape), real))
    } else {
        let value = if meta.dtype == DType::Bool { i64::from(real != 0.0) } else { wrap(meta.dtype, whole) };
        Data::Int(replace(&mask, expand(&input.ints(), &input.shape, &meta.shape), value))
    };
    Ok(vec![array(meta, data)])
}

fn replace<T: Copy>(mask: &[i64], input: Vec<T>, value: T) -> Vec<T> {
    mask.iter().zip(input).map(|(&mask, input)| if mask == 0 { input } else { value }).collect()
}
