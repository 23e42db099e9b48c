//! The native program `taproot`: carve a model's run into a trace, replay it on native WebGPU, describe it.

pub mod builders;
pub mod carve;
pub mod cpu;
pub mod http;
pub mod info;
pub mod models;
pub mod open;
pub mod replay;
pub mod text;
pub mod tokenizer;
pub mod vocabulary;
