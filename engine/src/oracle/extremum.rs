//! Largest and smallest elements, and where they stand. NaN counts as larger than all, and as smaller than all.

use super::broadcast::expand;
use super::elementwise::{array, is_int};
use super::reduction::Groups;
use super::{Array, Data, result};
use crate::graph::signatures::extremum as signatures;
use crate::graph::{Call, Meta, OpError, Signature};
use crate::tensor::DType;

type Arrays = Result<Vec<Array>, OpError>;

/// The largest element over `dim`.
pub fn amax(call: &Call<Array>) -> Arrays {
    values(call, &signatures::AMAX, Side::Largest)
}

/// The smallest element over `dim`.
pub fn amin(call: &Call<Array>) -> Arrays {
    values(call, &signatures::AMIN, Side::Smallest)
}

/// Position of the smallest element, as `argmax`.
pub fn argmin(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::ARGMIN)?;
    let places = places(call.tensor("input")?, &Groups::new(call)?, Side::Smallest);
    Ok(vec![array(meta, Data::Int(places))])
}

/// The largest element of all; or of `dim`, and where the first of equal ones stands; or of each pair with `other`.
pub fn max(call: &Call<Array>) -> Arrays {
    extremum(call, &signatures::MAX, Side::Largest)
}

/// As `max`, with the smallest.
pub fn min(call: &Call<Array>) -> Arrays {
    extremum(call, &signatures::MIN, Side::Smallest)
}

/// Which end of the order is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Largest,
    Smallest,
}

impl Side {
    /// Whether `a` is to be taken before `b`; never where both are equal or both NaN.
    pub(super) fn prefers(self, a: f64, b: f64) -> bool {
        match self {
            _ if b.is_nan() => false,
            _ if a.is_nan() => true,
            Side::Largest => a > b,
            Side::Smallest => a < b,
        }
    }

    /// [`Side::prefers`] of integers.
    pub(super) fn prefers_int(self, a: i64, b: i64) -> bool {
        if self == Side::Largest { a > b } else { a < b }
    }
}

fn values(call: &Call<Array>, signature: &Signature, side: Side) -> Arrays {
    let meta = result(call, signature)?;
    let (input, groups) = (call.tensor("input")?, Groups::new(call)?);
    let places = places(input, &groups, side);
    Ok(vec![array(meta, taken(input, &groups, &places))])
}

fn extremum(call: &Call<Array>, signature: &Signature, side: Side) -> Arrays {
    let metas = signature.check(&call.map_tensors(Array::meta))?;
    let input = call.tensor("input")?;
    if let (Some(other), [meta]) = (call.opt_tensor("other")?, metas.as_slice()) {
        return Ok(vec![pairwise(input, other, meta.clone(), side)]);
    }
    let groups = Groups::new(call)?;
    let places = places(input, &groups, side);
    let values = taken(input, &groups, &places);
    // One result, or values and indices.
    let data = [values, Data::Int(places)];
    Ok(metas.into_iter().zip(data).map(|(meta, data)| array(meta, data)).collect())
}

fn pairwise(input: &Array, other: &Array, meta: Meta, side: Side) -> Array {
    let data = if is_int(meta.dtype) {
        let a = expand(&input.ints(), &input.shape, &meta.shape);
        let b = expand(&other.ints(), &other.shape, &meta.shape);
        Data::Int(a.into_iter().zip(b).map(|(a, b)| if side.prefers_int(b, a) { b } else { a }).collect())
    } else {
        let a = expand(&input.floats(), &input.shape, &meta.shape);
        let b = expand(&other.floats(), &other.shape, &meta.shape);
        Data::Float(a.into_iter().zip(b).map(|(a, b)| if side.prefers(b, a) { b } else { a }).collect())
    };
    array(meta, data)
}

/// Index within its group of each group's first preferred element.
fn places(input: &Array, groups: &Groups, side: Side) -> Vec<i64> {
    if input.is_int() {
        groups.first(&input.ints(), |a, b| side.prefers_int(a, b))
    } else {
        groups.first(&input.floats(), |a, b| side.prefers(a, b))
    }
}

/// The elements at `places` of their groups.
fn taken(input: &Array, groups: &Groups, places: &[i64]) -> Data {
    if input.is_int() || input.dtype == DType::Bool {
        Data::Int(groups.take(&input.ints(), places))
    } else {
        Data::Float(groups.take(&input.floats(), places))
    }
}
