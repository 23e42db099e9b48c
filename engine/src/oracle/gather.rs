//! Look-ups by index.

use super::elementwise::array;
use super::{Array, Data, result};
use crate::graph::signatures::gather as signatures;
use crate::graph::{Call, OpError};

/// Rows of `weight` by `indices`.
pub fn embedding(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    let meta = result(call, &signatures::EMBEDDING)?;
    let weight = call.tensor("weight")?;
    let mut values = Vec::with_capacity(meta.shape.iter().product());
    for &index in call.tensor("indices")?.ints().iter() {
        let rows = weight.shape[0];
        let row = usize::try_from(index).ok().filter(|&row| row < rows).and_then(|row| weight.row(row));
        let row = row.ok_or_else(|| call.error("indices", format!("hold {index}, but weight has {rows} rows")))?;
        values.extend_from_slice(&row);
    }
    Ok(vec![array(meta, Data::Float(values))])
}
