//! A trace in a folder of this computer.

use super::source::{ByteSource, Chunk, Reading, SourceError, within};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;

/// Reads the files below one folder.
#[derive(Clone, Debug)]
pub struct FolderSource {
    root: PathBuf,
}

impl FolderSource {
    /// A source over the folder `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        FolderSource { root: root.into() }
    }

    fn open(&self, file: &str) -> Result<(File, u64), SourceError> {
        let opened = File::open(self.root.join(file)).map_err(|error| self.io(file, &error))?;
        let size = opened.metadata().map_err(|error| self.io(file, &error))?.len();
        Ok((opened, size))
    }

    fn io(&self, file: &str, error: &std::io::Error) -> SourceError {
        let (file, source_name) = (file.to_owned(), self.describe());
        if error.kind() == std::io::ErrorKind::NotFound {
            SourceError::NotFound { file, source_name, status: None }
        } else {
            SourceError::Io { file, source_name, reason: error.to_string() }
        }
    }
}

impl ByteSource for FolderSource {
    fn read<'a>(&'a self, file: &'a str, range: Range<u64>) -> Reading<'a, Chunk> {
        Box::pin(async move {
            let (mut opened, size) = self.open(file)?;
            if range.start > range.end || range.end > size {
                return Err(SourceError::Truncated { file: file.to_owned(), range, size });
            }
            let mut bytes = Vec::new();
            opened.seek(SeekFrom::Start(range.start)).map_err(|error| self.io(file, &error))?;
            opened.take(range.end - range.start).read_to_end(&mut bytes).map_err(|error| self.io(file, &error))?;
            if bytes.len() as u64 != range.end - range.start {
                return Err(SourceError::Truncated { file: file.to_owned(), range, size });
            }
            Ok(Chunk { bytes, file_size: Some(size) })
        })
    }

    fn read_all<'a>(&'a self, file: &'a str, limit: u64) -> Reading<'a, Vec<u8>> {
        Box::pin(async move {
            let (opened, size) = self.open(file)?;
            within(file, size, limit)?;
            let mut bytes = Vec::new();
            opened.take(limit).read_to_end(&mut bytes).map_err(|error| self.io(file, &error))?;
            Ok(bytes)
        })
    }

    fn describe(&self) -> String {
        format!("the folder {}", self.root.display())
    }
}
