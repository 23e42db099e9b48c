//! Traces in the browser: over HTTP by `fetch` with ranges, and from dropped files by `Blob.slice`.

use super::source::{ByteSource, Chunk, Reading, SourceError, slice, within};
use js_sys::{Promise, Reflect, Uint8Array};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Headers, Request, RequestInit, Response};

/// Largest file that is taken whole from a server that ignores ranges.
const MAX_WHOLE: u64 = 1 << 30;

/// A trace below one address, on any static host that answers Range requests.
#[derive(Debug)]
pub struct HttpSource {
    base: String,
    /// Files of a server that ignored the range and sent everything.
    whole: RefCell<HashMap<String, Vec<u8>>>,
}

impl HttpSource {
    /// A source over the folder at `url`, with or without `/` or `/trace.json` at its end.
    ///
    /// # Errors
    /// When the address is none that a trace can have.
    pub fn new(url: &str) -> Result<Self, SourceError> {
        check_address(url)?;
        let base = url.strip_suffix(super::MANIFEST_FILE).unwrap_or(url).trim_end_matches('/').to_owned();
        Ok(HttpSource { base, whole: RefCell::default() })
    }

    fn url(&self, file: &str) -> String {
        // Names are checked to hold nothing that would need escaping but spaces and non-ASCII letters.
        format!("{}/{}", self.base, String::from(js_sys::encode_uri(file)))
    }
}

impl ByteSource for HttpSource {
    fn read<'a>(&'a self, file: &'a str, range: Range<u64>) -> Reading<'a, Chunk> {
        Box::pin(async move {
            if let Some(bytes) = self.whole.borrow().get(file) {
                return slice(file, bytes, range);
            }
            if range.is_empty() {
                return Ok(Chunk { bytes: Vec::new(), file_size: None });
            }
            let url = self.url(file);
            let response = fetch(&url, Some(&range)).await?;
            if response.status() == 416 {
                let size = content_range_total(&response).unwrap_or(0);
                return Err(SourceError::Truncated { file: file.to_owned(), range, size });
            }
            check_status(&response, file, &url, &self.describe())?;
            let partial = response.status() == 206;
            let file_size = if partial { content_range_total(&response) } else { content_length(&response) };
            if !partial {
                within(file, file_size.unwrap_or(0), MAX_WHOLE)?;
            }
            let bytes = body(&response, &url).await?;
            if !partial {
                let part = slice(file, &bytes, range);
                self.whole.borrow_mut().insert(file.to_owned(), bytes);
                return part;
            }
            if bytes.len() as u64 != range.end - range.start {
                return Err(SourceError::Truncated {
                    file: file.to_owned(),
                    size: range.start + bytes.len() as u64,
                    range,
                });
            }
            Ok(Chunk { bytes, file_size })
        })
    }

    fn read_all<'a>(&'a self, file: &'a str, limit: u64) -> Reading<'a, Vec<u8>> {
        Box::pin(async move {
            let url = self.url(file);
            fetch_all(&url, file, &self.describe(), limit).await
        })
    }

    fn describe(&self) -> String {
        self.base.clone()
    }
}

fn check_address(url: &str) -> Result<(), SourceError> {
    let address = |reason: &str| SourceError::Address { url: url.to_owned(), reason: reason.to_owned() };
    if !(url.starts_with("http://") || url.starts_with("https://")) {
        return Err(address("it must begin with http:// or https://"));
    }
    if url.contains(['?', '#']) {
        return Err(address("it must be the plain address of a folder, trace.json or .zip, without ? or #"));
    }
    Ok(())
}

/// Fetches one whole file, a .zip say.
///
/// # Errors
/// When the address is none that a trace can have, or the file cannot be had or is larger than `limit` bytes.
pub async fn fetch_all(url: &str, file: &str, source_name: &str, limit: u64) -> Result<Vec<u8>, SourceError> {
    check_address(url)?;
    let response = fetch(url, None).await?;
    check_status(&response, file, url, source_name)?;
    within(file, content_length(&response).unwrap_or(0), limit)?;
    let bytes = body(&response, url).await?;
    within(file, bytes.len() as u64, limit)?;
    Ok(bytes)
}

