//! A file that is read by ranges: a checkpoint of many gigabytes is never held in memory as a whole.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Why bytes of a checkpoint cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The operating system refused.
    #[error("{path} cannot be read: {error}")]
    Io {
        /// File.
        path: PathBuf,
        /// What was answered.
        error: std::io::Error,
    },
    /// The range lies past the end.
    #[error("{path} ends at byte {size}, but bytes {}..{} are needed for {what}: the file is truncated", .range.start, .range.end)]
    Truncated {
        /// File.
        path: PathBuf,
        /// What was to be read.
        what: String,
        /// Range asked for.
        range: Range<u64>,
        /// Bytes that are there.
        size: u64,
    },
}

/// An open file of known size.
#[derive(Debug)]
pub struct RangedFile {
    path: PathBuf,
    file: Mutex<File>,
    size: u64,
}

impl RangedFile {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be opened, or is a folder.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let io = |error| FileError::Io { path: path.to_owned(), error };
        let file = File::open(path).map_err(io)?;
        let metadata = file.metadata().map_err(io)?;
        if metadata.is_dir() {
            return Err(io(std::io::ErrorKind::IsADirectory.into()));
        }
        Ok(RangedFile { path: path.to_owned(), size: metadata.len(), file: Mutex::new(file) })
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads `range`; `what` names it in an error.
    ///
    /// # Errors
    /// When the range reaches past the end, before any memory is set aside for it.
    pub fn read(&self, range: Range<u64>, what: &str) -> Result<Vec<u8>, FileError> {
        let truncated =
            |size| FileError::Truncated { path: self.path.clone(), what: what.to_owned(), range: range.clone(), size };
        let length = range.end.checked_sub(range.start).filter(|_| range.end <= self.size);
        let length = length.ok_or_else(|| truncated(self.size))?;
        let io = |error| FileError::Io { path: self.path.clone(), error };
        // A panic while the lock is held leaves only the position unknown, and every read sets it.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(range.start)).map_err(io)?;
        let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(|_| truncated(self.size))?);
        file.by_ref().take(length).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 != length {
            return Err(truncated(range.start + bytes.len() as u64));
        }
        Ok(bytes)
    }
}
