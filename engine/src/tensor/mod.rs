//! Tensors on the host: element types, strided layouts, and values in their stored form.

mod bits;
mod dtype;
mod f8;
mod host;
mod layout;
mod quant;

pub use bits::{is_non_finite_bits, ulp_distance, ulp_size};
pub use dtype::{DType, UnknownDType};
pub use host::{HostTensor, TensorError};
pub use layout::{Layout, LayoutError, MAX_RANK};
pub use quant::{dequantize, quantize_q4_1};
