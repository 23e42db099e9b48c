//! Products of groups of matrices.

use super::accumulation::product_deviation;
use super::of_one;
use super::reduction::scaled;
use crate::graph::Call;
use crate::graph::signatures::grouped::{Divided, factors};
use crate::oracle::Array;
use crate::oracle::grouped::ranges;

/// The order of summation, over each group's own number of products.
pub fn grouped_mm(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let [left, right] = factors(call);
        let (left, right) = (call.tensor(left).ok()?, call.tensor(right).ok()?);
        let (groups, ranges) = ranges(call).ok()?;
        let (k, n) = (groups.depth, groups.columns);
        let (a, b) = (left.floats(), right.floats());
        let mut allowed = vec![0.0; result.len()];
        let matrix = |rank: usize, group: usize, size: usize| if rank == 3 { group * size } else { 0 };
        for (group, range) in ranges.into_iter().enumerate() {
            let of = |divides, size| if groups.divided == divides { range.clone() } else { 0..size };
            let inner = of(Divided::Depth, k);
            let a = a.get(matrix(left.shape.len(), group, groups.rows * k)..)?;
            let b = b.get(matrix(right.shape.len(), group, k * n)..)?;
            let first = matrix(results.first()?.shape.len(), group, groups.rows * n);
            for row in of(Divided::Rows, groups.rows) {
                let x = a.get(row * k + inner.start..row * k + inner.end)?;
                for column in of(Divided::Columns, n) {
                    let energy: f64 = x
                        .iter()
                        .zip(inner.clone())
                        .map(|(x, k)| (x * b.get(k * n + column).unwrap_or(&0.0)).powi(2))
                        .sum();
                    let at = first + row * n + column;
                    *allowed.get_mut(at)? = product_deviation(inner.len(), *result.get(at)?, energy);
                }
            }
        }
        Some(scaled(allowed))
    })
}
