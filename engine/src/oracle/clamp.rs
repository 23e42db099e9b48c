//! Bounds on elements: numbers or tensors.

use super::elementwise::{Arrays, array, floats, ints, is_int};
use super::{Array, Data, result};
use crate::graph::signatures::clamp::{self as signatures, bound};
use crate::graph::{Call, OpError, Operand, Signature};
use crate::tensor::{DType, HostTensor};

/// min(max(input, min), max); either bound may be left out, and NaN in any of the three stays NaN.
pub fn clamp(call: &Call<Array>) -> Arrays {
    between(call, &signatures::CLAMP)
}

/// max(input, min).
pub fn clamp_min(call: &Call<Array>) -> Arrays {
    between(call, &signatures::CLAMP_MIN)
}

/// min(input, max).
pub fn clamp_max(call: &Call<Array>) -> Arrays {
    between(call, &signatures::CLAMP_MAX)
}

fn between(call: &Call<Array>, signature: &Signature) -> Arrays {
    let meta = result(call, signature)?;
    let input = Operand::Tensor(call.tensor("input")?);
    let data = if is_int(meta.dtype) {
        let bounds = |name: &str| -> Result<Option<Vec<i64>>, OpError> {
            Ok(bound(call, name)?.map(|operand| ints(operand, &meta.shape)))
        };
        Data::Int(clamped(ints(input, &meta.shape), bounds("min")?, bounds("max")?, i64::max, i64::min))
    } else {
        let bounds = |name: &str| -> Result<Option<Vec<f64>>, OpError> {
            Ok(bound(call, name)?.map(|operand| in_dtype(floats(operand, &meta.shape), meta.dtype)))
        };
        // Comparisons and not f64::max, which would drop a NaN.
        let raise = |v: f64, min: f64| if v.is_nan() || v >= min { v } else { min };
        let lower = |v: f64, max: f64| if v.is_nan() || v <= max { v } else { max };
        Data::Float(clamped(floats(input, &meta.shape), bounds("min")?, bounds("max")?, raise, lower))
    };
    Ok(vec![array(meta, data)])
}

/// Bounds as elements of the result: a rank-0 tensor of a wider float is rounded as a number is.
fn in_dtype(values: Vec<f64>, dtype: DType) -> Vec<f64> {
    HostTensor::from_f64(dtype, &[values.len()], &values).map_or(values, |tensor| tensor.to_f64())
}

fn clamped<T: Copy>(
    mut values: Vec<T>,
    min: Option<Vec<T>>,
    max: Option<Vec<T>>,
    raise: impl Fn(T, T) -> T,
    lower: impl Fn(T, T) -> T,
) -> Vec<T> {
    for (value, bound) in values.iter_mut().zip(min.into_iter().flatten()) {
        *value = raise(*value, bound);
    }
    for (value, bound) in values.iter_mut().zip(max.into_iter().flatten()) {
        *value = lower(*value, bound);
    }
    values
}
