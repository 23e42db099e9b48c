//! WebGPU: the target. Device, buffers, pipelines and kernels, natively (Vulkan, Metal, DX12) and in the browser.

pub mod kernels;
