//! Variances and standard deviations over dimensions.

use super::elementwise::array;
use super::reduction::Groups;
use super::{Array, Data};
use crate::graph::signatures::variance::divisor;
use crate::graph::{Call, OpError};
use crate::operators;

/// Σ(x − mean)² / max(n − correction, 0) over `dim`, or its root, and the mean where it is a result.
pub fn variance(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    let metas = operators::infer(&call.map_tensors(Array::meta))?;
    let groups = Groups::new(call)?;
    let (means, squares) = moments(&groups, &call.tensor("input")?.floats());
    let divisor = divisor(call, groups.size)?;
    let variances = squares.iter().map(|square| square / divisor);
    let first = if call.op().starts_with("std") { variances.map(f64::sqrt).collect() } else { variances.collect() };
    let data = [first, means].map(Data::Float);
    Ok(metas.into_iter().zip(data).map(|(meta, data)| array(meta, data)).collect())
}

/// The mean of each group and Σ(x − mean)². Several elements with an infinity among them have no mean, as in PyTorch, which computes
/// both by a recurrence.
pub(crate) fn moments(groups: &Groups, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let sums = groups.fold(x, 0.0, |sum, x| sum + x);
    let means: Vec<f64> = sums.iter().map(|sum| sum / groups.size as f64).collect();
    let deviations: Vec<f64> = x.iter().zip(groups.spread(&means)).map(|(x, mean)| x - mean).collect();
    let squares = groups.fold(&deviations, 0.0, |sum, d| sum + d * d);
    let defined = |(mean, square): (f64, &f64)| if groups.size > 1 && square.is_nan() { f64::NAN } else { mean };
    (means.into_iter().zip(&squares).map(defined).collect(), squares)
}
