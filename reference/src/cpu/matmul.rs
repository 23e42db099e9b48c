//! Matrix products.

use super::array::broadcast_positions;
use super::gemm::{Matrix, product};
use super::{Array, unsupported};
use rayon::prelude::*;
use taproot_engine::graph::signatures::matmul::matmul_operands;
use taproot_engine::graph::{Call, OpError};
use taproot_engine::operators;

/// `linear(input, weight, bias)`: input · weightᵀ + bias.
pub(super) fn linear(call: &Call<Array>) -> Result<Array, OpError> {
    let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
    floats_only(call, input)?;
    // The signature asks for a weight of two dimensions and an input of at least one.
    let (out, width) = (weight.shape[0], weight.shape[1]);
    let rows = input.shape[..input.shape.len() - 1].iter().product();
    let (x, w) = (input.floats(), weight.floats());
    let mut values = product(Matrix::new(&x, rows, width), Matrix::new(&w, out, width).transposed());
    if let Some(bias) = call.opt_tensor("bias")? {
        let bias = bias.floats();
        for row in values.chunks_exact_mut(out.max(1)) {
            row.iter_mut().zip(bias.iter()).for_each(|(value, b)| *value += b);
        }
    }
    let mut shape = input.shape.clone();
    if let Some(last) = shape.last_mut() {
        *last = out;
    }
    Ok(Array::float(&shape, values))
}

/// Products of integers are exact in PyTorch, which f32 would not be.
fn floats_only(call: &Call<Array>, input: &Array) -> Result<(), OpError> {
    if input.is_int() { Err(unsupported(call, "a product of integers".to_owned())) } else { Ok(()) }
}

/// `matmul(input, other)`, batches broadcast.
pub(super) fn matmul(call: &Call<Array>) -> Result<Array, OpError> {
    let (input, other) = (call.tensor("input")?, call.tensor("other")?);
    floats_only(call, input)?;
    let metas = operators::infer(&call.map_tensors(Array::meta))?;
    let shape = metas.first().map(|meta| meta.shape.clone()).unwrap_or_default();
    // Both have at least two dimensions now.
    let [a, b] = matmul_operands(&input.shape, &other.shape);
    let (m, k, n) = (a[a.len() - 2], a[a.len() - 1], b[b.len() - 1]);
    let (a_batch, b_batch) = (&a[..a.len() - 2], &b[..b.len() - 2]);
    let missing = usize::from(input.shape.len() == 1) + usize::from(other.shape.len() == 1);
    let batch = &shape[..(shape.len() + missing).saturating_sub(2)];
    let pairs: Vec<(usize, usize)> =
        broadcast_positions(a_batch, batch).into_iter().zip(broadcast_positions(b_batch, batch)).collect();
    let (x, y) = (input.floats(), other.floats());
    let products: Vec<Vec<f32>> = pairs
        .par_iter()
        .map(|&(at, of)| {
            let left = Matrix::new(&x[at * m * k..(at + 1) * m * k], m, k);
            product(left, Matrix::new(&y[of * k * n..(of + 1) * k * n], k, n))
        })
        .collect();
    Ok(Array::float(&shape, products.concat()))
}
