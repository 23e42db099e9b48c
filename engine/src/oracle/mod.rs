//! The oracle: every operator in f64 with plain loops, to be read against PyTorch's documentation; a file per family.

mod array;

pub use array::{Array, Data};

use crate::graph::{Call, OpError};

/// An operator on f64 arrays. Signatures have been checked before it is called.
pub type OracleFn = fn(&Call<Array>) -> Result<Vec<Array>, OpError>;
