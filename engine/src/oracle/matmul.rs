//! Matrix products.

use super::broadcast::layout;
use super::elementwise::{array, is_int, wrap};
use super::{Array, Data, result};
use crate::graph::signatures::matmul::{self as signatures, matmul_operands};
use crate::graph::{Call, OpError};

/// input · weightᵀ + bias, over the last dimension.
pub fn linear(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    let meta = result(call, &signatures::LINEAR)?;
    let weight = call.tensor("weight")?;
    let (out, width) = (weight.shape[0], weight.shape[1]);
    if is_int(meta.dtype) {
        let (input, weight) = (call.tensor("input")?.ints(), weight.ints());
        let bias = call.opt_tensor("bias")?.map_or_else(|| vec![0; out], |bias| bias.ints().into_owned());
        let columns: Vec<i64> = (0..width).flat_map(|k| weight.iter().skip(k).step_by(width).copied()).collect();
        let rows: usize = meta.shape[..meta.shape.len() - 1].iter().product();
        let product = integers(&input, &columns, [rows, width, out]);
        let values =
            product.into_iter().enumerate().map(|(at, value)| wrap(meta.dtype, value.wrapping_add(bias[at % out])));
        return Ok(vec![array(meta.clone(), Data::Int(values.collect()))]);
    }
    let input = call.tensor("input")?.floats();
    let bias = call.opt_tensor("bias")?.map(Array::to_f64).unwrap_or_else(|| vec![0.0; out]);
    let rows: usize = meta.shape[..meta.shape.len() - 1].iter().product();
    let mut values = vec![0.0; rows * out];
    for column in 0..out {
        let weights = weight.row(column).ok_or_else(|| call.error("weight", format!("has no row {column}")))?;
        for row in 0..rows {
            // In range: the signature has checked that input is [rows, width] and bias [out].
            values[row * out + column] = dot(&input[row * width..(row + 1) * width], &weights) + bias[column];
        }
    }
    Ok(vec![array(meta, Data::Float(values))])
}

/// The matrix product of the last two dimensions, broadcast over those before; a vector is a row on the left and a column on the
/// right, and its dimension is dropped again.
pub fn matmul(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    let meta = result(call, &signatures::MATMUL)?;
    let (input, other) = (call.tensor("input")?, call.tensor("other")?);
    let [a, b] = matmul_operands(&input.shape, &other.shape);
    let (m, k, n) = (a[a.len() - 2], a[a.len() - 1], b[b.len() - 1]);
    let matrices = usize::from(input.shape.len() > 1) + usize::from(other.shape.len() > 1);
    let batch = &meta.shape[..meta.shape.len() - matrices];
    let pairs: Vec<_> = (layout(&a[..a.len() - 2], batch).positions())
        .zip(layout(&b[..b.len() - 2], batch).positions())
        .map(|(left, right)| (left * m * k, right * k * n))
        .collect();
    // In range: batch positions are below each operand's number of matrices, by the signature's broadcasting rule.
    let data = if is_int(meta.dtype) {
        let (left, right) = (input.ints(), other.ints());
        let product =
            pairs.iter().flat_map(|&(at, bt)| integers(&left[at..at + m * k], &right[bt..bt + k * n], [m, k, n]));
        Data::Int(product.map(|value| wrap(meta.dtype, value)).collect())
    } else {
        let (left, right) = (input.floats(), other.floats());
        Data::Float(
            pairs
                .iter()
                .flat_map(|&(at, bt)| floats(&left[at..at + m * k], &right[bt..bt + k * n], [m, k, n]))
                .collect(),
        )
    };
    Ok(vec![array(meta, data)])
}

/// `[m, k]` · `[k, n]`, both row-major.
pub(super) fn floats(left: &[f64], right: &[f64], [m, k, n]: [usize; 3]) -> Vec<f64> {
    let columns: Vec<f64> = (0..n).flat_map(|column| (0..k).map(move |at| right[at * n + column])).collect();
    let column = |at: usize| &columns[at * k..(at + 1) * k];
    (0..m)
        .flat_map(|row| (0..n).map(move |at| (row, at)))
        .map(|(row, at)| dot(&left[row * k..(row + 1) * k], column(at)))
        .collect()
}

pub(super) fn integers(left: &[i64], right: &[i64], [m, k, n]: [usize; 3]) -> Vec<i64> {
    let element = |row: usize, column: usize| {
        (0..k).fold(0i64, |sum, at| sum.wrapping_add(left[row * k + at].wrapping_mul(right[at * n + column])))
    };
    (0..m).flat_map(|row| (0..n).map(move |column| (row, column))).map(|(row, column)| element(row, column)).collect()
}

/// Σ a·b in eight running sums, so that the compiler may use vector instructions.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_blocks, a_rest) = a.as_chunks::<8>();
    let (b_blocks, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (x, y) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..8 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}
