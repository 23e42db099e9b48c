//! GPU memory: allocation, its limits, and how much is in use.

use super::GpuError;
use super::pool::Pool;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A buffer that is given back with its last owner: to the pool, or destroyed. In browsers a dropped buffer would otherwise
/// live until the garbage collector runs, which knows nothing of GPU memory.
#[derive(Debug)]
pub(crate) struct Allocation {
    buffer: wgpu::Buffer,
    memory: Arc<Memory>,
    /// Errors that had been heard of when it was made.
    errors: u64,
    /// Whether another tensor was in it before.
    is_used: bool,
}

impl Allocation {
    /// The buffer, for bindings and copies.
    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Whether another tensor was in it before, so that it must be cleared or written whole.
    pub(crate) fn is_used(&self) -> bool {
        self.is_used
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let memory = &self.memory;
        memory.in_use.fetch_sub(self.buffer.size(), Ordering::Relaxed);
        let is_sound =
            memory.errors.load(Ordering::Relaxed) == self.errors && !memory.exhausted.load(Ordering::Relaxed);
        // What was mapped for reading is unmapped only when it is destroyed.
        if is_sound && !self.buffer.usage().contains(wgpu::BufferUsages::MAP_READ) {
            memory.pool().give(self.buffer.clone());
        } else {
            self.buffer.destroy();
        }
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
    /// How often something went wrong: a buffer from before such a moment may be no good, and is not used again.
    errors: AtomicU64,
    pool: Mutex<Pool>,
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.pool().clear();
    }
}

impl Memory {
    /// The memory of `device`; `exhausted` is set when an allocation outside error scopes fails.
    #[cfg_attr(
        target_arch = "wasm32",
        expect(clippy::arc_with_non_send_sync, reason = "natively it is shared between threads; a browser has one")
    )]
    pub(crate) fn new(device: &wgpu::Device, exhausted: Arc<AtomicBool>) -> Arc<Self> {
        let (in_use, peak) = (AtomicU64::new(0), AtomicU64::new(0));
        let (errors, pool) = (AtomicU64::new(0), Mutex::default());
        Arc::new(Memory { device: device.clone(), limits: device.limits(), in_use, peak, exhausted, errors, pool })
    }

    fn pool(&self) -> std::sync::MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something went wrong: no buffer that exists is used again.
    pub(crate) fn distrust(&self) {
        self.errors.fetch_add(1, Ordering::Relaxed);
        self.pool().clear();
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

    /// A buffer of `bytes` (a multiple of 4) for `what`, new or used. Whether memory sufficed only shows in an out-of-memory
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
        let errors = self.errors.load(Ordering::Relaxed);
        let used = self.pool().take(usage, bytes);
        let is_used = used.is_some();
        let buffer = used.unwrap_or_else(|| {
            let descriptor =
                wgpu::BufferDescriptor { label: Some(what), size: bytes, usage, mapped_at_creation: false };
            self.device.create_buffer(&descriptor)
        });
        let now = self.in_use.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
        Ok(Allocation { buffer, memory: Arc::clone(self), errors, is_used })
    }
}

fn fits(what: &str, limit: &'static str, needed: u64, offered: u64) -> Result<(), GpuError> {
    if needed <= offered {
        return Ok(());
    }
    Err(GpuError::DoesNotFit { what: what.to_owned(), limit, needed, offered })
}
