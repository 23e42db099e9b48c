//! The trace: its manifest, its shards, and how they are read from memory, files and HTTP.

mod manifest;

pub use manifest::*;
