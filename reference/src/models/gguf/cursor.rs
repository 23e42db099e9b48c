//! Reads GGUF's header front to back, in blocks, and never more than the file holds.

use crate::models::ModelError;
use crate::models::file::RangedFile;

const BLOCK: u64 = 1 << 20;

/// A position in a file, with a block of it in memory.
pub(super) struct Cursor<'a> {
    file: &'a RangedFile,
    position: u64,
    block: Vec<u8>,
    block_start: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(file: &'a RangedFile) -> Self {
        Cursor { file, position: 0, block: Vec::new(), block_start: 0 }
    }

    /// Bytes read so far.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Bytes left in the file.
    pub(super) fn remaining(&self) -> u64 {
        self.file.size().saturating_sub(self.position)
    }

    /// An error about what stands between `start` and here.
    pub(super) fn error(&self, start: u64, rule: impl std::fmt::Display) -> ModelError {
        ModelError::Format {
            path: self.file.path().to_owned(),
            range: start..self.position.max(start),
            rule: rule.to_string(),
        }
    }

    pub(super) fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], ModelError> {
        let bytes = self.take(N as u64, what)?;
        // `take` gives exactly as many bytes as asked for.
        Ok(bytes.first_chunk::<N>().copied().unwrap_or([0; N]))
    }

    pub(super) fn u32(&mut self, what: &str) -> Result<u32, ModelError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    pub(super) fn u64(&mut self, what: &str) -> Result<u64, ModelError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    /// A string: its length in bytes as u64, then UTF-8.
    pub(super) fn string(&mut self, what: &str) -> Result<String, ModelError> {
        let start = self.position;
        let length = self.u64(what)?;
        if length > self.remaining() {
            return Err(self.error(
                start,
                format!("{what} is said to have {length} bytes, but only {} are left in the file", self.remaining()),
            ));
        }
        let bytes = self.take(length, what)?.to_vec();
        String::from_utf8(bytes).map_err(|_| self.error(start, format!("{what} is not UTF-8")))
    }

    /// The next `length` bytes.
    pub(super) fn take(&mut self, length: u64, what: &str) -> Result<&[u8], ModelError> {
        let end = self.position.saturating_add(length);
        if end > self.block_start + self.block.len() as u64 || self.position < self.block_start {
            // A range past the end is refused before memory is set aside.
            let stop = end.max(self.position.saturating_add(BLOCK).min(self.file.size()));
            self.block = self.file.read(self.position..stop, what)?;
            self.block_start = self.position;
        }
        // The block now covers position..end, and both fit the usize that its length fits.
        let from = (self.position - self.block_start) as usize;
        self.position = end;
        Ok(&self.block[from..from + length as usize])
    }
}
