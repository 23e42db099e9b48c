//! Attention.

use super::broadcast::expand;
use super::elementwise::array;
use super::matmul::dot;
use super::norm::probabilities;
use super::{Array, Data, result};
use crate::graph::signatures::attention as signatures;
use crate::graph::{Call, OpError};
use crate::tensor::DType;

/// softmax(query · keyᵀ · scale + mask) · value for each head.
///
/// A row whose every key is masked gives zeros, as in PyTorch (`_safe_softmax`).
pub fn scaled_dot_product_attention(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    let meta = result(call, &signatures::SCALED_DOT_PRODUCT_ATTENTION)?;
    let problem = Attention::new(call)?;
    let width = problem.value_width;
    let mut values = vec![0.0; meta.shape.iter().product()];
    for (row, output) in values.chunks_exact_mut(width.max(1)).enumerate() {
        let scores = problem.scores(row);
        if scores.iter().all(|&score| score == f64::NEG_INFINITY) {
            continue;
        }
        for (key, probability) in probabilities(&scores).into_iter().enumerate() {
            for (sum, &v) in output.iter_mut().zip(problem.value_row(row, key)) {
                *sum += probability * v;
            }
        }
    }
    Ok(vec![array(meta, Data::Float(values))])
}

/// The operands of one call, as rows. A row of the result is one query of one head of one batch element.
pub(crate) struct Attention {
    query: Vec<f64>,
    key: Vec<f64>,
    value: Vec<f64>,
    /// Added to each score, `[rows, source]`; 0 throughout where there is no mask.
    mask: Option<Vec<f64>>,
    /// Factor on each score.
    pub(crate) scale: f64,
    causal: bool,
    /// Queries per head.
    target: usize,
    /// Keys per head.
    source: usize,
    /// Elements of a query and of a key.
    pub(crate) width: usize,
    /// Elements of a value.
    pub(crate) value_width: usize,
    /// Query heads per key head.
    group: usize,
}

impl Attention {
    /// Takes a call apart whose signature has been checked.
    pub(crate) fn new(call: &Call<Array>) -> Result<Self, OpError> {
        let (query, key, value) = (call.tensor("query")?, call.tensor("key")?, call.tensor("value")?);
        let rank = query.shape.len();
        let (target, width) = (query.shape[rank - 2], query.shape[rank - 1]);
        let source = key.shape[rank - 2];
        let mut scores = query.shape.clone();
        scores[rank - 1] = source;
        let mask = call.opt_tensor("attn_mask")?.map(|mask| expand(&additive(mask), &mask.shape, &scores));
        Ok(Attention {
            query: query.to_f64(),
            key: key.to_f64(),
            value: value.to_f64(),
            mask,
            scale: call.float("scale", 1.0 / (width as f64).sqrt())?,
            causal: call.bool("is_causal", false)?,
            target,
            source,
            width,
            value_width: value.shape[rank - 1],
            group: query.shape[rank - 3] / key.shape[rank - 3].max(1),
        })
    }

    /// Scores of one row over all keys, scaled and masked; −∞ where a key takes no part.
    pub(crate) fn scores(&self, row: usize) -> Vec<f64> {
        let query = &self.query[row * self.width..(row + 1) * self.width];
        let added = |key: usize| self.mask.as_ref().map_or(0.0, |mask| mask[row * self.source + key]);
        (0..self.source)
            .map(|key| {
                let masked = self.causal && key > row % self.target;
                if masked { f64::NEG_INFINITY } else { dot(query, self.key_row(row, key)) * self.scale + added(key) }
            })
            .collect()
    }

    /// A key of the head that belongs to `row`.
    fn key_row(&self, row: usize, key: usize) -> &[f64] {
        let at = (self.head(row) * self.source + key) * self.width;
        &self.key[at..at + self.width]
    }

    /// Σ q·k and Σ (q·k)² of one row with one key, unscaled and unmasked.
    pub(crate) fn product(&self, row: usize, key: usize) -> (f64, f64) {
        let query = &self.query[row * self.width..(row + 1) * self.width];
        let products = query.iter().zip(self.key_row(row, key)).map(|(q, k)| q * k);
        products.fold((0.0, 0.0), |(sum, energy), product| (sum + product, energy + product * product))
    }

    /// A value of the head that belongs to `row`.
    pub(crate) fn value_row(&self, row: usize, key: usize) -> &[f64] {
        let at = (self.head(row) * self.source + key) * self.value_width;
        &self.value[at..at + self.value_width]
    }

    /// Key heads are repeated `group` times, each beside itself (`repeat_interleave`); batches lie before heads, so one division
    /// serves both.
    fn head(&self, row: usize) -> usize {
        row / self.target / self.group.max(1)
    }
}

/// A mask as numbers to add: bool true is 0 and false −∞.
fn additive(mask: &Array) -> Vec<f64> {
    match mask.dtype {
        DType::Bool => mask.ints().iter().map(|&take| if take != 0 { 0.0 } else { f64::NEG_INFINITY }).collect(),
        _ => mask.to_f64(),
    }
}
