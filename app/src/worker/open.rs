//! Opening a trace from an address or from the user's files.

use crate::protocol::{NamedFile, Source};
use std::collections::BTreeMap;
use taproot_engine::trace::web::{BlobSource, HttpSource, fetch_all, read_blob};
use taproot_engine::trace::{ByteSource, MANIFEST_FILE, SourceError, Trace, archive};
use web_sys::Blob;

/// Largest archive that is read: it has to fit into memory, packed and unpacked.
const MAX_ARCHIVE: u64 = 1 << 30;

/// Opens a trace.
///
/// # Errors
/// One sentence that says what is wrong with it.
pub(super) async fn open(source: Source) -> Result<Trace, String> {
    let source = match source {
        Source::Url(url) => from_url(&url).await,
        Source::Files { name, files } => from_files(name, files).await,
    };
    Trace::open(source.map_err(|error| error.to_string())?).await.map_err(|error| error.to_string())
}

async fn from_url(url: &str) -> Result<Box<dyn ByteSource>, SourceError> {
    if !is_archive(url) {
        return Ok(Box::new(HttpSource::new(url)?));
    }
    let name = url.rsplit('/').next().unwrap_or(url);
    let bytes = fetch_all(url, name, url, MAX_ARCHIVE).await?;
    Ok(Box::new(archive::unpack(name, &bytes)?))
}

async fn from_files(name: String, files: Vec<NamedFile>) -> Result<Box<dyn ByteSource>, SourceError> {
    if let [NamedFile { path, blob }] = files.as_slice()
        && is_archive(path)
    {
        let size = blob.size() as u64;
        taproot_engine::trace::source::within(path, size, MAX_ARCHIVE)?;
        let bytes = read_blob(blob, &(0..size), path, &name).await?;
        return Ok(Box::new(archive::unpack(path, &bytes)?));
    }
    Ok(Box::new(BlobSource::new(name, at_root(files))))
}

fn is_archive(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".zip")
}

/// Strips the folders around the manifest: who drops a folder means what is inside.
fn at_root(files: Vec<NamedFile>) -> BTreeMap<String, Blob> {
    let depth = |path: &str| path.matches('/').count();
    let manifests = files.iter().filter(|file| file.path.rsplit('/').next() == Some(MANIFEST_FILE));
    let root = manifests
        .min_by_key(|file| depth(&file.path))
        .and_then(|file| file.path.strip_suffix(MANIFEST_FILE))
        .unwrap_or_default()
        .to_owned();
    files.into_iter().filter_map(|file| Some((file.path.strip_prefix(&root)?.to_owned(), file.blob))).collect()
}
