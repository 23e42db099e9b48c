//! Reductions over dimensions.

use super::elementwise::{array, is_int, wrap};
use super::{Array, Data, result};
use crate::graph::signatures::reduction::{self as signatures, reduced_dims, truth_dims};
use crate::graph::signatures::vector_norm::as_vector_norm;
use crate::graph::{Call, OpError, Signature};
use crate::operators;
use crate::tensor::Layout;

type Arrays = Result<Vec<Array>, OpError>;

/// Sum over `dim`; integers and bool are summed exactly, and floats too where `dtype` makes integers of them first.
pub fn sum(call: &Call<Array>) -> Arrays {
    accumulate(call, &signatures::SUM, (0.0, 0), |sum, x| sum + x, i64::wrapping_add)
}

/// Product over `dim`, as `sum`.
pub fn prod(call: &Call<Array>) -> Arrays {
    accumulate(call, &signatures::PROD, (1.0, 1), |product, x| product * x, i64::wrapping_mul)
}

fn accumulate(
    call: &Call<Array>,
    signature: &Signature,
    start: (f64, i64),
    float: impl Fn(f64, f64) -> f64,
    int: impl Fn(i64, i64) -> i64,
) -> Arrays {
    let meta = result(call, signature)?;
    let groups = Groups::new(call)?;
    let input = call.tensor("input")?;
    let data = if is_int(meta.dtype) {
        let totals = groups.fold(&input.ints(), start.1, int);
        // Wrapping around at the end is the same as wrapping around at every step.
        Data::Int(totals.into_iter().map(|total| wrap(meta.dtype, total)).collect())
    } else {
        Data::Float(groups.fold(&input.floats(), start.0, float))
    };
    Ok(vec![array(meta, data)])
}

/// Whether any element over `dim` is not 0; NaN is not.
pub fn any(call: &Call<Array>) -> Arrays {
    truth(call, &signatures::ANY, |count, _| count > 0)
}

/// Whether no element over `dim` is 0.
pub fn all(call: &Call<Array>) -> Arrays {
    truth(call, &signatures::ALL, |count, size| count == size as i64)
}

fn truth(call: &Call<Array>, signature: &Signature, is_true: impl Fn(i64, usize) -> bool) -> Arrays {
    let meta = result(call, signature)?;
    let shape = &call.tensor("input")?.shape;
    let groups = Groups::over(shape, truth_dims(call, shape.len())?);
    let truths = groups.nonzeros(call.tensor("input")?).into_iter().map(|count| is_true(count, groups.size).into());
    Ok(vec![array(meta, Data::Int(truths.collect()))])
}

/// How many elements over `dim` are not 0.
pub fn count_nonzero(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::COUNT_NONZERO)?;
    let counts = Groups::new(call)?.nonzeros(call.tensor("input")?);
    Ok(vec![array(meta, Data::Int(counts))])
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

/// [`linalg_vector_norm`] under its older names.
pub fn vector_norm_by_name(call: &Call<Array>) -> Arrays {
    operators::infer(&call.map_tensors(Array::meta))?;
    linalg_vector_norm(&as_vector_norm(call, call.tensor("input")?.shape.len())?)
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
        groups.first(&input.ints(), |a, b| a > b)
    } else {
        groups.first(&input.floats(), |a: f64, b: f64| a > b || (a.is_nan() && !b.is_nan()))
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
        Ok(Groups::over(shape, reduced_dims(call, shape.len())?))
    }

    /// Groups over `dims` of an array of `shape`; each is below the rank.
    pub(crate) fn over(shape: &[usize], dims: Vec<usize>) -> Self {
        let kept: Vec<usize> = (0..shape.len()).map(|at| if dims.contains(&at) { 1 } else { shape[at] }).collect();
        let mut layout = Layout { shape: shape.to_vec(), ..Layout::contiguous(&kept) };
        for &dim in &dims {
            layout.strides[dim] = 0;
        }
        let size = dims.iter().map(|&dim| shape[dim]).product();
        Groups { layout, count: kept.iter().product(), size, dims }
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

    /// For each element of the input, in order, the value of its group.
    pub(crate) fn spread<'a, T: Copy>(&'a self, values: &'a [T]) -> impl Iterator<Item = T> + 'a {
        // In range, as in `fold`: `values` holds one per group.
        self.layout.positions().map(|position| values[position])
    }

    /// The elements of each group, in order.
    pub(crate) fn lists(&self, input: &[f64]) -> Vec<Vec<f64>> {
        let mut lists = vec![Vec::with_capacity(self.size); self.count];
        for (position, &x) in self.layout.positions().zip(input) {
            lists[position].push(x);
        }
        lists
    }

    /// Index within its group of each group's first element that no later one is preferred to; 0 where a group is empty.
    pub(super) fn first<T: Copy>(&self, input: &[T], prefers: impl Fn(T, T) -> bool) -> Vec<i64> {
        let mut best: Vec<Option<(T, i64)>> = vec![None; self.count];
        let mut seen = vec![0i64; self.count];
        for (position, &x) in self.layout.positions().zip(input) {
            if best[position].is_none_or(|(value, _)| prefers(x, value)) {
                best[position] = Some((x, seen[position]));
            }
            seen[position] += 1;
        }
        best.into_iter().map(|best| best.map_or(0, |(_, index)| index)).collect()
    }

    /// The element of each group at the index that `places` gives within it; the default where a group is empty.
    pub(super) fn take<T: Copy + Default>(&self, input: &[T], places: &[i64]) -> Vec<T> {
        let mut values = vec![T::default(); self.count];
        let mut seen = vec![0i64; self.count];
        for (position, &x) in self.layout.positions().zip(input) {
            if places.get(position) == Some(&seen[position]) {
                values[position] = x;
            }
            seen[position] += 1;
        }
        values
    }

    /// How many elements of each group are not 0.
    fn nonzeros(&self, input: &Array) -> Vec<i64> {
        let flags: Vec<i64> = match &input.data {
            Data::Int(values) => values.iter().map(|&x| i64::from(x != 0)).collect(),
            _ => input.floats().iter().map(|&x| i64::from(x != 0.0)).collect(),
        };
        self.fold(&flags, 0, |count, flag| count + flag)
    }
}
