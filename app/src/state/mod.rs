//! What the page knows: the view, the open trace with its results, what the worker is doing.

pub mod address;
pub mod client;
pub mod drop;
pub mod heat;
mod incoming;
pub mod notices;
pub mod plan;
pub mod samples;
mod start;
pub mod store;
pub mod theme;
pub mod trace;

pub use store::Store;
