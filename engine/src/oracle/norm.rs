//! Softmax and norms.

use super::elementwise::array;
use super::{Array, Data, result};
use crate::graph::signatures::norm::{self as signatures, normalized_shape};
use crate::graph::{Call, OpError, wrap_dim};
use crate::tensor::DType;

type Arrays = Result<Vec<Array>, OpError>;

/// e^(x − max) / Σ e^(x − max) along `dim`.
pub fn softmax(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::SOFTMAX)?;
    let input = call.tensor("input")?.floats();
    let dim = wrap_dim(call.required_int("dim")?, meta.rank()).unwrap_or(0);
    let size = meta.shape.get(dim).copied().unwrap_or(1);
    let inner: usize = meta.shape.iter().skip(dim + 1).product();
    let mut values = vec![0.0; input.len()];
    for block in 0..input.len() / (size * inner).max(1) {
        for lane in 0..inner {
            let at = |step: usize| block * size * inner + step * inner + lane;
            let column: Vec<f64> = (0..size).map(|step| input[at(step)]).collect();
            for (step, probability) in probabilities(&column).into_iter().enumerate() {
                values[at(step)] = probability;
            }
        }
    }
    Ok(vec![array(meta, Data::Float(values))])
}

/// Softmax of one row; NaN throughout where every element is −∞, as in PyTorch.
pub(super) fn probabilities(scores: &[f64]) -> Vec<f64> {
    let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exponentials: Vec<f64> = scores.iter().map(|&score| (score - max).exp()).collect();
    let sum: f64 = exponentials.iter().sum();
    exponentials.into_iter().map(|e| e / sum).collect()
}

/// (x − mean) / √(variance + eps) · weight + bias over the last dimensions, with the variance divided by n.
pub fn layer_norm(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::LAYER_NORM)?;
    let eps = call.float("eps", 1e-5)?;
    normalize(call, meta, |row| {
        let mean = row.iter().sum::<f64>() / row.len() as f64;
        let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / row.len() as f64;
        row.iter().map(|x| (x - mean) / (variance + eps).sqrt()).collect()
    })
}

/// x / √(mean x² + eps) · weight over the last dimensions.
pub fn rms_norm(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::RMS_NORM)?;
    let eps = rms_norm_eps(call)?;
    normalize(call, meta, |row| {
        let square = row.iter().map(|x| x * x).sum::<f64>() / row.len() as f64;
        row.iter().map(|x| x / (square + eps).sqrt()).collect()
    })
}

/// The argument `eps`; left out it is the epsilon of the type that PyTorch computes in, which is f32 for f16 and bf16
/// (`rms_norm_composite` in ATen's `layer_norm.cpp`).
pub(crate) fn rms_norm_eps(call: &Call<Array>) -> Result<f64, OpError> {
    let default = match call.tensor("input")?.dtype {
        DType::F64 => f64::EPSILON,
        _ => f64::from(f32::EPSILON),
    };
    call.float("eps", default)
}

fn normalize(call: &Call<Array>, meta: crate::graph::Meta, row: impl Fn(&[f64]) -> Vec<f64>) -> Arrays {
    let width: usize = normalized_shape(call)?.iter().product();
    let weight = call.opt_tensor("weight")?.map(Array::to_f64);
    let bias = call.opt_tensor("bias")?.map(Array::to_f64);
    let input = call.tensor("input")?.floats();
    let mut values = Vec::with_capacity(input.len());
    for elements in input.chunks_exact(width.max(1)) {
        for (at, x) in row(elements).into_iter().enumerate() {
            // In range: the signature has checked that weight and bias have normalized_shape.
            let scaled = weight.as_ref().map_or(x, |weight| x * weight[at]);
            values.push(bias.as_ref().map_or(scaled, |bias| scaled + bias[at]));
        }
    }
    Ok(vec![array(meta, Data::Float(values))])
}
