//! GPU memory: allocation, its limits, and how much is in use.

use super::GpuError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A buffer that is destroyed with its last owner. In browsers a dropped buffer would otherwise live until the garbage
/// collector runs, which knows nothing of GPU memory.
#[derive(Debug)]
pub(crate) struct Allocation {
    buffer: wgpu::Buffer,
    memory: Arc<Memory>,
}

impl Allocation {
    /// The buffer, for bindings and copies.
    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        self.memory.in_use.fetch_sub(self.buffer.size(), Ordering::Relaxed);
        self.buffer.destroy();
    }
}

/// The memory of a device.
#[derive(Debug)]
pub(crate) struct Memory {
    device: wgpu::Device,
    /// Asking a browser for its limits each time would be slow.
    limits: wgpu::Limits,
    in_use: AtomicU64,
    peak: AtomicU64,
    /// Whether an allocation outside error scopes failed: an upload, whose buffer is then no good.
    exhausted: Arc<AtomicBool>,
}

impl Memory {
    /// The memory of `device`; `exhausted` is set when an allocation outside error scopes fails.
    #[cfg_attr(
        target_arch = "wasm32",
        expect(clippy::arc_with_non_send_sync, reason = "natively it is shared between threads; a browser has one")
    )]
    pub(crate) fn new(device: &wgpu::Device, exhausted: Arc<AtomicBool>) -> Arc<Self> {
        let (in_use, peak) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Memory { device: device.clone(), limits: device.limits(), in_use, peak, exhausted })
    }

    /// The device's limits.
    pub(crate) fn limits(&self) -> &wgpu::Limits {
        &self.limits
    }

    /// Bytes in use now.
    pub(crate) fn in_use(&self) -> u64 {
        self.in_use.load(Ordering::Relaxed)
    }

    /// The most bytes ever in use.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// Whether an upload failed since this was last asked.
    pub(crate) fn take_exhausted(&self) -> bool {
        self.exhausted.swap(false, Ordering::Relaxed)
    }

    /// Creates a buffer of `bytes` (a multiple of 4) for `what`. Whether memory sufficed only shows in an out-of-memory
    /// error scope.
    pub(crate) fn allocate(
        self: &Arc<Self>,
        bytes: u64,
        usage: wgpu::BufferUsages,
        what: &str,
    ) -> Result<Allocation, GpuError> {
        fits(what, "maxBufferSize", bytes, self.limits.max_buffer_size)?;
        if usage.contains(wgpu::BufferUsages::STORAGE) {
            fits(what, "maxStorageBufferBindingSize", bytes, self.limits.max_storage_buffer_binding_size)?;
        }
        let descriptor = wgpu::BufferDescriptor { label: Some(what), size: bytes, usage, mapped_at_creation: false };
        let buffer = self.device.create_buffer(&descriptor);
        let now = self.in_use.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
        Ok(Allocation { buffer, memory: Arc::clone(self) })
    }
}

fn fits(what: &str, limit: &'static str, needed: u64, offered: u64) -> Result<(), GpuError> {
    if needed <= offered {
        return Ok(());
    }
    Err(GpuError::DoesNotFit { what: what.to_owned(), limit, needed, offered })
}
