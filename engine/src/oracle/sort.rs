//! Sorting, the k largest elements, histograms.

use super::elementwise::{array, is_int};
use super::scan::Lines;
use super::{Array, Data, result};
use crate::graph::signatures::scan::line_dim;
use crate::graph::signatures::sort::{self as signatures, histogram_range};
use crate::graph::{Call, OpError, Signature};
use std::cmp::Ordering;

type Arrays = Result<Vec<Array>, OpError>;

/// The elements along `dim` in order, and where each stood; NaN is the largest, equal elements keep their order.
pub fn sort(call: &Call<Array>) -> Arrays {
    first(call, &signatures::SORT, call.bool("descending", false)?)
}

/// The indices of `sort`.
pub fn argsort(call: &Call<Array>) -> Arrays {
    first(call, &signatures::ARGSORT, call.bool("descending", false)?)
}

/// The first k elements of `sort`, descending if `largest`.
pub fn topk(call: &Call<Array>) -> Arrays {
    first(call, &signatures::TOPK, call.bool("largest", true)?)
}

/// The first elements of each line, sorted: as many as the results have room for.
fn first(call: &Call<Array>, signature: &Signature, descending: bool) -> Arrays {
    let metas = signature.check(&call.map_tensors(Array::meta))?;
    let input = call.tensor("input")?;
    let dim = line_dim(call, Some(-1), input.shape.len())?;
    let lines = Lines::new(&input.shape, dim);
    let kept = metas.first().and_then(|meta| meta.shape.get(dim).copied()).unwrap_or(1);
    let order = |line: usize| -> Vec<usize> {
        let mut order: Vec<usize> = (0..lines.size).collect();
        let directed = |ordering: Ordering| if descending { ordering.reverse() } else { ordering };
        // The sort is stable.
        if input.is_int() {
            let values = lines.line(&input.ints(), line);
            order.sort_by(|&a, &b| directed(values[a].cmp(&values[b])));
        } else {
            let values = lines.line(&input.floats(), line);
            order.sort_by(|&a, &b| directed(nan_last(values[a], values[b])));
        }
        order
    };
    let count = lines.count * kept;
    let (mut sources, mut places) = (vec![0; count], vec![0; count]);
    for line in 0..lines.count {
        for (rank, place) in order(line).into_iter().take(kept).enumerate() {
            let to = lines.at_of(line, rank, kept);
            sources[to] = lines.at(line, place);
            places[to] = place as i64;
        }
    }
    let values = if is_int(input.dtype) {
        let values = input.ints();
        Data::Int(sources.iter().map(|&at| values[at]).collect())
    } else {
        let values = input.floats();
        Data::Float(sources.iter().map(|&at| values[at]).collect())
    };
    // argsort has no values.
    let data = [values, Data::Int(places)].into_iter().skip(2 - metas.len().min(2));
    Ok(metas.into_iter().zip(data).map(|(meta, data)| array(meta, data)).collect())
}

/// Numbers in order, both zeros equal, all NaN equal and last.
fn nan_last(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// How many elements lie in each of `bins` equal parts of [min, max]; each part holds its lower end, the last its upper end too.
/// Where min = max the range is that of the elements, and one more to both sides where they are all equal.
pub fn histc(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::HISTC)?;
    let input = call.tensor("input")?.floats();
    let range = range(call, &input)?;
    let mut counts = vec![0i64; meta.shape.iter().product()];
    for &x in input.iter() {
        if let Some(count) = bin(x, range, counts.len()).and_then(|bin| counts.get_mut(bin as usize)) {
            *count += 1;
        }
    }
    let data = if is_int(meta.dtype) {
        Data::Int(counts)
    } else {
        Data::Float(counts.into_iter().map(|count| count as f64).collect())
    };
    Ok(vec![array(meta, data)])
}

/// The range of a histogram.
pub(crate) fn range(call: &Call<Array>, input: &[f64]) -> Result<[f64; 2], OpError> {
    let [mut min, mut max] = histogram_range(call)?;
    if min == max && !input.is_empty() {
        let finite = input.iter().all(|x| x.is_finite());
        if !finite {
            return Err(call.error("input", "must be finite where min and max give no range"));
        }
        min = input.iter().copied().fold(f64::INFINITY, f64::min);
        max = input.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    }
    Ok(if min == max { [min - 1.0, max + 1.0] } else { [min, max] })
}

/// Where `x` lies in a histogram, in parts from its start; `None` outside.
pub(crate) fn position(x: f64, [min, max]: [f64; 2], bins: usize) -> Option<f64> {
    (min..=max).contains(&x).then(|| (x - min) * bins as f64 / (max - min))
}

fn bin(x: f64, range: [f64; 2], bins: usize) -> Option<f64> {
    Some(position(x, range, bins)?.floor().min(bins as f64 - 1.0))
}
