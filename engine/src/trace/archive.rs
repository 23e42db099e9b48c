//! A trace in one .zip, unpacked into memory with limits: an archive is as untrusted as the rest.

use super::source::{MemorySource, SourceError};
use super::validate::check_path;
use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use zip::ZipArchive;

/// Most files that an archive may hold.
const MAX_ENTRIES: usize = 4096;
/// Most bytes that it may unpack to: what a browser's tab can be expected to hold.
pub const MAX_UNPACKED: u64 = 2 << 30;
/// Most times that a file may be larger than its packed form: real tensors pack to no less than a few percent.
const MAX_RATIO: u64 = 200;

/// Unpacks an archive. `trace.json` may stand at its root or in one folder at its root.
///
/// # Errors
/// When the archive is broken, holds no `trace.json`, or unpacks to more than is allowed.
pub fn unpack(name: &str, bytes: &[u8]) -> Result<MemorySource, SourceError> {
    let broken = |reason: String| SourceError::Archive { archive: name.to_owned(), reason };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(error.to_string()))?;
    if archive.len() > MAX_ENTRIES {
        return Err(broken(format!("it holds {} files, more than the {MAX_ENTRIES} allowed", archive.len())));
    }
    let mut files = BTreeMap::new();
    let mut unpacked = 0u64;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| broken(error.to_string()))?;
        if !entry.is_file() {
            continue;
        }
        let path = entry.name().map_err(|error| broken(error.to_string()))?.into_owned();
        check_path(&path).map_err(|reason| broken(format!("the file name '{path}' {reason}")))?;
        // The declared size is only a claim; the read below is cut at the same limit.
        let allowed = (MAX_UNPACKED - unpacked).min(entry.compressed_size().saturating_mul(MAX_RATIO).max(1 << 20));
        let mut content = Vec::new();
        entry
            .by_ref()
            .take(allowed + 1)
            .read_to_end(&mut content)
            .map_err(|error| broken(format!("'{path}': {error}")))?;
        if content.len() as u64 > allowed {
            return Err(broken(format!(
                "'{path}' unpacks to more than {allowed} bytes from {}: it looks like a zip bomb",
                entry.compressed_size()
            )));
        }
        unpacked += content.len() as u64;
        files.insert(path, content);
    }
    let files = at_root(files).ok_or_else(|| broken("it holds no trace.json".to_owned()))?;
    Ok(MemorySource::new(format!("the archive {name}"), files))
}

/// Strips the one folder that archivers like to put around everything.
fn at_root(files: BTreeMap<String, Vec<u8>>) -> Option<BTreeMap<String, Vec<u8>>> {
    let manifest = super::MANIFEST_FILE;
    if files.contains_key(manifest) {
        return Some(files);
    }
    let inside = files.keys().find(|path| {
        path.strip_suffix(manifest).is_some_and(|folder| folder.matches('/').count() == 1 && folder.ends_with('/'))
    })?;
    let folder = inside.strip_suffix(manifest)?.to_owned();
    Some(
        files
            .into_iter()
            .filter_map(|(path, content)| Some((path.strip_prefix(&folder)?.to_owned(), content)))
            .collect(),
    )
}
