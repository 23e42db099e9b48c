//! Batch, group and instance norm, and weight norm.

use super::accumulation::{deviation, few, product_deviation};
use super::elementwise::square_root;
use super::norm::scale_error;
use super::{DIVISION, HALF_ULP, ULP, of_one, ulp};
use crate::graph::Call;
use crate::graph::signatures::normalization::{Normalization, epsilon, statistics_are_given};
use crate::graph::signatures::weight_norm::norm_dims;
use crate::oracle::Array;
use crate::oracle::normalization::Rows;
use crate::oracle::reduction::Groups;

/// (x − mean) · inverseSqrt(variance + eps) · weight + bias, then the mean and the scale where they are results.
///
/// As `layer_norm`: with δ what the mean is off, x − mean is off by δ + ½ ulp(x − mean), the products and the sum with the bias round
/// 3 times by ½ ULP. Given statistics have no error, and leave the scale that of adding eps and of inverseSqrt.
pub fn normalization(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    let errors = errors_of(call);
    let of_result = |(at, result): (usize, &Array)| {
        let errors = errors.as_ref().and_then(|errors| errors.get(at));
        of_one(std::slice::from_ref(result), |_| errors.cloned())
    };
    results.iter().enumerate().flat_map(of_result).collect()
}

/// Of the result, the means and the scales.
fn errors_of(call: &Call<Array>) -> Option<[Vec<f64>; 3]> {
    let input = call.tensor("input").ok()?;
    let rows = Rows::new(&Normalization::new(call, &input.shape).ok()?);
    let x = input.floats();
    let given = statistics_are_given(call).ok()?;
    let eps = epsilon(call).ok()?;
    let statistics = if given { given_statistics(call, eps)? } else { own_statistics(&rows, &x, eps) };
    let weight = call.opt_tensor("weight").ok()?.map(Array::to_f64);
    let element = |(at, x): (usize, &f64)| {
        // In range: the call has been checked.
        let of = &statistics[if given { rows.parameter[at] } else { rows.row[at] }];
        let weight = weight.as_ref().map_or(1.0, |weight| weight[rows.parameter[at]].abs());
        let d = x - of.mean;
        weight * of.scale * (of.mean_error + 0.5 * ulp(d) + d.abs() * (of.scale_error + 3.0 * HALF_ULP))
    };
    let result = x.iter().enumerate().map(element).collect();
    if given {
        return Some([result, Vec::new(), Vec::new()]);
    }
    let means = statistics.iter().map(|of| of.mean_error).collect();
    let scales = statistics.iter().map(|of| of.scale * of.scale_error).collect();
    Some([result, means, scales])
}

/// Mean and scale of a row, and what they may be off: the mean absolutely, the scale relatively.
struct Statistics {
    mean: f64,
    mean_error: f64,
    scale: f64,
    scale_error: f64,
}

fn given_statistics(call: &Call<Array>, eps: f64) -> Option<Vec<Statistics>> {
    let (means, variances) = (call.tensor("running_mean").ok()?.floats(), call.tensor("running_var").ok()?.floats());
    let of_channel = |(&mean, &variance): (&f64, &f64)| {
        let scale = 1.0 / (variance + eps).sqrt();
        Statistics { mean, mean_error: 0.0, scale, scale_error: 0.5 * HALF_ULP + 2.0 * ulp(scale) / scale }
    };
    Some(means.iter().zip(variances.iter()).map(of_channel).collect())
}

fn own_statistics(rows: &Rows, x: &[f64], eps: f64) -> Vec<Statistics> {
    let (means, variances) = rows.moments(x);
    let few = few(rows.count);
    let count = rows.size as f64;
    let squares = rows.sums(&x.iter().map(|x| x * x).collect::<Vec<_>>());
    let fourths = rows.sums(&rows.deviations(x, &means).map(|d| d.powi(4)).collect::<Vec<_>>());
    let of_row = |row: usize| {
        let (mean, variance) = (means[row], variances[row]);
        let scale = 1.0 / (variance + eps).sqrt();
        Statistics {
            mean,
            mean_error: few * deviation(rows.size, mean * count, squares[row]) / count + DIVISION * ulp(mean),
            scale,
            scale_error: scale_error(few, rows.size, variance * count, fourths[row], scale),
        }
    };
    (0..rows.count).map(of_row).collect()
}

/// v · (g / √Σ v²): half the relative error of the sum by its order, those of the root and the division, and a product.
pub fn weight_norm(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let v = call.tensor("v").ok()?;
        let groups = Groups::over(&v.shape, norm_dims(call, v.shape.len()).ok()?);
        let v = v.floats();
        let sums = groups.fold(&v, 0.0, |sum, x| sum + x * x);
        let fourths = groups.fold(&v, 0.0, |sum, x| sum + x.powi(4));
        let few = few(sums.len());
        let relative = |(&sum, &fourths): (&f64, &f64)| {
            let order = few * product_deviation(groups.size, sum, fourths) / sum;
            0.5 * order + square_root(sum.sqrt()) / sum.sqrt() + DIVISION * ULP + HALF_ULP
        };
        let relative: Vec<f64> = sums.iter().zip(&fourths).map(relative).collect();
        Some(result.iter().zip(groups.spread(&relative)).map(|(o, relative)| o.abs() * relative).collect())
    })
}
