//! Reductions over dimensions.

use super::elementwise::{array, is_int};
use super::{Array, Data, result};
use crate::graph::signatures::reduction::{self as signatures, reduced_dims};
use crate::graph::{Call, OpError};
use crate::tensor::Layout;

type Arrays = Result<Vec<Array>, OpError>;

/// Sum over `dim`; integers and bool are summed exactly.
pub fn sum(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::SUM)?;
    let groups = Groups::new(call)?;
    let input = call.tensor("input")?;
    let data = if is_int(meta.dtype) {
        Data::Int(groups.fold(&input.ints(), 0, i64::wrapping_add))
    } else {
        Data::Float(groups.fold(&input.floats(), 0.0, |sum, x| sum + x))
    };
    Ok(vec![array(meta, data)])
}

/// Mean over `dim`; NaN where there is nothing to average.
pub fn mean(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::MEAN)?;
    let groups = Groups::new(call)?;
    let sums = groups.fold(&call.tensor("input")?.floats(), 0.0, |sum, x| sum + x);
    let means = sums.into_iter().map(|sum| sum / groups.size as f64).collect();
    Ok(vec![array(meta, Data::Float(means))])
}

/// The vector norm over `dim`: (Σ|x|^ord)^(1/ord), with the largest and smallest |x| for ±∞ and the count of non-zeros for 0.
pub fn linalg_vector_norm(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::LINALG_VECTOR_NORM)?;
    let groups = Groups::new(call)?;
    let input = call.tensor("input")?.to_f64();
    let ord = call.float("ord", 2.0)?;
    let norms = if ord == f64::INFINITY {
        groups.fold(&input, 0.0, |norm, x: f64| if x.abs() > norm || x.is_nan() { x.abs() } else { norm })
    } else if ord == f64::NEG_INFINITY {
        groups.fold(&input, f64::INFINITY, |norm, x: f64| if x.abs() < norm || x.is_nan() { x.abs() } else { norm })
    } else if ord == 0.0 {
        groups.fold(&input, 0.0, |count, x| if x == 0.0 { count } else { count + 1.0 })
    } else if ord == 2.0 {
        groups.fold(&input, 0.0, |sum, x| sum + x * x).into_iter().map(f64::sqrt).collect()
    } else {
        let sums = groups.fold(&input, 0.0, |sum, x: f64| sum + x.abs().powf(ord));
        sums.into_iter().map(|sum| sum.powf(1.0 / ord)).collect()
    };
    Ok(vec![array(meta, Data::Float(norms))])
}

/// Position of the largest element along `dim`, or in the whole tensor where `dim` is None; the first of equal ones, and the first
/// NaN where there is one.
pub fn argmax(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::ARGMAX)?;
    let groups = Groups::new(call)?;
    let input = call.tensor("input")?;
    if groups.dims.len() > 1 && call.opt_ints("dim")?.is_some_and(|dims| !dims.is_empty()) {
        return Err(call.error("dim", "must be a single dimension or None"));
    }
    if groups.size == 0 && groups.count > 0 {
        return Err(call.error("dim", "is a dimension without elements"));
    }
    let largest = if input.is_int() {
        groups.largest(&input.ints(), |a, b| a > b)
    } else {
        groups.largest(&input.floats(), |a: f64, b: f64| a > b || (a.is_nan() && !b.is_nan()))
    };
    Ok(vec![array(meta, Data::Int(largest))])
}

/// Elements of `input` by the element of the result that they are reduced into.
pub(crate) struct Groups {
    dims: Vec<usize>,
    /// Walks the input in row-major order, giving positions in the result.
    layout: Layout,
    /// Elements of the result.
    count: usize,
    /// Elements per group.
    pub(crate) size: usize,
}

impl Groups {
    /// Groups of a call whose signature has been checked.
    pub(crate) fn new(call: &Call<Array>) -> Result<Self, OpError> {
        let shape = &call.tensor("input")?.shape;
        let dims = reduced_dims(call, shape.len())?;
        let kept: Vec<usize> = (0..shape.len()).map(|at| if dims.contains(&at) { 1 } else { shape[at] }).collect();
        let mut layout = Layout { shape: shape.clone(), ..Layout::contiguous(&kept) };
        for &dim in &dims {
            layout.strides[dim] = 0;
        }
        let size = dims.iter().map(|&dim| shape[dim]).product();
        Ok(Groups { layout, count: kept.iter().product(), size, dims })
    }

    /// Combines the elements of each group, in order.
    // Positions are in range: they are those of a contiguous result of `count` elements, expanded over the reduced dimensions.
    pub(crate) fn fold<T: Copy>(&self, input: &[T], start: T, step: impl Fn(T, T) -> T) -> Vec<T> {
        let mut values = vec![start; self.count];
        for (position, &x) in self.layout.positions().zip(input) {
            values[position] = step(values[position], x);
        }
        values
    }

    /// Index within the group of the first element that no later one is greater than.
    fn largest<T: Copy>(&self, input: &[T], greater: impl Fn(T, T) -> bool) -> Vec<i64> {
        let mut best: Vec<Option<(T, i64)>> = vec![None; self.count];
        let mut seen = vec![0i64; self.count];
        for (position, &x) in self.layout.positions().zip(input) {
            if best[position].is_none_or(|(value, _)| greater(x, value)) {
                best[position] = Some((x, seen[position]));
            }
            seen[position] += 1;
        }
        best.into_iter().map(|best| best.map_or(0, |(_, index)| index)).collect()
    }
}
