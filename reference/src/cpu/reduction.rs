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
    let square = match (call.op(), call.float("ord", 2.0)?) {
        ("linalg_vector_norm", 2.0) => true,
        ("linalg_vector_norm", order) => return Err(unsupported(call, format!("ord {order}"))),
        _ => false,
    };
    let mut sums = vec![0f32; results];
    for (&value, &at) in input.floats().iter().zip(&targets) {
        sums[at] += if square { value * value } else { value };
    }
    let finish: Box<dyn Fn(f32) -> f32> = match call.op() {
        "mean" => Box::new(move |sum| sum / count as f32),
        "linalg_vector_norm" => Box::new(f32::sqrt),
        _ => Box::new(|sum| sum),
    };
    Ok(Array::float(&meta.shape, sums.into_iter().map(finish).collect()))
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
