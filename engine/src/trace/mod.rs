//! The trace: its manifest, its shards, and how they are read from memory, files and HTTP.

pub mod archive;
mod error;
#[cfg(not(target_arch = "wasm32"))]
mod folder;
mod manifest;
mod opened;
mod shard;
pub mod source;
pub mod validate;
#[cfg(target_arch = "wasm32")]
pub mod web;
#[cfg(not(target_arch = "wasm32"))]
mod writer;

pub use error::TraceError;
#[cfg(not(target_arch = "wasm32"))]
pub use folder::FolderSource;
pub use manifest::*;
pub use opened::Trace;
pub use source::{ByteSource, Chunk, MemorySource, SourceError};
#[cfg(not(target_arch = "wasm32"))]
pub use writer::{Head, TraceSummary, TraceWriter, WriteError};
