//! Softmax and norms.

use super::accumulation::{deviation, few, product_deviation};
use super::{DIVISION, HALF_ULP, ULP, exp_relative, of_one, ulp};
use crate::graph::Call;
use crate::graph::signatures::norm::normalized_shape;
use crate::graph::signatures::reduction::reduced_dims;
use crate::oracle::Array;
use crate::oracle::norm::rms_norm_eps;
use crate::oracle::reduction::Groups;
use crate::oracle::softmax::Lines;

/// exp(x − max) / Σ.
///
/// With d = x − max, every exponential has a relative error ε = (3 + 2·|d|) ULP + ½ ulp(d), the latter from the subtraction. The
/// sum has the mean of them, weighted by the results p, and the deviation A of its own order. So p is off by
/// p·(ε + Σ p·ε + A) + 2.5 ulp(p).
pub fn softmax(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    softmax_of(call, results, 1.0)
}

/// As [`softmax`], of −x.
pub fn softmin(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    softmax_of(call, results, -1.0)
}

fn softmax_of(call: &Call<Array>, results: &[Array], sign: f64) -> Vec<Vec<f64>> {
    of_lines(call, results, |x, p, few| {
        let x: Vec<f64> = x.iter().map(|x| sign * x).collect();
        exponentials(&x, p, few).into_iter().zip(p).map(|(error, p)| error + DIVISION * ulp(*p)).collect()
    })
}

/// x − max − log Σ exp(x − max).
///
/// The difference d = x − max is off by ½ ulp(d); the sum, relatively, by what [`softmax`] derives, which its logarithm passes on
/// as an absolute error and adds its own to.
pub fn log_softmax(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_lines(call, results, |x, o, few| {
        let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let of_sum = log_of_sum(x, few);
        let error = |(x, o): (&f64, &f64)| if o.is_finite() { 0.5 * ulp(x - max) + of_sum } else { 0.0 };
        x.iter().zip(o).map(error).collect()
    })
}

/// max + log Σ exp(x − max): as [`log_softmax`].
pub fn logsumexp(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let input = call.tensor("input").ok()?;
        let groups = Groups::over(&input.shape, reduced_dims(call, input.shape.len()).ok()?);
        let input = input.floats();
        let few = few(result.len());
        Some(groups.lists(&input).iter().map(|x| log_of_sum(x, few)).collect())
    })
}

/// What log Σ exp(x − max) may be off.
fn log_of_sum(x: &[f64], few: f64) -> f64 {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = x.iter().map(|x| (x - max).exp()).sum();
    let p: Vec<f64> = x.iter().map(|x| (x - max).exp() / sum).collect();
    // WGSL's log; the sum is at least 1.
    let log = if sum <= 2.0 { 1.0 / f64::from(1 << 21) } else { 3.0 * ulp(sum.ln()) };
    exponential_errors(x, &p, few).1 + log
}

/// Calls `allowed` with the input, the result and [`few`] for each line along `dim`.
fn of_lines(call: &Call<Array>, results: &[Array], allowed: impl Fn(&[f64], &[f64], f64) -> Vec<f64>) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let input = call.tensor("input").ok()?;
        let lines = Lines::new(&input.meta(), call.required_int("dim").ok()?);
        let input = input.floats();
        let few = few(lines.places().count());
        let mut allowances = vec![0.0; result.len()];
        for places in lines.places() {
            let [x, o] = [&input[..], result].map(|values| places.iter().map(|&at| values[at]).collect::<Vec<f64>>());
            for (error, at) in allowed(&x, &o, few).into_iter().zip(places) {
                allowances[at] = error;
            }
        }
        Some(allowances)
    })
}

fn exponentials(x: &[f64], p: &[f64], few: f64) -> Vec<f64> {
    let (errors, of_sum) = exponential_errors(x, p, few);
    errors.iter().zip(p).map(|(error, p)| p * (error + of_sum)).collect()
}

