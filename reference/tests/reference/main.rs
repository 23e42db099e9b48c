//! Tests of the program `taproot` and its library.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod carve_and_replay;
mod checkpoints;
mod command_line;
mod cpu_operators;
mod gguf_files;
mod graphs;
mod over_http;
mod proof;
mod sample_models;
mod tiny;
mod tokenizers;
#[path = "../../../engine/tests/vectors/mod.rs"]
mod vectors;
mod vocabulary;
