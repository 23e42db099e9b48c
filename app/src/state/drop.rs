//! Files that were dropped on the page or chosen in a dialog.

use crate::protocol::{NamedFile, Source, blob_of};
use js_sys::{Array, Promise};
use std::collections::VecDeque;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransfer, File, FileList, FileSystemDirectoryEntry, FileSystemDirectoryReader, FileSystemEntry,
    FileSystemFileEntry,
};

/// Most files that are taken: a trace has a few, and a home directory dropped by mistake has too many.
const MAX_FILES: usize = 10_000;

/// What was dropped, to be read later: the browser empties the transfer as soon as the event is over.
#[derive(Debug)]
pub struct Dropped {
    entries: Vec<FileSystemEntry>,
}

impl Dropped {
    /// Takes the files and folders out of a transfer.
    pub fn take(transfer: &DataTransfer) -> Self {
        let items = transfer.items();
        let entries = (0..items.length()).filter_map(|at| items.get(at)?.webkit_get_as_entry().ok().flatten());
        Dropped { entries: entries.collect() }
    }

    /// All files, those in folders too.
    ///
    /// # Errors
    /// One sentence: nothing to open, too many files, or a file that the browser cannot read.
    pub async fn read(self) -> Result<Source, String> {
        let Some(first) = self.entries.first() else {
            return Err("what was dropped holds no files: drop a trace's folder or its .zip".to_owned());
        };
        let name = first.name();
        let mut files = Vec::new();
        let mut waiting: VecDeque<FileSystemEntry> = self.entries.into();
        while let Some(entry) = waiting.pop_front() {
            let path = entry.full_path();
            let unreadable = |_| format!("'{path}' cannot be read by the browser");
            if entry.is_directory() {
                waiting.extend(children(entry.unchecked_ref()).await.map_err(unreadable)?);
            } else {
                let file = file(entry.unchecked_ref()).await.map_err(unreadable)?;
                files.push(NamedFile { path: path.trim_start_matches('/').to_owned(), blob: blob_of(file) });
            }
            if files.len() + waiting.len() > MAX_FILES {
                return Err(format!("'{name}' holds more than {MAX_FILES} files: drop the folder of a trace"));
            }
        }
        Ok(Source::Files { name, files })
    }
}

/// Files chosen in a dialog, of a folder or single ones.
pub fn chosen(list: &FileList) -> Option<Source> {
    let files: Vec<NamedFile> = (0..list.length())
        .filter_map(|at| list.get(at))
        .map(|file| NamedFile { path: path_of(&file), blob: blob_of(file) })
        .collect();
    let first = files.first()?;
    let name = first.path.split('/').next().unwrap_or(&first.path).to_owned();
    Some(Source::Files { name, files })
}

/// Path below the chosen folder, or the name of a single file.
fn path_of(file: &File) -> String {
    let path =
        js_sys::Reflect::get(file, &JsValue::from_str("webkitRelativePath")).ok().and_then(|path| path.as_string());
    path.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}

async fn file(entry: &FileSystemFileEntry) -> Result<File, JsValue> {
    let promise = Promise::new(&mut |resolve, reject| entry.file_with_callback_and_callback(&resolve, &reject));
    JsFuture::from(promise).await?.dyn_into()
}

async fn children(entry: &FileSystemDirectoryEntry) -> Result<Vec<FileSystemEntry>, JsValue> {
    let reader: FileSystemDirectoryReader = entry.create_reader();
    let mut children = Vec::new();
    loop {
        // Gives some entries at a time, and none at the end.
        let mut refused = None;
        let promise = Promise::new(&mut |resolve, reject| {
            refused = reader.read_entries_with_callback_and_callback(&resolve, &reject).err();
        });
        if let Some(error) = refused {
            return Err(error);
        }
        let some: Array = JsFuture::from(promise).await?.dyn_into()?;
        if some.length() == 0 {
            return Ok(children);
        }
        children.extend(some.iter().map(JsCast::unchecked_into::<FileSystemEntry>));
    }
}
