//! PyTorch's type promotion among tensors, rank-0 tensors and numbers.

use super::{broadcast, promote};
use crate::graph::{Arg, Call, Meta, OpError, Operand};
use crate::tensor::DType;

/// What one operand brings to a result.
#[derive(Debug)]
pub(super) struct Side {
    name: &'static str,
    pub(super) dtype: DType,
    /// Empty for a number.
    pub(super) shape: Vec<usize>,
    number: bool,
}

/// The tensor or number `name`; a number counts as bool, i64 or f32.
pub(super) fn side(call: &Call<Meta>, name: &'static str) -> Result<Side, OpError> {
    let number = |dtype| Side { name, dtype, shape: Vec::new(), number: true };
    Ok(match call.tensor_or_scalar(name)? {
        Operand::Tensor(meta) => Side { name, dtype: meta.dtype, shape: meta.shape.clone(), number: false },
        Operand::Int(_) if matches!(call.plain(name), Arg::Bool(_)) => number(DType::Bool),
        Operand::Int(_) => number(DType::I64),
        Operand::Float(_) => number(DType::F32),
    })
}

/// The dtype of a result: that of the tensors with dimensions, unless a rank-0 tensor is of a higher kind, unless a number is of a
/// higher kind still (bool, integer, float).
pub(super) fn common_dtype(sides: &[Side]) -> DType {
    let among = |wanted: fn(&Side) -> bool| sides.iter().filter(|s| wanted(s)).map(|s| s.dtype).reduce(promote);
    let tensors = among(|side| !side.number && !side.shape.is_empty());
    let rank_0 = among(|side| !side.number && side.shape.is_empty());
    let numbers = among(|side| side.number);
    let lower = combine(rank_0, numbers);
    combine(tensors, lower).unwrap_or(DType::F32)
}

fn combine(higher: Option<DType>, lower: Option<DType>) -> Option<DType> {
    match (higher, lower) {
        (Some(higher), Some(lower)) if kind(lower) > kind(higher) => Some(promote(higher, lower)),
        (Some(higher), _) => Some(higher),
        (None, lower) => lower,
    }
}

/// The broadcast shape of all sides.
pub(super) fn common_shape(call: &Call<Meta>, sides: &[Side]) -> Result<Vec<usize>, OpError> {
    let mut shape: Vec<usize> = Vec::new();
    for side in sides {
        let rule = || format!("of shape {:?} does not broadcast with {shape:?}", side.shape);
        shape = broadcast(&shape, &side.shape).ok_or_else(|| call.error(side.name, rule()))?;
    }
    Ok(shape)
}

fn kind(dtype: DType) -> u8 {
    match dtype {
        DType::Bool => 0,
        dtype if dtype.is_integer() => 1,
        _ => 2,
    }
}
