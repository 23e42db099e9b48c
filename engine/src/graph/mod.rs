//! The graph: operators with PyTorch's names and arguments, what shapes and dtypes they give, and views.

mod arg;
mod call;
mod error;
mod meta;
pub mod signatures;
pub mod views;

pub use arg::Arg;
pub use call::{Call, Operand, Value, wrap_dim};
pub use error::OpError;
pub use meta::Meta;
pub use signatures::{Family, Signature};
