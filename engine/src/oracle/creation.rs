//! Tensors made from numbers alone.

use super::elementwise::{Arrays, array, wrap};
use super::{Array, Data, result};
use crate::graph::signatures::creation::{self as signatures, Number, fill_value, range};
use crate::graph::{Call, Meta, OpError, Signature};
use crate::tensor::DType;

macro_rules! filled {
    ($($name:ident $signature:ident;)*) => { $(
        /// One value everywhere.
        pub fn $name(call: &Call<Array>) -> Arrays {
            fill(call, &signatures::$signature)
        }
    )* };
}

filled! {
    full FULL;
    zeros ZEROS;
    ones ONES;
    full_like FULL_LIKE;
    zeros_like ZEROS_LIKE;
    ones_like ONES_LIKE;
    new_full NEW_FULL;
    new_zeros NEW_ZEROS;
    new_ones NEW_ONES;
    scalar_tensor SCALAR_TENSOR;
}

fn fill(call: &Call<Array>, signature: &Signature) -> Arrays {
    let meta = result(call, signature)?;
    let value = fill_value(call)?;
    made(meta, |_| Ok(value))
}

/// start + i · step.
pub fn arange(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::ARANGE)?;
    let (mut start, mut step, _) = range(call)?;
    if !meta.dtype.is_float() {
        (start, step) = (Number::Int(start.int()), Number::Int(step.int()));
    }
    made(meta, |i| match (start, step) {
        (Number::Int(start), Number::Int(step)) => {
            let value = i128::from(start) + i128::from(step) * i as i128;
            let value = i64::try_from(value).map_err(|_| call.error("end", "makes the range leave the i64"))?;
            Ok(Number::Int(value))
        }
        _ => Ok(Number::Float(start.float() + i as f64 * step.float())),
    })
}

/// 1 where row and column are one, else 0.
pub fn eye(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::EYE)?;
    let columns = meta.shape.last().copied().unwrap_or(1).max(1);
    made(meta, |i| Ok(Number::Int(i64::from(i / columns == i % columns))))
}

/// Elements by their position: a float kept exactly, an integer as the dtype stores it.
fn made(meta: Meta, element: impl Fn(usize) -> Result<Number, OpError>) -> Arrays {
    let values = (0..meta.shape.iter().product()).map(element).collect::<Result<Vec<_>, _>>()?;
    let data = match meta.dtype {
        DType::Bool => Data::Int(values.iter().map(|value| i64::from(value.float() != 0.0)).collect()),
        dtype if dtype.is_float() => Data::Float(values.iter().map(|value| value.float()).collect()),
        dtype => Data::Int(values.iter().map(|value| wrap(dtype, value.int())).collect()),
    };
    Ok(vec![array(meta, data)])
}
