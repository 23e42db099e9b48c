//! The oracle: every operator in f64 with plain loops, to be read against PyTorch's documentation; a file per family.
//!
//! Inputs are the stored values, exactly; nothing is rounded to a dtype on the way, the result neither. Integers and bool are
//! exact.

mod array;
pub mod attention;
pub(crate) mod broadcast;
pub mod elementwise;
pub mod gather;
pub mod matmul;
pub mod movement;
pub mod norm;
pub mod reduction;
mod unary;

pub use array::{Array, Data};

use crate::graph::{Call, Meta, OpError, Signature};

/// An operator on f64 arrays. Each checks its signature first.
pub type OracleFn = fn(&Call<Array>) -> Result<Vec<Array>, OpError>;

/// dtype and shape of the one result of a call, by the operator's signature.
fn result(call: &Call<Array>, signature: &Signature) -> Result<Meta, OpError> {
    let mut results = signature.check(&call.map_tensors(Array::meta))?;
    results.pop().ok_or_else(|| unsupported(call, "a call without results"))
}

fn unsupported(call: &Call<Array>, what: &str) -> OpError {
    OpError::Unsupported { op: call.op().to_owned(), what: what.to_owned(), by: "the oracle" }
}
