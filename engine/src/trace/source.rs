//! Where the files of a trace come from: anything that answers byte ranges of named files.

use std::collections::BTreeMap;
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;

/// What a read gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Exactly the bytes asked for.
    pub bytes: Vec<u8>,
    /// Size of the whole file, where the source knows it.
    pub file_size: Option<u64>,
}

/// A read in progress. Not `Send`: in the browser it holds JavaScript values.
pub type Reading<'a, T> = Pin<Box<dyn Future<Output = Result<T, SourceError>> + 'a>>;

/// Answers byte ranges of the files of one trace. File names have been checked before they come here: relative, with `/`.
pub trait ByteSource {
    /// Reads `range` of `file`; fewer bytes than asked for are an error.
    fn read<'a>(&'a self, file: &'a str, range: Range<u64>) -> Reading<'a, Chunk>;

    /// Reads a whole file of at most `limit` bytes.
    fn read_all<'a>(&'a self, file: &'a str, limit: u64) -> Reading<'a, Vec<u8>>;

    /// What to call this source in a message: a folder, an address, a file name.
    fn describe(&self) -> String;
}

/// Why bytes could not be had. Each reads as one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// There is no such file.
    #[error("'{file}' was not found in {source_name}{}", .status.map_or_else(String::new, |status| format!(" (HTTP {status})")))]
    NotFound {
        /// File.
        file: String,
        /// Where it was looked for.
        source_name: String,
        /// HTTP status, where the source is a server.
        status: Option<u16>,
    },
    /// The range lies past the end.
    #[error("'{file}' ends at byte {size}, but bytes {}..{} were asked for: the file is truncated or belongs to another trace", .range.start, .range.end)]
    Truncated {
        /// File.
        file: String,
        /// Range asked for.
        range: Range<u64>,
        /// Bytes that are there.
        size: u64,
    },
    /// The file is larger than allowed.
    #[error("'{file}' has {size} bytes, more than the {limit} allowed")]
    TooLarge {
        /// File.
        file: String,
        /// Its size, or the least it must have.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// The server could not be reached, or does not let this page read it: browsers do not tell the two apart.
    #[error(
        "{url} could not be fetched: the server does not answer, or does not allow other sites to read it (it must send Access-Control-Allow-Origin and allow the Range header)"
    )]
    Fetch {
        /// Address.
        url: String,
    },
    /// The server answered, but its answer ended before it was whole.
    #[error(
        "{url} broke off while it was being read: the server hung up or the connection was lost; open it again to try once more"
    )]
    Interrupted {
        /// Address.
        url: String,
    },
    /// The server answered with something else than the file.
    #[error("{url} answered with HTTP {status}")]
    Status {
        /// Address.
        url: String,
        /// Status.
        status: u16,
    },
    /// The server answered with a page, usually its 'not found' page.
    #[error("{url} answered with '{content_type}' instead of trace data: the address is a web page, not a trace")]
    ContentType {
        /// Address.
        url: String,
        /// What it said it is.
        content_type: String,
    },
    /// The address cannot be one of a trace.
    #[error("'{url}' is no address of a trace: {reason}")]
    Address {
        /// Address.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The zip archive is broken or dangerous.
    #[error("the archive {archive} cannot be read: {reason}")]
    Archive {
        /// Archive.
        archive: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The operating system or the browser refused.
    #[error("'{file}' in {source_name} cannot be read: {reason}")]
    Io {
        /// File.
        file: String,
        /// Where it is.
        source_name: String,
        /// What was answered.
        reason: String,
    },
}

/// A trace whose files are in memory.
#[derive(Clone, Debug, Default)]
pub struct MemorySource {
    name: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl MemorySource {
    /// A source called `name` in messages.
    pub fn new(name: impl Into<String>, files: BTreeMap<String, Vec<u8>>) -> Self {
        MemorySource { name: name.into(), files }
    }

    fn file(&self, file: &str) -> Result<&[u8], SourceError> {
        self.files.get(file).map(Vec::as_slice).ok_or_else(|| SourceError::NotFound {
            file: file.to_owned(),
            source_name: self.describe(),
            status: None,
        })
    }
}

impl ByteSource for MemorySource {
    fn read<'a>(&'a self, file: &'a str, range: Range<u64>) -> Reading<'a, Chunk> {
        Box::pin(async move { slice(file, self.file(file)?, range) })
    }

    fn read_all<'a>(&'a self, file: &'a str, limit: u64) -> Reading<'a, Vec<u8>> {
        Box::pin(async move {
            let bytes = self.file(file)?;
            within(file, bytes.len() as u64, limit)?;
            Ok(bytes.to_vec())
        })
    }

    fn describe(&self) -> String {
        self.name.clone()
    }
}

/// The range of a file that is in memory.
///
/// # Errors
/// When the file is shorter.
pub fn slice(file: &str, bytes: &[u8], range: Range<u64>) -> Result<Chunk, SourceError> {
    let size = bytes.len() as u64;
    let within = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    match within.and_then(|(start, end)| bytes.get(start..end)) {
        Some(part) => Ok(Chunk { bytes: part.to_vec(), file_size: Some(size) }),
        None => Err(SourceError::Truncated { file: file.to_owned(), range, size }),
    }
}

/// Refuses sizes over the limit.
///
/// # Errors
/// When `size` is over `limit`.
pub fn within(file: &str, size: u64, limit: u64) -> Result<(), SourceError> {
    if size > limit { Err(SourceError::TooLarge { file: file.to_owned(), size, limit }) } else { Ok(()) }
}
