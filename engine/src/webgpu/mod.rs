//! WebGPU: the target. Device, buffers, pipelines and kernels, natively (Vulkan, Metal, DX12) and in the browser.
//!
//! [`Gpu::run`] runs one operator on [`GpuTensor`]s. A kernel is a `.wgsl` file in `shaders/`; the parameters, bindings and
//! the functions that load and store elements of each dtype are generated around it (see `wgsl.rs`), so one file serves
//! every dtype and layout.

mod device;
mod dispatch;
mod error;
mod info;
pub mod kernels;
mod memory;
mod overrides;
mod pass;
mod pipeline;
mod pool;
mod run;
mod scopes;
mod shaders;
mod space;
mod storage;
mod tensor;
#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
mod tests;
mod transfer;
mod wgsl;

pub use device::Gpu;
pub use error::{GpuError, KernelFailure};
pub use info::{GpuInfo, GpuLimits};
pub use overrides::KernelOverride;
pub use pass::Pass;
pub use run::{RunError, Submitted};
pub use shaders::shader_text;
pub use tensor::GpuTensor;
