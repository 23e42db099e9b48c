//! All that Taproot knows about traces except pixels: format, graph, oracle, WebGPU, comparison, replay.

pub mod compare;
pub mod graph;
pub mod operators;
pub mod oracle;
pub mod replay;
pub mod tensor;
pub mod trace;
pub mod webgpu;
