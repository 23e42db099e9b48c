//! Products of groups of matrices.

use super::elementwise::array;
use super::matmul::dot;
use super::{Array, Data, unsupported};
use crate::graph::signatures::grouped::{Divided, Groups, factors};
use crate::graph::{Call, OpError};
use crate::operators;
use std::ops::Range;

/// `grouped_mm`, `_grouped_mm`: for each group the product of its part of the factors; 0 where there is no group.
pub fn grouped_mm(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    let metas = operators::infer(&call.map_tensors(Array::meta))?;
    let meta = metas.into_iter().next().ok_or_else(|| unsupported(call, "a call without results"))?;
    let [left, right] = factors(call);
    let (left, right) = (call.tensor(left)?, call.tensor(right)?);
    let (groups, ranges) = ranges(call)?;
    let Groups { divided, rows, depth, columns, .. } = groups;
    let (a, b) = (left.floats(), right.floats());
    let mut values = vec![0.0; meta.shape.iter().product()];
    for (group, range) in ranges.into_iter().enumerate() {
        let of = |divides: Divided, size: usize| if divided == divides { range.clone() } else { 0..size };
        let inner = of(Divided::Depth, depth);
        let matrix = |rank: usize, size: usize| if rank == 3 { group * size } else { 0 };
        let (a, b) = (&a[matrix(left.shape.len(), rows * depth)..], &b[matrix(right.shape.len(), depth * columns)..]);
        let result = matrix(meta.shape.len(), rows * columns);
        for column in of(Divided::Columns, columns) {
            let y: Vec<f64> = inner.clone().map(|k| b[k * columns + column]).collect();
            for row in of(Divided::Rows, rows) {
                let x = &a[row * depth + inner.start..row * depth + inner.end];
                values[result + row * columns + column] = dot(x, &y);
            }
        }
    }
    Ok(vec![array(meta, Data::Float(values))])
}

/// The sizes of a call that has been checked, and each group's part of what is divided.
///
/// # Errors
/// Where the ends do not rise, or leave the tensor.
pub(crate) fn ranges(call: &Call<Array>) -> Result<(Groups, Vec<Range<usize>>), OpError> {
    let [left, right] = factors(call);
    let (left, right) = (call.tensor(left)?, call.tensor(right)?);
    let offs = call.opt_tensor("offs")?;
    let groups = Groups::of(&left.shape, &right.shape, offs.map_or(0, Array::numel))
        .ok_or_else(|| unsupported(call, "factors of other than 2 or 3 dimensions"))?;
    let length = groups.length();
    let Some(offs) = offs else { return Ok((groups, vec![0..length; groups.count])) };
    let mut start = 0;
    let mut ranges = Vec::with_capacity(groups.count);
    for &end in offs.ints().iter() {
        let end = usize::try_from(end).ok().filter(|end| (start..=length).contains(end)).ok_or_else(|| {
            call.error("offs", format!("must rise from 0 to at most {length}, but goes from {start} to {end}"))
        })?;
        ranges.push(start..end);
        start = end;
    }
    Ok((groups, ranges))
}
