//! Pooling.

use super::elementwise::array;
use super::{Array, Data, unsupported};
use crate::graph::signatures::pooling::{Pool, Window};
use crate::graph::{Call, OpError};
use crate::operators;

type Arrays = Result<Vec<Array>, OpError>;

/// The largest element of each window, and with indices its position in the plane: the first of equal ones, the last of NaNs.
/// A window without elements, which dilation and padding can make, gives −∞.
pub fn largest(call: &Call<Array>) -> Arrays {
    let metas = operators::infer(&call.map_tensors(Array::meta))?;
    let input = call.tensor("input")?;
    let pool = Pool::new(call, &input.shape)?;
    let (data, positions) = if input.is_int() {
        let lowest = i64::MIN;
        let (values, positions) = of_windows(&pool, &input.ints(), lowest, |a, b| a > b);
        (Data::Int(values), positions)
    } else {
        let greater = |a: f64, b: f64| a > b || a.is_nan();
        let (values, positions) = of_windows(&pool, &input.floats(), f64::NEG_INFINITY, greater);
        (Data::Float(values), positions)
    };
    let data = [data, Data::Int(positions)];
    Ok(metas.into_iter().zip(data).map(|(meta, data)| array(meta, data)).collect())
}

// Positions are in range: windows lie within the input's planes.
fn of_windows<T: Copy>(pool: &Pool, input: &[T], lowest: T, greater: impl Fn(T, T) -> bool) -> (Vec<T>, Vec<i64>) {
    let (mut values, mut positions) = (Vec::new(), Vec::new());
    for plane in input.chunks_exact(pool.input.iter().product()) {
        each_window(pool, |windows| {
            let mut best = lowest;
            let mut position = flat(pool, windows.map(|window| window.first));
            each_element(pool, windows, |at| {
                if greater(plane[at], best) {
                    (best, position) = (plane[at], at);
                }
            });
            values.push(best);
            positions.push(position as i64);
        });
    }
    (values, positions)
}

/// The mean of each window: its sum divided by `divisor_override`, or by the number of its elements, with those of the padding
/// unless `count_include_pad` is false.
pub fn mean(call: &Call<Array>) -> Arrays {
    let mut metas = operators::infer(&call.map_tensors(Array::meta))?;
    let input = call.tensor("input")?;
    let pool = Pool::new(call, &input.shape)?;
    let divisors = divisors(call, &pool)?;
    let sums = window_sums(&pool, &input.floats());
    // A window without elements sums to 0, whatever it is divided by.
    let means = sums.iter().zip(divisors.iter().cycle()).map(|(sum, n)| if *n == 0.0 { 0.0 } else { sum / n });
    let meta = metas.pop().ok_or_else(|| unsupported(call, "a call without results"))?;
    Ok(vec![array(meta, Data::Float(means.collect()))])
}

/// The sum of each window of each plane.
pub(crate) fn window_sums(pool: &Pool, input: &[f64]) -> Vec<f64> {
    let mut sums = Vec::new();
    for plane in input.chunks_exact(pool.input.iter().product()) {
        each_window(pool, |windows| {
            let mut sum = 0.0;
            each_element(pool, windows, |at| sum += plane[at]);
            sums.push(sum);
        });
    }
    sums
}

/// What the sum of each window of a plane is divided by.
pub(crate) fn divisors(call: &Call<Array>, pool: &Pool) -> Result<Vec<f64>, OpError> {
    let fixed = call.opt_int("divisor_override")?;
    let with_padding = call.bool("count_include_pad", true)?;
    let mut divisors = Vec::new();
    each_window(pool, |windows| {
        let count = |window: Window| if with_padding { window.padded } else { window.end.saturating_sub(window.first) };
        divisors.push(fixed.map_or_else(|| windows.map(|window| count(window) as f64).iter().product(), |n| n as f64));
    });
    Ok(divisors)
}

fn each_window(pool: &Pool, mut visit: impl FnMut([Window; 3])) {
    let along = |dim: usize| (0..pool.output[dim]).map(move |at| pool.window(dim, at));
    for depth in along(0) {
        for row in along(1) {
            for column in along(2) {
                visit([depth, row, column]);
            }
        }
    }
}

fn each_element(pool: &Pool, windows: [Window; 3], mut visit: impl FnMut(usize)) {
    let along = |dim: usize| (windows[dim].first..windows[dim].end).step_by(windows[dim].step);
    for d in along(0) {
        for h in along(1) {
            for w in along(2) {
                visit(flat(pool, [d, h, w]));
            }
        }
    }
}

/// Position in a plane; wraps for the first element of an empty window far outside, where it means nothing.
fn flat(pool: &Pool, [d, h, w]: [usize; 3]) -> usize {
    let [_, height, width] = pool.input;
    d.wrapping_mul(height).wrapping_add(h).wrapping_mul(width).wrapping_add(w)
}
