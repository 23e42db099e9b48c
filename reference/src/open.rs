//! Finding a trace: a folder, a .zip, or an address.

use crate::http::HttpSource;
use std::path::{Path, PathBuf};
use taproot_engine::trace::archive;
use taproot_engine::trace::{ByteSource, FolderSource, MANIFEST_FILE, SourceError, Trace, TraceError};

/// Opens the trace at `place`: a folder (or the `trace.json` in it), a .zip, or the http or https address of either.
///
/// # Errors
/// When there is no trace, or it breaks a rule of the format.
pub async fn open_trace(place: &str) -> Result<Trace, TraceError> {
    Trace::open(source(place).await?).await
}

async fn source(place: &str) -> Result<Box<dyn ByteSource>, SourceError> {
    let is_zip = place.to_ascii_lowercase().ends_with(".zip");
    if place.starts_with("http://") || place.starts_with("https://") {
        return Ok(if is_zip {
            Box::new(crate::http::fetch_archive(place).await?)
        } else {
            Box::new(HttpSource::new(place)?)
        });
    }
    let path = Path::new(place);
    if is_zip && !path.is_dir() {
        let bytes = std::fs::read(path).map_err(|error| archive_error(place, &error))?;
        return Ok(Box::new(archive::unpack(place, &bytes)?));
    }
    let folder = folder(path);
    if folder.is_file() {
        let reason = "it is a file; a trace is a folder, its trace.json, or a .zip".to_owned();
        return Err(SourceError::Address { url: place.to_owned(), reason });
    }
    Ok(Box::new(FolderSource::new(folder)))
}

/// The folder itself where its manifest is given.
fn folder(path: &Path) -> PathBuf {
    let is_manifest = path.file_name().is_some_and(|name| name == MANIFEST_FILE) && path.is_file();
    match path.parent() {
        Some(parent) if is_manifest => parent.to_owned(),
        _ => path.to_owned(),
    }
}

fn archive_error(place: &str, error: &std::io::Error) -> SourceError {
    SourceError::Archive { archive: place.to_owned(), reason: error.to_string() }
}
