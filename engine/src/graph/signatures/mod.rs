//! Signatures: for each operator its argument names and the dtype and shape of its results, a file per family.
//!
//! These are the rules that a case is checked against before anything runs; they follow PyTorch's documentation.

pub mod attention;
pub mod convolution;
pub mod creation;
pub mod elementwise;
pub mod extremum;
pub mod gather;
pub mod grouped;
pub mod index;
pub mod matmul;
pub mod movement;
pub mod norm;
pub mod normalization;
pub mod pad;
pub mod pooling;
pub mod products;
pub mod rearrange;
pub mod reduction;
pub mod scan;
pub mod softmax;
pub mod sort;
pub mod triangle;
pub mod variance;
pub mod vector_norm;
pub mod weight_norm;

pub mod activation;
pub mod arithmetic;
pub mod channels;
pub mod clamp;
pub mod combination;
mod eight_bit;
pub mod logic;
mod promotion;
pub mod remainder;

use super::{Call, Meta, OpError};
use crate::tensor::{DType, MAX_RANK};

/// Families of operators, as in the documentation and in file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Unary, binary, comparison, casts.
    Elementwise,
    /// Strides only, never a kernel.
    View,
    /// Made from numbers alone.
    Creation,
    /// Copies that move elements.
    Movement,
    /// Look-ups by index.
    Gather,
    /// Reductions.
    Reduction,
    /// Matrix products.
    Matmul,
    /// Softmax and norms.
    Norm,
    /// Attention.
    Attention,
    /// Convolutions.
    Convolution,
    /// Pooling.
    Pooling,
    /// Resizing by interpolation.
    Resampling,
}

/// Gives the dtype and shape of each result.
pub type InferFn = fn(&Call<Meta>) -> Result<Vec<Meta>, OpError>;

/// Name, arguments and result rule of an operator.
#[derive(Debug)]
pub struct Signature {
    /// ATen name without overload.
    pub name: &'static str,
    /// Family.
    pub family: Family,
    /// Every argument name that it takes, in PyTorch's order.
    pub params: &'static [&'static str],
    /// Result rule.
    pub infer: InferFn,
}

impl Signature {
    /// Checks the argument names and gives the results' dtypes and shapes.
    ///
    /// # Errors
    /// When an argument is unknown or breaks a rule.
    pub fn check(&self, call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
        for (name, _) in call.args() {
            if !self.params.contains(&name) {
                let rule = format!("is unknown; the operator takes {}", self.params.join(", "));
                return Err(call.error(name, rule));
            }
        }
        eight_bit::check(call)?;
        (self.infer)(call)
    }
}

/// Shape of a broadcast, by PyTorch's rule.
pub(crate) fn broadcast(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let rank = a.len().max(b.len());
    let size = |shape: &[usize], dim: usize| {
        (dim + shape.len()).checked_sub(rank).and_then(|at| shape.get(at).copied()).unwrap_or(1)
    };
    (0..rank)
        .map(|dim| match (size(a, dim), size(b, dim)) {
            (x, y) if x == y => Some(x),
            (1, y) => Some(y),
            (x, 1) => Some(x),
            _ => None,
        })
        .collect()
}

/// PyTorch's promotion between two tensors of equal standing (both with dimensions).
pub(crate) fn promote(a: DType, b: DType) -> DType {
    fn rank(dtype: DType) -> u8 {
        match dtype {
            DType::Bool => 0,
            DType::U8 => 1,
            DType::I8 => 2,
            DType::I16 => 3,
            DType::I32 => 4,
            DType::I64 => 5,
            DType::F16 | DType::BF16 => 7,
            DType::F32 => 8,
            DType::F64 => 9,
            // 8-bit floats and quantised blocks are forms of weights: what they meet decides.
            _ => 6,
        }
    }
    match (a, b) {
        (DType::F16, DType::BF16) | (DType::BF16, DType::F16) => DType::F32,
        (DType::U8, DType::I8) | (DType::I8, DType::U8) => DType::I16,
        _ if rank(a) >= rank(b) => a,
        _ => b,
    }
}

/// dtype that a float computation on `dtype` gives: floats keep theirs, integers become f32.
pub(crate) fn float_result(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 | DType::F64 => dtype,
        _ => DType::F32,
    }
}

/// A result's dtype and shape, where its size can be had: its elements are counted in 32 bits on the GPU.
pub(crate) fn sized<T>(call: &Call<T>, argument: &str, dtype: DType, shape: &[usize]) -> Result<Meta, OpError> {
    let fits = dtype.byte_len(shape).is_some_and(|bytes| isize::try_from(bytes).is_ok())
        && shape.iter().try_fold(1u32, |product, &size| product.checked_mul(u32::try_from(size).ok()?)).is_some();
    if !fits {
        return Err(call.error(argument, format!("gives a {dtype} result of shape {shape:?}, which is too large")));
    }
    if shape.len() > MAX_RANK {
        return Err(call.error(argument, format!("gives shape {shape:?}, but {MAX_RANK} dimensions are the most")));
    }
    Ok(Meta::new(dtype, shape))
}

/// An error about `argument` unless `ok`.
pub(crate) fn require(
    ok: bool,
    call: &Call<Meta>,
    argument: &str,
    rule: impl FnOnce() -> String,
) -> Result<(), OpError> {
    if ok { Ok(()) } else { Err(call.error(argument, rule())) }
}
