//! GPU memory: allocation, its limits, and how much is in use.

use super::GpuError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A buffer that is destroyed with its last owner. In browsers a dropped buffer would otherwise live until the garbage
/// collector runs, which knows nothing of GPU memory.
#[derive(Debug)]
pub(crate) struct Allocation {
    buffer: wgpu::Buffer,
    usage: Arc<Usage>,
}

impl Allocation {
    /// The buffer, for bindings and copies.
    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        self.usage.in_use.fetch_sub(self.buffer.size(), Ordering::Relaxed);
        self.buffer.destroy();
    }
}

/// Bytes in all live allocations of a device.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    in_use: AtomicU64,
    peak: AtomicU64,
}

impl Usage {
    /// Bytes in use now.
    pub(crate) fn in_use(&self) -> u64 {
        self.in_use.load(Ordering::Relaxed)
    }

    /// The most bytes ever in use.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// Creates a buffer of `bytes` (a multiple of 4) for `what`. Whether memory sufficed only shows in an out-of-memory
    /// error scope.
    pub(crate) fn allocate(
        self: &Arc<Self>,
        device: &wgpu::Device,
        bytes: u64,
        usage: wgpu::BufferUsages,
        what: &str,
    ) -> Result<Allocation, GpuError> {
        let limits = device.limits();
        fits(what, "maxBufferSize", bytes, limits.max_buffer_size)?;
        if usage.contains(wgpu::BufferUsages::STORAGE) {
            fits(what, "maxStorageBufferBindingSize", bytes, limits.max_storage_buffer_binding_size)?;
        }
        let descriptor = wgpu::BufferDescriptor { label: Some(what), size: bytes, usage, mapped_at_creation: false };
        let buffer = device.create_buffer(&descriptor);
        let now = self.in_use.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
        Ok(Allocation { buffer, usage: Arc::clone(self) })
    }
}

fn fits(what: &str, limit: &'static str, needed: u64, offered: u64) -> Result<(), GpuError> {
    if needed <= offered {
        return Ok(());
    }
    Err(GpuError::DoesNotFit { what: what.to_owned(), limit, needed, offered })
}
