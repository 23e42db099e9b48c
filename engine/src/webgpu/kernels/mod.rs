//! Kernels, a file per family; each records its dispatches into a [`Pass`].

/// An operator on GPU tensors. Signatures have been checked before it is called; it records work and returns the results' buffers.
pub type KernelFn = fn();
