//! Padding, parts written into a tensor, and differences of neighbours.

use super::elementwise::{array, is_int, round, wrap};
use super::rearrange::indices;
use super::{Array, Data, result};
use crate::graph::signatures::pad::{self as signatures, PadMode, differences, pad_value, padding, written};
use crate::graph::{Call, OpError, Signature};
use crate::tensor::{DType, Layout};
use std::borrow::Cow;

type Arrays = Result<Vec<Array>, OpError>;

/// Elements around the tensor: a value, or elements from inside it.
pub fn pad(call: &Call<Array>) -> Arrays {
    padded(call, &signatures::PAD)
}

/// A value around the tensor.
pub fn constant_pad_nd(call: &Call<Array>) -> Arrays {
    padded(call, &signatures::CONSTANT_PAD_ND)
}

fn padded(call: &Call<Array>, signature: &Signature) -> Arrays {
    let meta = result(call, signature)?;
    let input = call.tensor("input")?;
    let (mode, by_dim) = padding(call, &input.shape)?;
    let value = pad_value(call)?;
    let strides = Layout::contiguous(&input.shape).strides;
    // Where each element of the result is read; None outside.
    let source = |index: Vec<usize>| {
        let mut position = 0;
        for (dim, &at) in index.iter().enumerate() {
            let size = input.shape[dim];
            position += inside(mode, at, by_dim[dim], size)? * strides[dim];
        }
        Some(position)
    };
    let positions = indices(&meta.shape).map(source);
    let data = if input.is_int() {
        let (values, fill) = (input.ints(), wrap(meta.dtype, value as i64));
        let fill = if meta.dtype == DType::Bool { i64::from(value != 0.0) } else { fill };
        Data::Int(positions.map(|at| at.map_or(fill, |at| values[at])).collect())
    } else {
        let (values, fill) = (input.floats(), round(value, meta.dtype));
        Data::Float(positions.map(|at| at.map_or(fill, |at| values[at])).collect())
    };
    Ok(vec![array(meta, data)])
}

/// The element of a dimension of `size` that stands at `at` of the padded one; None where a constant does.
fn inside(mode: PadMode, at: usize, [before, after]: [i64; 2], size: usize) -> Option<usize> {
    let (at, size) = (at as i64 - before, size as i64);
    let position = match mode {
        PadMode::Constant => at,
        PadMode::Reflect if at < 0 => -at,
        PadMode::Reflect if at >= size => 2 * (size - 1) - at,
        PadMode::Reflect => at,
        PadMode::Replicate => at.clamp(0, size - 1),
        // What is cut off does not come round again.
        PadMode::Circular => {
            let first = (-before).max(0);
            let kept = size - first - (-after).max(0);
            first + (at - first).rem_euclid(kept)
        }
    };
    usize::try_from(position).ok().filter(|_| position < size)
}

/// Each element less the one before it, `n` times over; for bool whether they differ.
pub fn diff(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::DIFF)?;
    let line = Line::new(call)?;
    if line.n == 0 {
        return Ok(vec![call.tensor("input")?.clone()]);
    }
    let data = if is_int(meta.dtype) {
        let subtract = |a: i64, b: i64| {
            if meta.dtype == DType::Bool { i64::from(a != b) } else { wrap(meta.dtype, a.wrapping_sub(b)) }
        };
        Data::Int(repeatedly(line.join(Array::ints), line.sizes, line.n, subtract))
    } else {
        Data::Float(repeatedly(line.join(Array::floats), line.sizes, line.n, |a, b| a - b))
    };
    Ok(vec![array(meta, data)])
}

/// For each element of `diff`'s result what `rounding` adds up to over the differences that it is made of, itself not counted.
pub(crate) fn repeated_roundings(call: &Call<Array>, rounding: impl Fn(f64) -> f64) -> Result<Vec<f64>, OpError> {
    let line = Line::new(call)?;
    let exact = line.join(Array::floats).into_iter().map(|value| (value, 0.0)).collect();
    let rounds = |(a, error_a): (f64, f64), (b, error_b): (f64, f64)| (a - b, error_a + error_b + rounding(a - b));
    let last = repeatedly(exact, line.sizes, line.n, rounds);
    Ok(last.into_iter().map(|(value, error)| (error - rounding(value)).max(0.0)).collect())
}

