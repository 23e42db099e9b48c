//! All that Taproot knows about traces except pixels: format, graph, oracle, WebGPU, comparison, replay.

pub mod compare;
pub mod graph;
// TEMPORARY: becomes `pub mod operators;` once oracle/ and webgpu/ provide what operators.rs names.
#[path = "operators_stub.rs"]
pub mod operators;
pub mod oracle;
pub mod replay;
pub mod tensor;
pub mod trace;
pub mod webgpu;
