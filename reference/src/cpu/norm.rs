//! Softmax and norms.

use super::Array;
use taproot_engine::graph::signatures::norm::normalized_shape;
use taproot_engine::graph::{Call, OpError, wrap_dim};

/// `softmax(input, dim)`: exp(x − max) / Σ exp(x − max).
pub(super) fn softmax(call: &Call<Array>) -> Result<Array, OpError> {
    let input = call.tensor("input")?;
    let dim =
        wrap_dim(call.required_int("dim")?, input.shape.len()).ok_or_else(|| call.error("dim", "is out of range"))?;
    let size = input.shape.get(dim).copied().unwrap_or(1);
    let inner: usize = input.shape.iter().skip(dim + 1).product();
    let mut values = input.floats().into_owned();
    for block in values.chunks_exact_mut((size * inner).max(1)) {
        for column in 0..inner {
            let mut row: Vec<f32> = block.iter().skip(column).step_by(inner).copied().collect();
            softmax_row(&mut row);
            block.iter_mut().skip(column).step_by(inner).zip(row).for_each(|(value, result)| *value = result);
        }
    }
    Ok(Array::float(&input.shape, values))
}

/// Softmax of one row in place. A row of −∞ throughout gives NaN, as PyTorch's does.
pub(super) fn softmax_row(row: &mut [f32]) {
    let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for value in &mut *row {
        *value = (*value - max).exp();
        sum += *value;
    }
    row.iter_mut().for_each(|value| *value /= sum);
}

/// `layer_norm(input, normalized_shape, weight, bias, eps)`: mean first, then the variance around it.
pub(super) fn layer_norm(call: &Call<Array>) -> Result<Array, OpError> {
    let eps = call.float("eps", 1e-5)? as f32;
    normalize(call, |row| {
        let count = row.len() as f32;
        let mean = row.iter().sum::<f32>() / count;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / count;
        (mean, 1.0 / (variance + eps).sqrt())
    })
}

/// `rms_norm(input, normalized_shape, weight, eps)`: x / √(mean(x²) + eps).
pub(super) fn rms_norm(call: &Call<Array>) -> Result<Array, OpError> {
    let eps = call.opt_float("eps")?.map_or(f32::EPSILON, |eps| eps as f32);
    normalize(call, |row| {
        let mean_square = row.iter().map(|x| x * x).sum::<f32>() / row.len() as f32;
        (0.0, 1.0 / (mean_square + eps).sqrt())
    })
}

/// Applies (x − shift) · factor · weight + bias to each row; `statistics` gives shift and factor.
fn normalize(call: &Call<Array>, statistics: impl Fn(&[f32]) -> (f32, f32)) -> Result<Array, OpError> {
    let input = call.tensor("input")?;
    let width: usize = normalized_shape(call)?.iter().product();
    let weight = call.opt_tensor("weight")?.map(Array::floats);
    let bias = call.opt_tensor("bias")?.map(Array::floats);
    let mut values = input.floats().into_owned();
    for row in values.chunks_exact_mut(width.max(1)) {
        let (shift, factor) = statistics(row);
        row.iter_mut().for_each(|x| *x = (*x - shift) * factor);
        if let Some(weight) = &weight {
            row.iter_mut().zip(weight.iter()).for_each(|(x, w)| *x *= w);
        }
        if let Some(bias) = &bias {
            row.iter_mut().zip(bias.iter()).for_each(|(x, b)| *x += b);
        }
    }
    Ok(Array::float(&input.shape, values))
}