async fn fetch(url: &str, range: Option<&Range<u64>>) -> Result<Response, SourceError> {
    let refused = |_| SourceError::Fetch { url: url.to_owned() };
    let init = RequestInit::new();
    if let Some(range) = range {
        let headers = Headers::new().map_err(refused)?;
        // HTTP ranges name the last byte, not the one after it.
        headers.set("Range", &format!("bytes={}-{}", range.start, range.end - 1)).map_err(refused)?;
        init.set_headers(&headers);
    }
    let request = Request::new_with_str_and_init(url, &init).map_err(refused)?;
    // `fetch` is on the window and on the worker's scope alike, which share no type.
    let function: js_sys::Function =
        Reflect::get(&js_sys::global(), &"fetch".into()).map_err(refused)?.dyn_into().map_err(refused)?;
    let promise: Promise =
        function.call1(&JsValue::UNDEFINED, &request).map_err(refused)?.dyn_into().map_err(refused)?;
    JsFuture::from(promise).await.map_err(refused)?.dyn_into().map_err(refused)
}

fn check_status(response: &Response, file: &str, url: &str, source_name: &str) -> Result<(), SourceError> {
    let status = response.status();
    if status == 404 || status == 410 {
        return Err(SourceError::NotFound {
            file: file.to_owned(),
            source_name: source_name.to_owned(),
            status: Some(status),
        });
    }
    if !response.ok() {
        return Err(SourceError::Status { url: url.to_owned(), status });
    }
    match header(response, "Content-Type") {
        Some(content_type) if content_type.starts_with("text/html") => {
            Err(SourceError::ContentType { url: url.to_owned(), content_type })
        }
        _ => Ok(()),
    }
}

fn header(response: &Response, name: &str) -> Option<String> {
    response.headers().get(name).ok().flatten()
}

fn content_length(response: &Response) -> Option<u64> {
    // A compressed body is longer than it says.
    if header(response, "Content-Encoding").is_some() { None } else { header(response, "Content-Length")?.parse().ok() }
}

fn content_range_total(response: &Response) -> Option<u64> {
    header(response, "Content-Range")?.rsplit('/').next()?.parse().ok()
}

async fn body(response: &Response, url: &str) -> Result<Vec<u8>, SourceError> {
    // The headers came, so that this page may read the answer: it can only have broken off.
    let refused = |_| SourceError::Interrupted { url: url.to_owned() };
    let buffer = JsFuture::from(response.array_buffer().map_err(refused)?).await.map_err(refused)?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

/// A trace whose files were dropped on the page: read by slices, never whole.
#[derive(Debug)]
pub struct BlobSource {
    name: String,
    files: BTreeMap<String, Blob>,
}

impl BlobSource {
    /// A source over files by their path below the dropped folder.
    pub fn new(name: impl Into<String>, files: BTreeMap<String, Blob>) -> Self {
        BlobSource { name: name.into(), files }
    }

    fn blob(&self, file: &str) -> Result<&Blob, SourceError> {
        self.files.get(file).ok_or_else(|| SourceError::NotFound {
            file: file.to_owned(),
            source_name: self.describe(),
            status: None,
        })
    }
}

impl ByteSource for BlobSource {
    fn read<'a>(&'a self, file: &'a str, range: Range<u64>) -> Reading<'a, Chunk> {
        Box::pin(async move {
            let blob = self.blob(file)?;
            let size = blob.size() as u64;
            if range.start > range.end || range.end > size {
                return Err(SourceError::Truncated { file: file.to_owned(), range, size });
            }
            let bytes = read_blob(blob, &range, file, &self.describe()).await?;
            Ok(Chunk { bytes, file_size: Some(size) })
        })
    }

    fn read_all<'a>(&'a self, file: &'a str, limit: u64) -> Reading<'a, Vec<u8>> {
        Box::pin(async move {
            let blob = self.blob(file)?;
            let size = blob.size() as u64;
            within(file, size, limit)?;
            read_blob(blob, &(0..size), file, &self.describe()).await
        })
    }

    fn describe(&self) -> String {
        self.name.clone()
    }
}

/// Reads a range of a blob.
///
/// # Errors
/// When the browser can no longer read it (the file was changed or removed since it was dropped).
pub async fn read_blob(blob: &Blob, range: &Range<u64>, file: &str, source_name: &str) -> Result<Vec<u8>, SourceError> {
    let refused = |_| SourceError::Io {
        file: file.to_owned(),
        source_name: source_name.to_owned(),
        reason: "the browser can no longer read it; drop it again".to_owned(),
    };
    let part = blob.slice_with_f64_and_f64(range.start as f64, range.end as f64).map_err(refused)?;
    let buffer = JsFuture::from(part.array_buffer()).await.map_err(refused)?;
    Ok(Uint8Array::new(&buffer).to_vec())
}
