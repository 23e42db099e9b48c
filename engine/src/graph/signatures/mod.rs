//! Signatures: for each operator its argument names and the dtype and shape of its results, a file per family.
//!
//! These are the rules that a case is checked against before anything runs; they follow PyTorch's documentation.

pub mod attention;
pub mod elementwise;
pub mod gather;
pub mod matmul;
pub mod movement;
pub mod norm;
pub mod reduction;

use super::{Call, Meta, OpError};
use crate::tensor::DType;

/// Families of operators, as in the documentation and in file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Unary, binary, comparison, casts.
    Elementwise,
    /// Strides only, never a kernel.
    View,
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
            DType::F64 => 9,
            _ => 8,
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

/// An error about `argument` unless `ok`.
pub(crate) fn require(
    ok: bool,
    call: &Call<Meta>,
    argument: &str,
    rule: impl FnOnce() -> String,
) -> Result<(), OpError> {
    if ok { Ok(()) } else { Err(call.error(argument, rule())) }
}
