//! Scans: running sums, products and extrema along a dimension.

use super::elementwise::{array, is_int, wrap};
use super::extremum::Side;
use super::{Array, Data, result};
use crate::graph::signatures::scan::{self as signatures, line_dim};
use crate::graph::{Call, OpError, Signature};

type Arrays = Result<Vec<Array>, OpError>;

/// Σ of each element and those before it along `dim`.
pub fn cumsum(call: &Call<Array>) -> Arrays {
    running(call, &signatures::CUMSUM, (0.0, 0), |sum, x| sum + x, i64::wrapping_add)
}

/// Π of each element and those before it along `dim`.
pub fn cumprod(call: &Call<Array>) -> Arrays {
    running(call, &signatures::CUMPROD, (1.0, 1), |product, x| product * x, i64::wrapping_mul)
}

/// The largest of each element and those before it along `dim`, and where the last of equal ones stands.
pub fn cummax(call: &Call<Array>) -> Arrays {
    extremum(call, &signatures::CUMMAX, Side::Largest)
}

/// As `cummax`, with the smallest.
pub fn cummin(call: &Call<Array>) -> Arrays {
    extremum(call, &signatures::CUMMIN, Side::Smallest)
}

fn running(
    call: &Call<Array>,
    signature: &Signature,
    start: (f64, i64),
    float: impl Fn(f64, f64) -> f64,
    int: impl Fn(i64, i64) -> i64,
) -> Arrays {
    let meta = result(call, signature)?;
    let input = call.tensor("input")?;
    let lines = Lines::new(&meta.shape, line_dim(call, None, meta.rank())?);
    let data = if is_int(meta.dtype) {
        Data::Int(lines.scan(&input.ints(), start.1, |total, x| wrap(meta.dtype, int(total, x))))
    } else {
        Data::Float(lines.scan(&input.floats(), start.0, float))
    };
    Ok(vec![array(meta, data)])
}

fn extremum(call: &Call<Array>, signature: &Signature, side: Side) -> Arrays {
    let metas = signature.check(&call.map_tensors(Array::meta))?;
    let input = call.tensor("input")?;
    let lines = Lines::new(&input.shape, line_dim(call, None, input.shape.len())?);
    let (values, places) = if input.is_int() {
        // An element replaces the one before unless that one is to be preferred.
        let (values, places) = lines.extrema(&input.ints(), |a, b| !side.prefers_int(a, b));
        (Data::Int(values), places)
    } else {
        let (values, places) = lines.extrema(&input.floats(), |a, b| !side.prefers(a, b));
        (Data::Float(values), places)
    };
    Ok(metas.into_iter().zip([values, Data::Int(places)]).map(|(meta, data)| array(meta, data)).collect())
}

/// A contiguous array as lines along one dimension.
pub(crate) struct Lines {
    /// Elements of a line.
    pub(crate) size: usize,
    /// Elements between neighbours of a line.
    inner: usize,
    /// How many lines hold anything.
    pub(crate) count: usize,
}

impl Lines {
    /// Lines along `dim` of an array of `shape`; an array of rank 0 is a line of one.
    pub(crate) fn new(shape: &[usize], dim: usize) -> Self {
        let size = shape.get(dim).copied().unwrap_or(1);
        let inner = shape.iter().skip(dim + 1).product();
        let count = shape.iter().product::<usize>().checked_div(size).unwrap_or(0);
        Lines { size, inner, count }
    }

    /// Position of element `step` of line `line`; in range where both are.
    pub(crate) fn at(&self, line: usize, step: usize) -> usize {
        self.at_of(line, step, self.size)
    }

    /// [`Lines::at`] in an array whose lines have `size` elements.
    pub(super) fn at_of(&self, line: usize, step: usize, size: usize) -> usize {
        (line / self.inner) * size * self.inner + step * self.inner + line % self.inner
    }

    /// The elements of a line.
    pub(crate) fn line<T: Copy>(&self, input: &[T], line: usize) -> Vec<T> {
        (0..self.size).map(|step| input[self.at(line, step)]).collect()
    }

    /// Each element combined with all before it.
    pub(crate) fn scan<T: Copy>(&self, input: &[T], start: T, combine: impl Fn(T, T) -> T) -> Vec<T> {
        let mut values = input.to_vec();
        for line in 0..self.count {
            let mut total = start;
            for step in 0..self.size {
                total = combine(total, input[self.at(line, step)]);
                values[self.at(line, step)] = total;
            }
        }
        values
    }

    fn extrema<T: Copy>(&self, input: &[T], gives_way: impl Fn(T, T) -> bool) -> (Vec<T>, Vec<i64>) {
        let (mut values, mut places) = (input.to_vec(), vec![0; input.len()]);
        for line in 0..self.count {
            let mut best = (input[self.at(line, 0)], 0);
            for step in 0..self.size {
                let at = self.at(line, step);
                if gives_way(best.0, input[at]) {
                    best = (input[at], step as i64);
                }
                (values[at], places[at]) = best;
            }
        }
        (values, places)
    }
}
