//! Weights with a length of their own.

use super::broadcast::expand;
use super::elementwise::array;
use super::reduction::Groups;
use super::{Array, Data, result};
use crate::graph::signatures::weight_norm::{WEIGHT_NORM, norm_dims};
use crate::graph::{Call, OpError};

/// v · g / √(Σ v²), the sum over all dimensions but `dim`.
pub fn weight_norm(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    let meta = result(call, &WEIGHT_NORM)?;
    let (v, g) = (call.tensor("v")?, call.tensor("g")?);
    let groups = Groups::over(&v.shape, norm_dims(call, v.shape.len())?);
    let squares = groups.fold(&v.floats(), 0.0, |sum, x| sum + x * x);
    let lengths = expand(&g.floats(), &g.shape, &v.shape);
    let elements =
        v.floats().iter().zip(groups.spread(&squares)).zip(lengths).map(|((v, s), g)| v * (g / s.sqrt())).collect();
    Ok(vec![array(meta, Data::Float(elements))])
}