/// What `diff` works on: the tensor with what is put before and after it.
struct Line<'a> {
    parts: Vec<&'a Array>,
    dim: usize,
    /// Before the dimension, along it, after it.
    sizes: [usize; 3],
    n: usize,
}

impl<'a> Line<'a> {
    fn new(call: &'a Call<Array>) -> Result<Self, OpError> {
        let input = call.tensor("input")?;
        let (n, dim) = differences(call, input.shape.len())?;
        let parts: Vec<&Array> =
            [call.opt_tensor("prepend")?, Some(input), call.opt_tensor("append")?].into_iter().flatten().collect();
        let size = parts.iter().map(|part| part.shape[dim]).sum();
        let product = |shape: &[usize]| shape.iter().product();
        Ok(Line { sizes: [product(&input.shape[..dim]), size, product(&input.shape[dim + 1..])], parts, dim, n })
    }

    fn join<T: Copy + 'a>(&self, values: impl Fn(&'a Array) -> Cow<'a, [T]>) -> Vec<T>
    where
        [T]: ToOwned<Owned = Vec<T>>,
    {
        let [outer, _, inner] = self.sizes;
        let rows: Vec<_> = self.parts.iter().map(|part| (values(part), part.shape[self.dim] * inner)).collect();
        super::movement::interleave(&rows, outer)
    }
}

/// `n` times the differences of neighbours along the middle one of three dimensions.
fn repeatedly<T: Copy>(
    mut values: Vec<T>,
    [outer, mut size, inner]: [usize; 3],
    n: usize,
    subtract: impl Fn(T, T) -> T,
) -> Vec<T> {
    for _ in 0..n.min(size) {
        size -= 1;
        let at = |o: usize, k: usize, i: usize| (o * (size + 1) + k) * inner + i;
        values = indices(&[outer, size, inner])
            .map(|index| {
                subtract(values[at(index[0], index[1] + 1, index[2])], values[at(index[0], index[1], index[2])])
            })
            .collect();
    }
    values
}

/// `input` with `src` in the place of a slice of it.
pub fn slice_scatter(call: &Call<Array>) -> Arrays {
    overwritten(call, &signatures::SLICE_SCATTER)
}

/// `input` with `src` in the place of one index of it.
pub fn select_scatter(call: &Call<Array>) -> Arrays {
    overwritten(call, &signatures::SELECT_SCATTER)
}

fn overwritten(call: &Call<Array>, signature: &Signature) -> Arrays {
    let meta = result(call, signature)?;
    let (input, src) = (call.tensor("input")?, call.tensor("src")?);
    let run = written(call, &input.shape)?;
    let mut part = input.shape.clone();
    part[run.dim] = run.count;
    let mut shape = src.shape.clone();
    if call.op() == "select_scatter" {
        shape.insert(run.dim, 1);
    }
    let sources = super::broadcast::layout(&shape, &part);
    let strides = Layout::contiguous(&input.shape).strides;
    let place = |mut index: Vec<usize>| {
        index[run.dim] = run.start + index[run.dim] * run.step;
        index.iter().zip(&strides).map(|(at, stride)| at * stride).sum::<usize>()
    };
    let pairs = indices(&part).map(place).zip(sources.positions());
    let data = if input.is_int() {
        let (mut values, src) = (input.ints().into_owned(), src.ints());
        pairs.for_each(|(to, from)| values[to] = src[from]);
        Data::Int(values)
    } else {
        let (mut values, src) = (input.to_f64(), src.floats());
        pairs.for_each(|(to, from)| values[to] = src[from]);
        Data::Float(values)
    };
    Ok(vec![array(meta, data)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_every_mode() {
        let places = |mode, pad: [i64; 2]| -> Vec<Option<usize>> {
            (0..(3 + pad[0] + pad[1]) as usize).map(|at| inside(mode, at, pad, 3)).collect()
        };
        assert_eq!(places(PadMode::Constant, [1, 1]), [None, Some(0), Some(1), Some(2), None]);
        assert_eq!(places(PadMode::Reflect, [2, 1]), [2, 1, 0, 1, 2, 1].map(Some));
        assert_eq!(places(PadMode::Replicate, [2, 1]), [0, 0, 0, 1, 2, 2].map(Some));
        assert_eq!(places(PadMode::Circular, [2, 1]), [1, 2, 0, 1, 2, 0].map(Some));
        assert_eq!(places(PadMode::Circular, [-1, 2]), [1, 2, 1, 2].map(Some));
    }
}
