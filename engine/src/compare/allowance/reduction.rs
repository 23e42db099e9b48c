//! Operators that sum: reductions and matrix products.

use super::accumulation::{deviation, few, product_deviation};
use super::elementwise::{power, square_root};
use super::{DIVISION, HALF_ULP, of_one, ulp};
use crate::graph::Call;
use crate::graph::signatures::matmul::matmul_operands;
use crate::graph::signatures::vector_norm::as_vector_norm;
use crate::oracle::Array;
use crate::oracle::broadcast::layout;
use crate::oracle::reduction::Groups;

/// Σx: the order of summation.
pub fn sum(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_groups(call, results, |group| group.few * deviation(group.count, group.result, group.energy))
}

/// Σx / n: the order of summation over n, and the division.
pub fn mean(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_groups(call, results, |group| {
        let count = group.count as f64;
        let order = group.few * deviation(group.count, group.result * count, group.energy);
        order / count + DIVISION * ulp(group.result)
    })
}

/// Πx: K − 1 products, each rounded by at most ½ ULP, whose deviation is 2⁻²⁴·|o| / √3; in any order they are independent, so
/// 2⁻²⁴·|o|·√(K / 3).
pub fn prod(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_groups(call, results, |group| group.few * group.result.abs() * HALF_ULP * (group.count as f64 / 3.0).sqrt())
}

/// (Σ|x|^p)^(1/p). With S = o^p and δ what its summation may be off, the result is off by o·δ/(p·S).
///
/// p = 2 adds the square root; ±∞ and 0 are exact; for other p every power may be off too, by at most as much, relatively, as
/// that of the largest element, which 1/p of is passed on, and the last power adds its own.
pub fn vector_norm(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    let p = call.float("ord", 2.0).unwrap_or(2.0);
    of_groups(call, results, |group| {
        let o = group.result;
        if o == 0.0 || !p.is_finite() || p == 0.0 {
            return 0.0;
        }
        let total = o.abs().powf(p);
        // Σ|x|^2p is not at hand, but for terms of one sign at most the square of their sum.
        let summation = group.few * o * product_deviation(group.count, total, total * total) / (p * total);
        match p {
            1.0 => summation,
            2.0 => summation + square_root(o),
            _ => summation + o * power(o, p, total) / (p * total) + power(total, 1.0 / p, o),
        }
    })
}

/// [`vector_norm`] under its older names.
pub fn vector_norm_by_name(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    let same = call.tensor("input").and_then(|input| as_vector_norm(call, input.shape.len()));
    same.map_or_else(|_| vec![Vec::new(); results.len()], |same| vector_norm(&same, results))
}

/// What is known of the elements that make one element of a reduction's result.
struct Group {
    count: usize,
    result: f64,
    energy: f64,
    few: f64,
}

fn of_groups(call: &Call<Array>, results: &[Array], allowed: impl Fn(Group) -> f64) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let groups = Groups::new(call).ok()?;
        let energies = groups.fold(&call.tensor("input").ok()?.floats(), 0.0, |sum, x| sum + x * x);
        let few = few(result.len());
        let pairs = result.iter().zip(energies);
        Some(pairs.map(|(&result, energy)| allowed(Group { count: groups.size, result, energy, few })).collect())
    })
}

/// input · weightᵀ + bias: the order of summation.
pub fn linear(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let (input, weight) = (call.tensor("input").ok()?.floats(), call.tensor("weight").ok()?);
        let (out, width) = (*weight.shape.first()?, *weight.shape.last()?);
        let bias = call.opt_tensor("bias").ok()?.map(Array::to_f64).unwrap_or_else(|| vec![0.0; out]);
        let mut columns = vec![0.0; width];
        for row in 0..out {
            add_squares(&mut columns, &weight.row(row)?);
        }
        let mut allowed = Vec::with_capacity(result.len());
        for (x, o) in input.chunks_exact(width.max(1)).zip(result.chunks_exact(out.max(1))) {
            let energy = mean_energy(x, &columns, out);
            allowed.extend(o.iter().zip(&bias).map(|(o, bias)| product_deviation(width, o - bias, energy)));
        }
        Some(scaled(allowed))
    })
}

/// input · other: the order of summation.
pub fn matmul(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let (input, other) = (call.tensor("input").ok()?, call.tensor("other").ok()?);
        let [a, b] = matmul_operands(&input.shape, &other.shape);
        let ([.., m, k], [.., n]) = (a.as_slice(), b.as_slice()) else { return None };
        let (m, k, n) = (*m, *k, *n);
        let vectors = usize::from(input.shape.len() > 1) + usize::from(other.shape.len() > 1);
        let shape = &results.first()?.shape;
        let batch = shape.get(..shape.len().checked_sub(vectors)?)?;
        let (left, right) = (input.floats(), other.floats());
        let (a_batch, b_batch) = (layout(a.get(..a.len() - 2)?, batch), layout(b.get(..b.len() - 2)?, batch));
        let starts = a_batch.positions().zip(b_batch.positions());
        let mut allowed = Vec::with_capacity(result.len());
        for ((at, bt), o) in starts.zip(result.chunks_exact((m * n).max(1))) {
            let (x, y) = (left.get(at * m * k..(at + 1) * m * k)?, right.get(bt * k * n..(bt + 1) * k * n)?);
            let columns: Vec<f64> = y.chunks_exact(n.max(1)).map(|row| row.iter().map(|v| v * v).sum()).collect();
            for (x, o) in x.chunks_exact(k.max(1)).zip(o.chunks_exact(n.max(1))) {
                let energy = mean_energy(x, &columns, n);
                allowed.extend(o.iter().map(|&o| product_deviation(k, o, energy)));
            }
        }
        Some(scaled(allowed))
    })
}

/// The mean over the results of one row of Σ_k x_k²·w_k², which takes the squares of each column of weights summed over the rows.
/// The verdict is a mean over the results too, so nothing is lost by giving each the same.
pub(super) fn mean_energy(x: &[f64], columns: &[f64], rows: usize) -> f64 {
    x.iter().zip(columns).map(|(x, column)| x * x * column).sum::<f64>() / rows.max(1) as f64
}

fn add_squares(columns: &mut [f64], row: &[f64]) {
    for (column, w) in columns.iter_mut().zip(row) {
        *column += w * w;
    }
}

pub(super) fn scaled(mut allowed: Vec<f64>) -> Vec<f64> {
    let few = few(allowed.len());
    allowed.iter_mut().for_each(|deviation| *deviation *= few);
    allowed
}
