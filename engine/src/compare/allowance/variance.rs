//! Variances and standard deviations.

use super::accumulation::{deviation, few, product_deviation};
use super::elementwise::square_root;
use super::{DIVISION, HALF_ULP, ULP, of_one, ulp};
use crate::graph::Call;
use crate::graph::signatures::variance::divisor;
use crate::oracle::Array;
use crate::oracle::reduction::Groups;
use crate::oracle::variance::moments;

/// Σ(x − mean)² / divisor, its root for a standard deviation, and the mean.
///
/// The squared deviations have the relative error A of their order of summation, and 2 · ½ ULP of the subtraction; what the mean is off
/// cancels to first order. The division adds 2.5 ULP; a root passes half of all on and adds its own. The mean is off by its order
/// of summation over n, and 2.5 ULP for the division.
pub fn variance(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    let errors = errors_of(call);
    let of_result = |(at, result): (usize, &Array)| {
        let errors = errors.as_ref().and_then(|errors| errors.get(at));
        of_one(std::slice::from_ref(result), |_| errors.cloned())
    };
    results.iter().enumerate().flat_map(of_result).collect()
}

/// Of the variance or its root, and of the mean.
fn errors_of(call: &Call<Array>) -> Option<[Vec<f64>; 2]> {
    let groups = Groups::new(call).ok()?;
    let x = call.tensor("input").ok()?.floats();
    let (means, squares) = moments(&groups, &x);
    let energies = groups.fold(&x, 0.0, |sum, x| sum + x * x);
    let centred: Vec<f64> = x.iter().zip(groups.spread(&means)).map(|(x, mean)| x - mean).collect();
    let fourths = groups.fold(&centred, 0.0, |sum, d| sum + d.powi(4));
    let (few, count) = (few(means.len()), groups.size as f64);
    let divisor = divisor(call, groups.size).ok()?;
    let of_variance = |(&square, &fourths): (&f64, &f64)| {
        let order = if square == 0.0 { 0.0 } else { few * product_deviation(groups.size, square, fourths) / square };
        let relative = order + 2.0 * HALF_ULP + DIVISION * ULP;
        let variance = square / divisor;
        if call.op().starts_with("std") {
            0.5 * relative * variance.sqrt() + square_root(variance.sqrt())
        } else {
            relative * variance
        }
    };
    let of_mean = |(&mean, &energy): (&f64, &f64)| {
        few * deviation(groups.size, mean * count, energy) / count + DIVISION * ulp(mean)
    };
    let variances = squares.iter().zip(&fourths).map(of_variance).collect();
    Some([variances, means.iter().zip(&energies).map(of_mean).collect()])
}
