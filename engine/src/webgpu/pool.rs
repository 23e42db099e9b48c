//! Buffers of dropped tensors, kept for tensors to come: creating one costs a browser more than a small kernel does.

use std::collections::HashMap;

/// Most bytes that wait here; above it everything is given back, since what has piled up is of sizes that nobody asks for.
const MOST_BYTES: u64 = 256 << 20;

/// Idle buffers by their use and exact size: kernels may ask how long an array is.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    idle: HashMap<(wgpu::BufferUsages, u64), Vec<wgpu::Buffer>>,
    bytes: u64,
}

impl Pool {
    /// A buffer for `usage` of exactly `bytes`. It holds what was in it, so whoever takes it must clear it: a kernel that writes nothing
    /// would otherwise be credited with the result of one that did.
    pub(crate) fn take(&mut self, usage: wgpu::BufferUsages, bytes: u64) -> Option<wgpu::Buffer> {
        let buffer = self.idle.get_mut(&(usage, bytes))?.pop()?;
        self.bytes -= bytes;
        Some(buffer)
    }

    /// Keeps `buffer`, or destroys it where it alone is too large.
    pub(crate) fn give(&mut self, buffer: wgpu::Buffer) {
        let bytes = buffer.size();
        if bytes > MOST_BYTES {
            return buffer.destroy();
        }
        if self.bytes + bytes > MOST_BYTES {
            self.clear();
        }
        self.bytes += bytes;
        self.idle.entry((buffer.usage(), bytes)).or_default().push(buffer);
    }

    /// Destroys every buffer.
    pub(crate) fn clear(&mut self) {
        self.bytes = 0;
        for buffer in self.idle.drain().flat_map(|(_, buffers)| buffers) {
            buffer.destroy();
        }
    }
}
