//! What WGSL's accuracy rules allow an operator's built-in functions to be off, per element.

use crate::graph::Call;
use crate::oracle::Array;

/// Absolute error allowed for each element of each result, beyond rounding to the result's dtype; an empty list means none.
pub type AllowanceFn = fn(&Call<Array>, &[Array]) -> Vec<Vec<f64>>;
