//! Tensors in GPU memory.

use super::GpuError;
use super::memory::Allocation;
use crate::tensor::{DType, Layout};
use std::sync::Arc;

/// A tensor, or a strided view of one, in GPU memory. Cloning shares the memory; the last clone frees it.
#[derive(Clone, Debug)]
pub struct GpuTensor {
    allocation: Arc<Allocation>,
    dtype: DType,
    /// Elements in the buffer, which every view is checked against.
    base: usize,
    layout: Layout,
}

impl GpuTensor {
    /// A contiguous tensor over a whole allocation.
    pub(super) fn over(allocation: Arc<Allocation>, dtype: DType, shape: &[usize]) -> Self {
        let layout = Layout::contiguous(shape);
        GpuTensor { allocation, dtype, base: layout.numel(), layout }
    }

    /// Element type, as the trace names it; [`storage`](super) says how it lies in memory.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// How the elements lie in the buffer.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Size of each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.layout.shape
    }

    /// Number of elements.
    pub fn numel(&self) -> usize {
        self.layout.numel()
    }

    /// Another view of the same memory.
    ///
    /// # Errors
    /// When `layout` reaches outside the buffer.
    pub fn with_layout(&self, layout: Layout) -> Result<Self, GpuError> {
        layout.check(self.base)?;
        Ok(GpuTensor { layout, ..self.clone() })
    }

    /// The memory behind the tensor.
    pub(super) fn allocation(&self) -> &Arc<Allocation> {
        &self.allocation
    }

    /// Whether the tensor is all of its buffer, in order.
    pub(super) fn is_whole(&self) -> bool {
        self.layout.offset == 0 && self.layout.is_contiguous() && self.numel() == self.base
    }
}
