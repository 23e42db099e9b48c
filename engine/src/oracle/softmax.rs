//! The relatives of softmax.

use super::elementwise::array;
use super::norm::probabilities;
use super::reduction::Groups;
use super::{Array, Data, result};
use crate::graph::signatures::softmax as signatures;
use crate::graph::{Call, Meta, OpError, Signature, wrap_dim};

type Arrays = Result<Vec<Array>, OpError>;

/// x − max − ln Σ e^(x − max) along `dim`.
pub fn log_softmax(call: &Call<Array>) -> Arrays {
    along_dim(call, &signatures::LOG_SOFTMAX, log_probabilities)
}

/// `log_softmax` in its core form.
pub fn log_softmax_core(call: &Call<Array>) -> Arrays {
    along_dim(call, &signatures::LOG_SOFTMAX_CORE, log_probabilities)
}

/// Softmax in its core form.
pub fn softmax_core(call: &Call<Array>) -> Arrays {
    along_dim(call, &signatures::SOFTMAX_CORE, probabilities)
}

/// Softmax of −x.
pub fn softmin(call: &Call<Array>) -> Arrays {
    along_dim(call, &signatures::SOFTMIN, |row| probabilities(&row.iter().map(|x| -x).collect::<Vec<_>>()))
}

fn log_probabilities(row: &[f64]) -> Vec<f64> {
    let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = row.iter().map(|x| (x - max).exp()).sum();
    row.iter().map(|x| x - max - sum.ln()).collect()
}

fn along_dim(call: &Call<Array>, signature: &Signature, of_row: impl Fn(&[f64]) -> Vec<f64>) -> Arrays {
    let meta = result(call, signature)?;
    let input = call.tensor("input")?.floats();
    let lines = Lines::new(&meta, call.required_int("dim")?);
    let mut values = vec![0.0; input.len()];
    for places in lines.places() {
        // In range: places are those of the input's elements.
        let row: Vec<f64> = places.iter().map(|&at| input[at]).collect();
        for (value, at) in of_row(&row).into_iter().zip(places) {
            values[at] = value;
        }
    }
    Ok(vec![array(meta, Data::Float(values))])
}

/// The lines of a contiguous array along one dimension.
pub(crate) struct Lines {
    size: usize,
    inner: usize,
    numel: usize,
}

impl Lines {
    pub(crate) fn new(meta: &Meta, dim: i64) -> Self {
        let dim = wrap_dim(dim, meta.rank()).unwrap_or(0);
        Lines {
            size: meta.shape.get(dim).copied().unwrap_or(1),
            inner: meta.shape.iter().skip(dim + 1).product(),
            numel: meta.shape.iter().product(),
        }
    }

    /// Where the elements of each line stand.
    pub(crate) fn places(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        let lines = self.numel / self.size.max(1);
        (0..lines).map(|line| {
            let first = line / self.inner * self.size * self.inner + line % self.inner;
            (0..self.size).map(|step| first + step * self.inner).collect()
        })
    }
}

/// max + ln Σ e^(x − max) over `dim`; ±∞ where the maximum is.
pub fn logsumexp(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::LOGSUMEXP)?;
    let groups = Groups::new(call)?;
    let input = call.tensor("input")?.floats();
    let tops = groups.fold(&input, f64::NEG_INFINITY, |top, x| if x > top || x.is_nan() { x } else { top });
    // Without a finite maximum nothing is subtracted, as in PyTorch.
    let shifts: Vec<f64> = tops.into_iter().map(|top| if top.is_infinite() { 0.0 } else { top }).collect();
    let exponentials: Vec<f64> = groups.spread(&shifts).zip(input.iter()).map(|(shift, x)| (x - shift).exp()).collect();
    let sums = groups.fold(&exponentials, 0.0, |sum, x| sum + x);
    Ok(vec![array(meta, Data::Float(sums.iter().zip(&shifts).map(|(sum, shift)| sum.ln() + shift).collect()))])
}
