//! The oracle: every operator in f64 with plain loops, to be read against PyTorch's documentation; a file per family.
//!
//! Inputs are the stored values, exactly; nothing is rounded to a dtype on the way, the result neither. Integers and bool are
//! exact.

mod array;
pub mod attention;
pub(crate) mod broadcast;
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
mod unary;
pub mod variance;
pub mod weight_norm;

pub mod activation;
pub mod channels;
pub mod clamp;
pub mod combination;
pub mod functions;
pub mod logic;
pub mod remainder;
pub mod rounding;

pub use array::{Array, Data};

use crate::graph::views::View;
use crate::graph::{Call, Meta, OpError, Signature};
use crate::operators::{self, Definition};
use crate::tensor::Layout;
use std::borrow::Cow;

/// An operator on f64 arrays. Each checks its signature first.
pub type OracleFn = fn(&Call<Array>) -> Result<Vec<Array>, OpError>;

/// Computes any operator of the vocabulary, views included.
///
/// # Errors
/// When the operator is unknown, an argument breaks a rule, or the oracle does not do the case.
pub fn run(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    match operators::lookup(call.op()) {
        Some(Definition::Kernel(kernel)) => (kernel.oracle)(call),
        Some(Definition::View(view)) => look(call, view),
        None => Err(OpError::Unknown(call.op().to_owned())),
    }
}

/// A view, copied.
fn look(call: &Call<Array>, view: &View) -> Result<Vec<Array>, OpError> {
    let input = call.tensor("input")?;
    let layouts = view.check(&call.map_tensors(|array| Layout::contiguous(&array.shape)))?;
    let floats = if input.is_int() { Cow::default() } else { input.floats() };
    let copy = |layout: &Layout| {
        // In range: a view of a contiguous array stays inside it.
        let data = match &input.data {
            Data::Int(values) => Data::Int(layout.positions().map(|at| values[at]).collect()),
            _ => Data::Float(layout.positions().map(|at| floats[at]).collect()),
        };
        Array { dtype: input.dtype, shape: layout.shape.clone(), data }
    };
    Ok(layouts.iter().map(copy).collect())
}

/// dtype and shape of the one result of a call, by the operator's signature.
fn result(call: &Call<Array>, signature: &Signature) -> Result<Meta, OpError> {
    let mut results = signature.check(&call.map_tensors(Array::meta))?;
    results.pop().ok_or_else(|| unsupported(call, "a call without results"))
}

fn unsupported(call: &Call<Array>, what: &str) -> OpError {
    OpError::Unsupported { op: call.op().to_owned(), what: what.to_owned(), by: "the oracle" }
}