/// The relative errors of every exponential and of their sum.
fn exponential_errors(x: &[f64], p: &[f64], few: f64) -> (Vec<f64>, f64) {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Where p is 0 the exponential is 0 too, at any error.
    let relative = |x: f64, p: f64| if p == 0.0 { 0.0 } else { exp_relative(x - max) + 0.5 * ulp(x - max) };
    let errors: Vec<f64> = x.iter().zip(p).map(|(&x, &p)| relative(x, p)).collect();
    let of_sum = errors.iter().zip(p).map(|(error, p)| error * p).sum::<f64>();
    let order = few * deviation(p.len(), 1.0, p.iter().map(|p| p * p).sum());
    (errors, of_sum + order)
}

/// x · inverseSqrt(mean x² + eps) · weight.
///
/// The relative error of the sum of squares is A by its order, that of the mean 2.5 ULP more and ½ ULP for adding eps; half of them
/// passes through inverseSqrt, which adds 2 ULP, and one product more is rounded than the result's own.
pub fn rms_norm(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_rows(call, results, |row| {
        let count = row.input.len();
        let sum: f64 = row.input.iter().map(|x| x * x).sum();
        let scale = 1.0 / (sum / count as f64 + rms_norm_eps(call).ok()?).sqrt();
        let relative = scale_error(row.few, count, sum, row.input.iter().map(|x| x.powi(4)).sum(), scale);
        Some(row.result.iter().map(|o| o.abs() * (relative + HALF_ULP)).collect())
    })
}

/// (x − mean) · inverseSqrt(variance + eps) · weight + bias, the variance from the deviations (two passes, or Welford).
///
/// The mean is off by δ: its order of summation over n, and 2.5 ulp(mean) for the division; with ½ ulp(x − mean) for the
/// subtraction that is passed on times the scale and the weight. δ cancels in the variance to first order. The scale's relative
/// error is as in `rms_norm`, the products and the sum with the bias round 3 times by ½ ULP.
pub fn layer_norm(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    let eps = call.float("eps", 1e-5).unwrap_or(1e-5);
    of_rows(call, results, |row| {
        let count = row.input.len() as f64;
        let sum: f64 = row.input.iter().sum();
        let mean = sum / count;
        let square: f64 = row.input.iter().map(|x| x * x).sum();
        let mean_error = row.few * deviation(row.input.len(), sum, square) / count + DIVISION * ulp(mean);
        let deviations: Vec<f64> = row.input.iter().map(|x| x - mean).collect();
        let squares: f64 = deviations.iter().map(|d| d * d).sum();
        let scale = 1.0 / (squares / count + eps).sqrt();
        let fourths = deviations.iter().map(|d| d.powi(4)).sum();
        let relative = scale_error(row.few, row.input.len(), squares, fourths, scale) + 3.0 * HALF_ULP;
        let elements = deviations.iter().enumerate();
        Some(
            elements
                .map(|(at, d)| row.weight(at) * scale * (mean_error + 0.5 * ulp(*d) + d.abs() * relative))
                .collect(),
        )
    })
}

/// Relative error of inverseSqrt(squares / count + eps), which is `scale`; `fourths` is the sum of the squares' squares.
pub(super) fn scale_error(few: f64, count: usize, squares: f64, fourths: f64, scale: f64) -> f64 {
    let order = if squares == 0.0 { 0.0 } else { few * product_deviation(count, squares, fourths) / squares };
    0.5 * (order + DIVISION * ULP + HALF_ULP) + 2.0 * ulp(scale) / scale
}

/// One row of a norm.
struct Row<'a> {
    input: &'a [f64],
    result: &'a [f64],
    weights: Option<&'a [f64]>,
    few: f64,
}

impl Row<'_> {
    fn weight(&self, at: usize) -> f64 {
        self.weights.and_then(|weights| weights.get(at)).map_or(1.0, |weight| weight.abs())
    }
}

fn of_rows(call: &Call<Array>, results: &[Array], allowed: impl Fn(Row<'_>) -> Option<Vec<f64>>) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let width = normalized_shape(call).ok()?.iter().product::<usize>().max(1);
        let weight = call.opt_tensor("weight").ok()?.map(Array::to_f64);
        let input = call.tensor("input").ok()?.floats();
        let few = few(result.len() / width);
        let rows = input.chunks_exact(width).zip(result.chunks_exact(width));
        let allowed = rows.map(|(input, result)| allowed(Row { input, result, weights: weight.as_deref(), few }));
        Some(allowed.collect::<Option<Vec<_>>>()?.concat())
    })
}
