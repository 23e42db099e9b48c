//! Reductions.

use super::{Array, unsupported};
use taproot_engine::graph::signatures::reduction::reduced_dims;
use taproot_engine::graph::{Call, OpError, wrap_dim};
use taproot_engine::operators;
use taproot_engine::tensor::{DType, Layout};

/// `sum`, `mean` and `linalg_vector_norm`, accumulated in order.
pub(super) fn reduce(call: &Call<Array>) -> Result<Array, OpError> {
    let input = call.tensor("input")?;
    let (targets, count) = targets(call, &input.shape)?;
    let metas = operators::infer(&call.map_tensors(Array::meta))?;
    let meta = metas.first().ok_or_else(|| unsupported(call, "a call without results".to_owned()))?;
    let results = meta.shape.iter().product();
    if call.op() == "sum" && meta.dtype == DType::I64 {
        let mut sums = vec![0i64; results];
        for (&value, &at) in input.ints().iter().zip(&targets) {
            sums[at] = sums[at].wrapping_add(value);
        }
        return Ok(Array::int(DType::I64, &meta.shape, sums));
    }
    let (start, step, finish) = float_reduction(call, count)?;
    let mut results = vec![start; results];
    for (&value, &at) in input.floats().iter().zip(&targets) {
        results[at] = step(results[at], value);
    }
    results.iter_mut().for_each(|result| *result = finish(*result));
    Ok(Array::float(&meta.shape, results))
}

type Step = Box<dyn Fn(f32, f32) -> f32>;
type Finish = Box<dyn Fn(f32) -> f32>;

/// Where a result starts, how an element enters it, and what is done to it last.
fn float_reduction(call: &Call<Array>, count: usize) -> Result<(f32, Step, Finish), OpError> {
    let same: Finish = Box::new(|x| x);
    Ok(match (call.op(), call.float("ord", 2.0)? as f32) {
        ("sum", _) => (0.0, Box::new(|sum, x| sum + x), same),
        ("mean", _) => (0.0, Box::new(|sum, x| sum + x), Box::new(move |sum| sum / count as f32)),
        (_, 2.0) => (0.0, Box::new(|sum, x| sum + x * x), Box::new(f32::sqrt)),
        (_, 1.0) => (0.0, Box::new(|sum, x| sum + x.abs()), same),
        (_, 0.0) => (0.0, Box::new(|sum, x| sum + if x == 0.0 { 0.0 } else { 1.0 }), same),
        (_, f32::INFINITY) => (0.0, Box::new(|max, x| if x.abs() > max || x.is_nan() { x.abs() } else { max }), same),
        (_, f32::NEG_INFINITY) => {
            (f32::INFINITY, Box::new(|min, x| if x.abs() < min || x.is_nan() { x.abs() } else { min }), same)
        }
        (_, order) => {
            (0.0, Box::new(move |sum, x| sum + x.abs().powf(order)), Box::new(move |sum| sum.powf(1.0 / order)))
        }
    })
}

/// For each element of the input the result that it goes into, and how many go into each.
fn targets(call: &Call<Array>, shape: &[usize]) -> Result<(Vec<usize>, usize), OpError> {
    let reduced = reduced_dims(call, shape.len())?;
    let kept: Vec<usize> = (0..shape.len()).filter(|dim| !reduced.contains(dim)).collect();
    let kept_strides = Layout::contiguous(&kept.iter().map(|&dim| shape[dim]).collect::<Vec<_>>()).strides;
    let mut strides = vec![0; shape.len()];
    for (&dim, stride) in kept.iter().zip(kept_strides) {
        strides[dim] = stride;
    }
    let count = reduced.iter().map(|&dim| shape[dim]).product();
    Ok((Layout { shape: shape.to_vec(), strides, offset: 0 }.positions().collect(), count))
}

/// `argmax(input, dim)`: the first of equal maxima; NaN is the maximum.
pub(super) fn argmax(call: &Call<Array>) -> Result<Array, OpError> {
    let input = call.tensor("input")?;
    let (outer, size, inner) = match call.opt_int("dim")? {
        None => (1, input.shape.iter().product(), 1),
        Some(dim) => {
            let dim = wrap_dim(dim, input.shape.len()).ok_or_else(|| call.error("dim", "is out of range"))?;
            let after = input.shape.get(dim + 1..).unwrap_or_default();
            let size = input.shape.get(dim).copied().unwrap_or(1);
            (input.shape.iter().take(dim).product::<usize>(), size, after.iter().product::<usize>())
        }
    };
    if size == 0 {
        return Err(call.error("input", "must have at least one element to choose from"));
    }
    let values = input.floats();
    let mut winners = Vec::with_capacity(outer * inner);
    for row in 0..outer {
        for column in 0..inner {
            let at = |index: usize| values[(row * size + index) * inner + column];
            let mut best = 0;
            for index in 1..size {
                if !at(best).is_nan() && (at(index) > at(best) || at(index).is_nan()) {
                    best = index;
                }
            }
            winners.push(best as i64);
        }
    }
    let metas = operators::infer(&call.map_tensors(Array::meta))?;
    let shape = metas.first().map(|meta| meta.shape.clone()).unwrap_or_default();
    Ok(Array::int(DType::I64, &shape, winners))
}
