//! Pooling.

use super::accumulation::{deviation, few};
use super::{DIVISION, of_one, ulp};
use crate::graph::Call;
use crate::graph::signatures::pooling::Pool;
use crate::oracle::Array;
use crate::oracle::pooling::{divisors, window_sums};

/// Σx / n over windows: the order of summation over n, and the division.
pub fn window_mean(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let input = call.tensor("input").ok()?;
        let pool = Pool::new(call, &input.shape).ok()?;
        let squares: Vec<f64> = input.floats().iter().map(|x| x * x).collect();
        let energies = window_sums(&pool, &squares);
        // With no more elements than the input has, whatever the window's size.
        let window = |dim: usize| match pool.steps {
            Some(steps) => steps.kernel[dim].min(pool.input[dim]),
            None => pool.input[dim].div_ceil(pool.output[dim].max(1)),
        };
        let count = (0..3).map(window).product();
        let few = few(result.len());
        let divisors = divisors(call, &pool).ok()?;
        let elements = result.iter().zip(energies).zip(divisors.iter().cycle());
        let allowed = elements.map(|((o, energy), n)| {
            let order = if *n == 0.0 { 0.0 } else { few * deviation(count, o * n, energy) / n.abs() };
            order + DIVISION * ulp(*o)
        });
        Some(allowed.collect())
    })
}
