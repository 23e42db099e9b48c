//! Attention.

use super::accumulation::{deviation, few, product_deviation};
use super::{DIVISION, HALF_ULP, ULP, exp_relative, of_one, ulp};
use crate::graph::Call;
use crate::oracle::Array;
use crate::oracle::attention::Attention;

/// softmax(scores) · value.
///
/// A score s is off by the order of its sum over the head's elements (times the scale) and 2 roundings, for the scale and the mask;
/// the exponential of d = s − max adds (3 + 2·|d|) ULP, and the subtraction ½ ulp(d). Together they make the weight p of a key
/// relatively wrong by ε. As the weights are divided by their own sum, the result o = Σ p·v moves by Σ p·ε·(v − o), at most
/// Σ p·ε·|v − o|. To that come 2.5 ULP of each p·v for the division, and the orders of the two sums, that of p·v and, relative to
/// o, that of p.
pub fn attention(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let problem = Attention::new(call).ok()?;
        let width = problem.value_width.max(1);
        let few = few(result.len() / width);
        let rows = result.chunks_exact(width).enumerate();
        Some(rows.flat_map(|(row, output)| of_row(&problem, row, output, few)).collect())
    })
}

fn of_row(problem: &Attention, row: usize, output: &[f64], few: f64) -> Vec<f64> {
    let scores = problem.scores(row);
    let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if max == f64::NEG_INFINITY {
        return vec![0.0; output.len()];
    }
    let sum: f64 = scores.iter().map(|score| (score - max).exp()).sum();
    let weights: Vec<f64> = scores.iter().map(|score| (score - max).exp() / sum).collect();
    let mut sums = vec![Sums::default(); output.len()];
    for (key, (&score, &p)) in scores.iter().zip(&weights).enumerate().filter(|(_, (_, p))| **p > 0.0) {
        let (product, energy) = problem.product(row, key);
        let order = few * problem.scale.abs() * product_deviation(problem.width, product, energy);
        let relative = order + ulp(score) + exp_relative(score - max) + 0.5 * ulp(score - max);
        for ((sums, &v), &o) in sums.iter_mut().zip(problem.value_row(row, key)).zip(output) {
            sums.weights += p * relative * (v - o).abs();
            sums.absolute += p * v.abs();
            sums.energy += (p * v).powi(2);
        }
    }
    let keys = weights.len();
    let order_of_weights = few * deviation(keys, 1.0, weights.iter().map(|p| p * p).sum());
    let allowed = |sums: &Sums, o: f64| {
        let order = few * product_deviation(keys, o, sums.energy) + order_of_weights * o.abs();
        sums.weights + sums.absolute * (DIVISION * ULP + HALF_ULP) + order
    };
    sums.iter().zip(output).map(|(sums, &o)| allowed(sums, o)).collect()
}

/// Sums over the keys for one element of the result.
#[derive(Clone, Default)]
struct Sums {
    /// Σ p·ε·|v − o|.
    weights: f64,
    /// Σ p·|v|.
    absolute: f64,
    /// Σ (p·v)².
    energy: f64,
}
