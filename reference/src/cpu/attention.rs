//! Attention.

use super::array::broadcast_positions;
use super::gemm::{Matrix, product};
use super::norm::softmax_row;
use super::{Array, Data};
use rayon::prelude::*;
use taproot_engine::graph::{Call, OpError};

/// `scaled_dot_product_attention`: softmax(q·kᵀ·scale + mask)·v for each head, heads in parallel.
pub(super) fn scaled_dot_product_attention(call: &Call<Array>) -> Result<Array, OpError> {
    let (query, key, value) = (call.tensor("query")?, call.tensor("key")?, call.tensor("value")?);
    // The signature asks for at least three dimensions that fit each other.
    let rank = query.shape.len();
    let [heads, queries, width] = [query.shape[rank - 3], query.shape[rank - 2], query.shape[rank - 1]];
    let [kv_heads, keys, value_width] = [key.shape[rank - 3], key.shape[rank - 2], value.shape[rank - 1]];
    let scale = call.opt_float("scale")?.unwrap_or_else(|| (width as f64).powf(-0.5)) as f32;
    let causal = call.bool("is_causal", false)?;
    let scores_shape = [&query.shape[..rank - 1], &[keys]].concat();
    let mask = call.opt_tensor("attn_mask")?.map(|mask| additive(mask, &scores_shape));

    let (q, k, v) = (query.floats(), key.floats(), value.floats());
    let batches: usize = query.shape[..rank - 3].iter().product();
    let per_head: Vec<Vec<f32>> = (0..batches * heads)
        .into_par_iter()
        .map(|at| {
            // With grouped heads, neighbours share a key.
            let kv = at / heads * kv_heads + at % heads * kv_heads / heads;
            let queries_of_head = Matrix::new(&q[at * queries * width..(at + 1) * queries * width], queries, width);
            let keys_of_head = Matrix::new(&k[kv * keys * width..(kv + 1) * keys * width], keys, width);
            let mut scores = product(queries_of_head, keys_of_head.transposed());
            for (row, scores) in scores.chunks_exact_mut(keys.max(1)).enumerate() {
                for (column, score) in scores.iter_mut().enumerate() {
                    *score *= scale;
                    if causal && column > row {
                        *score = f32::NEG_INFINITY;
                    }
                    if let Some(mask) = &mask {
                        *score += mask[(at * queries + row) * keys + column];
                    }
                }
                safe_softmax(scores);
            }
            let values_of_head =
                Matrix::new(&v[kv * keys * value_width..(kv + 1) * keys * value_width], keys, value_width);
            product(Matrix::new(&scores, queries, keys), values_of_head)
        })
        .collect();
    let mut shape = query.shape.clone();
    shape[rank - 1] = value_width;
    Ok(Array::float(&shape, per_head.concat()))
}

/// A row in which every key is masked gives zeros, as PyTorch's `_safe_softmax`.
fn safe_softmax(scores: &mut [f32]) {
    if scores.iter().all(|&score| score == f32::NEG_INFINITY) {
        scores.fill(0.0);
    } else {
        softmax_row(scores);
    }
}

/// The mask as numbers to add to the scores: a bool says which keys take part.
fn additive(mask: &Array, scores: &[usize]) -> Vec<f32> {
    let positions = broadcast_positions(&mask.shape, scores);
    match &mask.data {
        // In range: the signature has checked that the mask broadcasts to the scores.
        Data::Float(values) => positions.into_iter().map(|at| values[at]).collect(),
        Data::Int(values) => {
            positions.into_iter().map(|at| if values[at] != 0 { 0.0 } else { f32::NEG_INFINITY }).collect()
        }
    }
}
