//! How fast the engine's kernels are, natively (`taproot-bench`) and in a page beside onnxruntime-web and TensorFlow.js.
//!
//! Every side does the same: some runs of one operator on tensors that already lie on the GPU are submitted together, and the
//! time until the GPU has finished them all is divided by their number; of several such rounds the fastest counts.

mod measure;
#[cfg(target_arch = "wasm32")]
mod web;
mod workload;

pub use measure::{Measured, measure};
pub use workload::{Cost, Workload, workloads};
