//! Ways in which a server can fail the app. A file that is broken on disk needs none of them: serve a broken copy.

use std::{io, time::Duration};

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use futures_util::{StreamExt as _, stream};

/// How long a server that will hang up waits before it does.
const HANG_UP_AFTER: Duration = Duration::from_millis(300);

/// What a server does wrong with some of its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misbehaviour {
    /// Answers with this status and a page of HTML, as hosts do.
    Status(u16),
    /// Claims this content type.
    ContentType(&'static str),
    /// Promises the whole length and hangs up after this many bytes.
    HangUp {
        /// Bytes sent before.
        after: usize,
    },
    /// Sends the whole file with status 200 whatever range is asked for.
    IgnoreRange,
    /// Waits before it answers.
    Slow(Duration),
    /// Puts lines of its own before a script's.
    Prepend(&'static str),
}

impl Misbehaviour {
    /// Answers `request` in this way, where `next` would answer it well.
    pub(crate) async fn answer(self, mut request: Request, next: Next) -> Response {
        match self {
            Self::Status(code) => {
                let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                (status, [(header::CONTENT_TYPE, "text/html")], format!("<!doctype html><title>{status}</title>"))
                    .into_response()
            }
            Self::ContentType(name) => {
                let mut response = next.run(request).await;
                response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(name));
                response
            }
            Self::HangUp { after } => hang_up(next.run(request).await, after).await,
            Self::IgnoreRange => {
                request.headers_mut().remove(header::RANGE);
                let mut response = next.run(request).await;
                response.headers_mut().remove(header::ACCEPT_RANGES);
                response
            }
            Self::Slow(delay) => {
                tokio::time::sleep(delay).await;
                next.run(request).await
            }
            Self::Prepend(lines) => prepend(lines, next.run(request).await).await,
        }
    }
}

/// Keeps the headers, and with them the length promised.
async fn hang_up(response: Response, after: usize) -> Response {
    let (parts, body) = response.into_parts();
    let Ok(whole) = to_bytes(body, usize::MAX).await else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    if whole.len() <= after {
        return Response::from_parts(parts, Body::from(whole));
    }
    let sent = stream::once(async move { Ok::<Bytes, io::Error>(whole.slice(..after)) });
    // What is sent in the moment of hanging up may never leave this machine.
    let hung_up = stream::once(async {
        tokio::time::sleep(HANG_UP_AFTER).await;
        Err(io::ErrorKind::ConnectionAborted.into())
    });
    Response::from_parts(parts, Body::from_stream(sent.chain(hung_up)))
}

async fn prepend(lines: &str, response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let Ok(whole) = to_bytes(body, usize::MAX).await else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from([lines.as_bytes(), &whole].concat()))
}
