//! Scans and histograms.

use super::accumulation::{deviation, few};
use super::{HALF_ULP, ULP, of_one};
use crate::graph::Call;
use crate::graph::signatures::scan::line_dim;
use crate::oracle::Array;
use crate::oracle::scan::Lines;
use crate::oracle::sort::{position, range};

/// Σ of the first k elements: the order of their summation. Results of one line share their errors, so only lines are independent.
pub fn cumsum(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_lines(call, results, deviation)
}

/// Π of the first k elements: as `prod`, 2⁻²⁴·|o|·√(k / 3).
pub fn cumprod(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_lines(call, results, |count, result, _| result.abs() * HALF_ULP * (count as f64 / 3.0).sqrt())
}

fn of_lines(call: &Call<Array>, results: &[Array], allowed: impl Fn(usize, f64, f64) -> f64) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let input = call.tensor("input").ok()?;
        let lines = Lines::new(&input.shape, line_dim(call, None, input.shape.len()).ok()?);
        let squares: Vec<f64> = input.floats().iter().map(|x| x * x).collect();
        let mut allowances = lines.scan(&squares, 0.0, |energy, square| energy + square);
        let few = few(lines.count);
        for line in 0..lines.count {
            for step in 0..lines.size {
                let at = lines.at(line, step);
                let (allowance, &result) = (allowances.get_mut(at)?, result.get(at)?);
                *allowance = few * allowed(step + 1, result, *allowance);
            }
        }
        Some(allowances)
    })
}

/// An element so close to the edge k of two bins that rounding may move it counts in either: (x − min)·bins is compared with
/// k·(max − min), two differences and two products each off by ½ ULP, together 2 ULP of one of them. Where all four are exact
/// nothing moves.
pub fn histc(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let input = call.tensor("input").ok()?.floats();
        let range @ [min, max] = range(call, &input).ok()?;
        let bins = result.len() as f64;
        let exact = |value: f64| f64::from(value as f32) == value;
        let mut allowances = vec![0.0; result.len()];
        for &x in input.iter() {
            let Some(position) = position(x, range, result.len()) else { continue };
            let edge = position.round();
            let [scaled, at] = [(x - min) * bins, edge * (max - min)];
            let moves = ![x - min, max - min, scaled, at].into_iter().all(exact);
            // The outer edges have one bin.
            if moves && edge > 0.0 && edge < bins && (scaled - at).abs() <= 2.0 * ULP * at {
                for bin in [edge - 1.0, edge] {
                    *allowances.get_mut(bin as usize)? += 1.0;
                }
            }
        }
        Some(allowances)
    })
}
