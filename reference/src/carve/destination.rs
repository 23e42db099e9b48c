//! Where a trace goes: it is written beside its place and moved there when it is complete.

use super::CarveError;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use taproot_engine::trace::MANIFEST_FILE;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The place of a trace, and a folder beside it that is removed unless the trace is committed.
#[derive(Debug)]
pub struct Destination {
    output: PathBuf,
    folder: PathBuf,
}

impl Destination {
    /// Makes the folder to write into. `output` is a folder, or a name that ends in `.zip`.
    ///
    /// # Errors
    /// When something other than a trace is at `output`, or the folder cannot be made.
    pub fn prepare(output: &Path) -> Result<Self, CarveError> {
        if output.exists() && !is_replaceable(output) {
            return Err(CarveError::Occupied { path: output.to_owned() });
        }
        let name = output.file_name().ok_or_else(|| CarveError::Occupied { path: output.to_owned() })?;
        let folder = output.with_file_name(format!(".{}.{}.partial", name.to_string_lossy(), std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| io(&folder, error))?;
        Ok(Destination { output: output.to_owned(), folder })
    }

    /// The folder to write into.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Moves the trace to its place, packed where that is a `.zip`.
    ///
    /// # Errors
    /// When it cannot be packed or moved.
    pub fn commit(self) -> Result<(), CarveError> {
        if is_zip(&self.output) {
            let packed = self.folder.with_extension("partial.zip");
            pack(&self.folder, &packed)?;
            return std::fs::rename(&packed, &self.output).map_err(|error| io(&self.output, error));
        }
        if self.output.exists() {
            std::fs::remove_dir_all(&self.output).map_err(|error| io(&self.output, error))?;
        }
        std::fs::rename(&self.folder, &self.output).map_err(|error| io(&self.output, error))
    }
}

impl Drop for Destination {
    fn drop(&mut self) {
        // After a commit of a folder it is gone already; otherwise nothing more can be done about what stays.
        let _ = std::fs::remove_dir_all(&self.folder);
        let _ = std::fs::remove_file(self.folder.with_extension("partial.zip"));
    }
}

fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
}

/// An archive, an empty folder, or a folder that holds the files of a trace and nothing else.
fn is_replaceable(path: &Path) -> bool {
    if is_zip(path) {
        return path.is_file();
    }
    let Ok(entries) = std::fs::read_dir(path) else { return false };
    let names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let of_a_trace = |name: &String| name == MANIFEST_FILE || name.ends_with(".safetensors");
    names.is_empty() || (names.iter().any(|name| name == MANIFEST_FILE) && names.iter().all(of_a_trace))
}

/// Files are stored as they are: weights and activations hardly pack, and a reader can then go straight to a range.
fn pack(folder: &Path, archive: &Path) -> Result<(), CarveError> {
    let error = |reason: String| CarveError::Archive { path: archive.to_owned(), reason };
    let file = File::create(archive).map_err(|e| io(archive, e))?;
    let mut zip = ZipWriter::new(BufWriter::new(file));
    let mut names: Vec<_> =
        std::fs::read_dir(folder).map_err(|e| io(folder, e))?.flatten().map(|e| e.file_name()).collect();
    names.sort();
    for name in names {
        let path = folder.join(&name);
        let mut content = BufReader::new(File::open(&path).map_err(|e| io(&path, e))?);
        let size = content.get_ref().metadata().map_err(|e| io(&path, e))?.len();
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(size >= u64::from(u32::MAX));
        zip.start_file(name.to_string_lossy(), options).map_err(|e| error(e.to_string()))?;
        std::io::copy(&mut content, &mut zip).map_err(|e| io(archive, e))?;
    }
    zip.finish().map_err(|e| error(e.to_string()))?;
    Ok(())
}

fn io(path: &Path, error: std::io::Error) -> CarveError {
    CarveError::Io { path: path.to_owned(), error }
}
