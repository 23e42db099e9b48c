//! A trace on a static host, read by ranges.

use reqwest::header::{ACCEPT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, HeaderName, RANGE};
use reqwest::{Client, Response, StatusCode, Url};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use taproot_engine::trace::MANIFEST_FILE;
use taproot_engine::trace::archive::{self, MAX_UNPACKED};
use taproot_engine::trace::source::{ByteSource, Chunk, MemorySource, Reading, SourceError, slice, within};

/// Largest file that is taken whole from a server that ignores ranges.
const MAX_WHOLE: u64 = 1 << 30;
/// A server that is silent for so long is taken for dead; how long a whole file takes is not limited.
const SILENCE: Duration = Duration::from_secs(30);

/// A trace below one address, on any static host that answers Range requests. Needs a Tokio runtime.
#[derive(Debug)]
pub struct HttpSource {
    client: Client,
    /// The folder's address, with `/` at its end.
    base: Url,
    /// Files of a server that ignored the range and sent everything.
    whole: Mutex<HashMap<String, Vec<u8>>>,
}

impl HttpSource {
    /// A source over the folder at `url`, with or without `/` or `/trace.json` at its end.
    ///
    /// # Errors
    /// When the address is not http or https.
    pub fn new(url: &str) -> Result<Self, SourceError> {
        let folder = url.strip_suffix(MANIFEST_FILE).unwrap_or(url).trim_end_matches('/');
        let base = address(&format!("{folder}/"))?;
        Ok(HttpSource { client: client(url)?, base, whole: Mutex::default() })
    }

    fn url(&self, file: &str) -> Result<Url, SourceError> {
        // Names are checked to stay below the folder; `join` escapes what an address cannot hold.
        self.base
            .join(file)
            .map_err(|error| SourceError::Address { url: format!("{}{file}", self.base), reason: error.to_string() })
    }

    async fn read_range(&self, file: &str, range: Range<u64>) -> Result<Chunk, SourceError> {
        if let Some(bytes) = self.whole.lock().unwrap_or_else(PoisonError::into_inner).get(file) {
            return slice(file, bytes, range);
        }
        if range.is_empty() {
            return Ok(Chunk { bytes: Vec::new(), file_size: None });
        }
        let url = self.url(file)?;
        let response = get(&self.client, &url, Some(&range)).await?;
        if response.status() == StatusCode::RANGE_NOT_SATISFIABLE {
            let size = content_range_total(&response).unwrap_or(0);
            return Err(SourceError::Truncated { file: file.to_owned(), range, size });
        }
        check(&response, file, &self.describe())?;
        if response.status() != StatusCode::PARTIAL_CONTENT {
            let bytes = body(response, file, MAX_WHOLE).await?;
            let part = slice(file, &bytes, range);
            self.whole.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_owned(), bytes);
            return part;
        }
        let length = range.end - range.start;
        let file_size = content_range_total(&response);
        let bytes = body(response, file, length).await?;
        if bytes.len() as u64 != length {
            let size = range.start + bytes.len() as u64;
            return Err(SourceError::Truncated { file: file.to_owned(), range, size });
        }
        Ok(Chunk { bytes, file_size })
    }
}

impl ByteSource for HttpSource {
    fn read<'a>(&'a self, file: &'a str, range: Range<u64>) -> Reading<'a, Chunk> {
        Box::pin(self.read_range(file, range))
    }

    fn read_all<'a>(&'a self, file: &'a str, limit: u64) -> Reading<'a, Vec<u8>> {
        Box::pin(async move { fetch(&self.client, &self.url(file)?, file, &self.describe(), limit).await })
    }

    fn describe(&self) -> String {
        self.base.as_str().trim_end_matches('/').to_owned()
    }
}

/// Fetches a .zip and unpacks it in memory.
///
/// # Errors
/// When it cannot be had, is too large or is no archive of a trace.
pub async fn fetch_archive(url: &str) -> Result<MemorySource, SourceError> {
    let parsed = address(url)?;
    let file = parsed.path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default().to_owned();
    let bytes = fetch(&client(url)?, &parsed, &file, url, MAX_UNPACKED).await?;
    archive::unpack(url, &bytes)
}

fn address(url: &str) -> Result<Url, SourceError> {
    let error = |reason: String| SourceError::Address { url: url.to_owned(), reason };
    let parsed = Url::parse(url).map_err(|e| error(e.to_string()))?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err(error("it must begin with http:// or https://".to_owned()));
    }
    if parsed.query().is_some() || parsed.fragment().is_some() {
        return Err(error("it must be the plain address of a folder, trace.json or .zip, without ? or #".to_owned()));
    }
    Ok(parsed)
}

fn client(url: &str) -> Result<Client, SourceError> {
    let agent = concat!("taproot/", env!("CARGO_PKG_VERSION"));
    let client = Client::builder().user_agent(agent).connect_timeout(SILENCE).read_timeout(SILENCE).build();
    client.map_err(|_| SourceError::Fetch { url: url.to_owned() })
}

async fn fetch(client: &Client, url: &Url, file: &str, source_name: &str, limit: u64) -> Result<Vec<u8>, SourceError> {
    let response = get(client, url, None).await?;
    check(&response, file, source_name)?;
    body(response, file, limit).await
}

async fn get(client: &Client, url: &Url, range: Option<&Range<u64>>) -> Result<Response, SourceError> {
    // Ranges count bytes of what is sent, so nothing may be compressed on the way.
    let mut request = client.get(url.clone()).header(ACCEPT_ENCODING, "identity");
    if let Some(range) = range {
        // HTTP ranges name the last byte, not the one after it; the range is not empty.
        request = request.header(RANGE, format!("bytes={}-{}", range.start, range.end - 1));
    }
    request.send().await.map_err(|error| fetch_error(url.as_str(), &error))
}

fn check(response: &Response, file: &str, source_name: &str) -> Result<(), SourceError> {
    let (status, url) = (response.status(), response.url().to_string());
    if matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) {
        let (file, source_name) = (file.to_owned(), source_name.to_owned());
        return Err(SourceError::NotFound { file, source_name, status: Some(status.as_u16()) });
    }
    if !status.is_success() {
        return Err(SourceError::Status { url, status: status.as_u16() });
    }
    match header(response, &CONTENT_TYPE) {
        Some(content_type) if content_type.starts_with("text/html") => {
            Err(SourceError::ContentType { url, content_type: content_type.to_owned() })
        }
        _ => Ok(()),
    }
}

/// The body, of which no more than `limit` bytes are taken whatever the server says.
async fn body(mut response: Response, file: &str, limit: u64) -> Result<Vec<u8>, SourceError> {
    let declared = header(&response, &CONTENT_LENGTH).and_then(|length| length.parse().ok());
    within(file, declared.unwrap_or(0), limit)?;
    let url = response.url().to_string();
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| fetch_error(&url, &error))? {
        bytes.extend_from_slice(&chunk);
        within(file, bytes.len() as u64, limit)?;
    }
    Ok(bytes)
}

/// The size of the whole file, after the `/` of `Content-Range: bytes 0-99/1234`.
fn content_range_total(response: &Response) -> Option<u64> {
    header(response, &CONTENT_RANGE)?.rsplit_once('/')?.1.parse().ok()
}

fn header<'a>(response: &'a Response, name: &HeaderName) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

fn fetch_error(url: &str, error: &reqwest::Error) -> SourceError {
    tracing::debug!(url, ?error, "the request failed");
    SourceError::Fetch { url: url.to_owned() }
}
