//! Taproot in the browser: a page that only paints, and a worker that owns the trace, the engine and the WebGPU device.

pub mod components;
pub mod protocol;
pub mod state;
pub mod worker;
