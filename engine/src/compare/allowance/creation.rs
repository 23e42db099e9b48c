//! Tensors made from numbers alone.

use super::{HALF_ULP, of_one};
use crate::graph::Call;
use crate::graph::signatures::creation::range;
use crate::oracle::Array;

/// start + i · step in f32: start, step and their product are each off by ½ ULP.
pub fn arange(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let (start, step, _) = range(call).ok()?;
        let (start, step) = (start.float().abs(), step.float().abs());
        Some((0..result.len()).map(|i| HALF_ULP * (start + 2.0 * i as f64 * step)).collect())
    })
}
