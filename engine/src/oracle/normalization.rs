//! Batch, group and instance norm, and the core forms that give their statistics too.

use super::elementwise::array;
use super::{Array, Data};
use crate::graph::signatures::normalization::{Normalization, epsilon, statistics_are_given};
use crate::graph::{Call, OpError};
use crate::operators;
use crate::tensor::Layout;

type Arrays = Result<Vec<Array>, OpError>;

/// (x − mean) / √(variance + eps) · weight + bias, the variance divided by n. Mean and variance are those of the dimensions that
/// share them, or the running ones.
pub fn normalization(call: &Call<Array>) -> Arrays {
    let metas = operators::infer(&call.map_tensors(Array::meta))?;
    let input = call.tensor("input")?;
    let rows = Rows::new(&Normalization::new(call, &input.shape)?);
    let x = input.floats();
    let (means, variances) = if statistics_are_given(call)? {
        (call.tensor("running_mean")?.to_f64(), call.tensor("running_var")?.to_f64())
    } else {
        rows.moments(&x)
    };
    let eps = epsilon(call)?;
    let scales: Vec<f64> = variances.iter().map(|variance| 1.0 / (variance + eps).sqrt()).collect();
    let (weight, bias) = (optional(call, "weight")?, optional(call, "bias")?);
    let channels = statistics_are_given(call)?;
    let element = |(at, x): (usize, &f64)| {
        // In range: rows and parameters are those that the signature has checked the shapes of. Running statistics are one per
        // channel, as the weight is.
        let row = if channels { rows.parameter[at] } else { rows.row[at] };
        let normal = (x - means[row]) * scales[row];
        let scaled = weight.as_ref().map_or(normal, |weight| normal * weight[rows.parameter[at]]);
        bias.as_ref().map_or(scaled, |bias| scaled + bias[rows.parameter[at]])
    };
    let values = x.iter().enumerate().map(element).collect();
    let statistics = if channels { [Vec::new(), Vec::new()] } else { [means, scales] };
    let data = std::iter::once(values).chain(statistics).map(Data::Float);
    Ok(metas.into_iter().zip(data).map(|(meta, data)| array(meta, data)).collect())
}

fn optional(call: &Call<Array>, name: &str) -> Result<Option<Vec<f64>>, OpError> {
    Ok(call.opt_tensor(name)?.map(Array::to_f64))
}

/// Which elements share statistics and parameters.
pub(crate) struct Rows {
    /// The row of each element.
    pub(crate) row: Vec<usize>,
    /// The place of each element's weight and bias.
    pub(crate) parameter: Vec<usize>,
    /// Number of rows.
    pub(crate) count: usize,
    /// Elements per row.
    pub(crate) size: usize,
}

impl Rows {
    pub(crate) fn new(plan: &Normalization) -> Self {
        let kept: Vec<usize> =
            (0..plan.shape.len()).map(|dim| if plan.shared.contains(&dim) { 1 } else { plan.shape[dim] }).collect();
        let affine = Layout::contiguous(&plan.shape[plan.affine.clone()]).strides;
        let own = |strides: &mut Vec<usize>, keeps: &dyn Fn(usize) -> bool| {
            (0..strides.len()).filter(|&dim| !keeps(dim)).for_each(|dim| strides[dim] = 0);
        };
        let mut rows = Layout::contiguous(&kept).strides;
        own(&mut rows, &|dim| !plan.shared.contains(&dim));
        let mut parameters = vec![0; plan.shape.len()];
        parameters[plan.affine.clone()].copy_from_slice(&affine);
        let places = |strides| Layout { shape: plan.shape.clone(), strides, offset: 0 }.positions().collect();
        Rows {
            row: places(rows),
            parameter: places(parameters),
            count: kept.iter().product(),
            size: plan.shared.iter().map(|&dim| plan.shape[dim]).product(),
        }
    }

    /// Mean and variance of each row. Several elements with an infinity among them have neither, as in PyTorch, which computes both by a recurrence.
    pub(crate) fn moments(&self, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let means = self.means(x);
        let squares: Vec<f64> = self.deviations(x, &means).map(|d| d * d).collect();
        let variances = self.means(&squares);
        let means = means
            .into_iter()
            .zip(&variances)
            .map(|(mean, v)| if self.size > 1 && v.is_nan() { f64::NAN } else { mean });
        (means.collect(), variances)
    }

    /// The mean of each row.
    pub(crate) fn means(&self, x: &[f64]) -> Vec<f64> {
        self.sums(x).into_iter().map(|sum| sum / self.size as f64).collect()
    }

    /// The sum of each row.
    pub(crate) fn sums(&self, x: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.count];
        for (x, &row) in x.iter().zip(&self.row) {
            sums[row] += x;
        }
        sums
    }

    /// Each element minus its row's mean.
    pub(crate) fn deviations(&self, x: &[f64], means: &[f64]) -> impl Iterator<Item = f64> {
        x.iter().zip(&self.row).map(|(x, &row)| x - means[row])
    }
}
