//! A small static server, as any host is one: byte ranges, content types, and no more than that.

use std::{
    env,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::{Context as _, Result, bail};
use axum::{
    Router,
    extract::Request as HttpRequest,
    http::{HeaderValue, header},
    middleware::{Next, from_fn},
    response::Response,
};
use tokio::{net::TcpListener, task::JoinHandle};
use tower_http::{cors::CorsLayer, services::ServeDir, set_header::SetResponseHeaderLayer};

use crate::{Misbehaviour, browser::workspace_root};

/// A running server on a port of its own, and so an origin of its own. It ends when this is dropped.
pub struct Site {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    server: JoinHandle<()>,
}

/// A request that a site has seen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Request {
    /// The path, with its leading slash.
    pub path: String,
    /// The `Range` header, such as `bytes=0-7`.
    pub range: Option<String>,
}

/// What a [`Site`] serves, and how well.
#[derive(Default)]
pub struct SiteBuilder {
    root: Option<PathBuf>,
    folders: Vec<(String, PathBuf)>,
    cors: bool,
    misbehaviours: Vec<(String, Misbehaviour)>,
}

impl Site {
    /// Serves the built app alone.
    ///
    /// # Errors
    /// If the app has not been built.
    pub async fn app() -> Result<Self> {
        Self::builder().app()?.start().await
    }

    /// Serves a folder at `/`.
    ///
    /// # Errors
    /// If there is no port.
    pub async fn folder(folder: &Path) -> Result<Self> {
        Self::builder().root(folder).start().await
    }

    /// A site of several parts.
    #[must_use]
    pub fn builder() -> SiteBuilder {
        SiteBuilder::default()
    }

    /// The address of `path`, which begins with a slash.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// All requests so far, in the order in which they came.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl SiteBuilder {
    /// Serves the built app at `/`: `$TAPROOT_DIST`, else `dist/` in the workspace.
    ///
    /// # Errors
    /// If it has not been built.
    pub fn app(self) -> Result<Self> {
        let dist = env::var_os("TAPROOT_DIST").map_or_else(|| workspace_root().join("dist"), PathBuf::from);
        if !dist.join("index.html").is_file() {
            bail!("no app in {}: run `cargo xtask test browser`, or build it with `trunk build`", dist.display());
        }
        Ok(self.root(&dist))
    }

    /// Serves `folder` at `/`.
    #[must_use]
    pub fn root(mut self, folder: &Path) -> Self {
        self.root = Some(folder.to_path_buf());
        self
    }

    /// Serves `folder` at `path` too, such as `/trace`.
    #[must_use]
    pub fn mount(mut self, path: &str, folder: &Path) -> Self {
        self.folders.push((path.to_owned(), folder.to_path_buf()));
        self
    }

    /// Lets pages of other origins read the answers (`Access-Control-Allow-Origin: *`), which a site does not by itself.
    #[must_use]
    pub fn cors(mut self) -> Self {
        self.cors = true;
        self
    }

    /// Fails those requests whose path ends with `suffix`. The first of several that fit counts.
    #[must_use]
    pub fn misbehave(mut self, suffix: &str, how: Misbehaviour) -> Self {
        self.misbehaviours.push((suffix.to_owned(), how));
        self
    }

    /// Starts the server on a free port of this machine.
    ///
    /// # Errors
    /// If there is no port.
    pub async fn start(self) -> Result<Site> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("no free port")?;
        let address = listener.local_addr()?;
        let requests = Arc::default();
        let router = self.router(&requests);
        let server = tokio::spawn(async move {
            // Ends with an error only if the listener does, and then every request of the test fails.
            let _ended = axum::serve(listener, router).await;
        });
        Ok(Site { address, requests, server })
    }

    fn router(self, requests: &Arc<Mutex<Vec<Request>>>) -> Router {
        let mut router = Router::new();
        for (path, folder) in self.folders {
            router = router.nest_service(&path, ServeDir::new(folder));
        }
        if let Some(root) = self.root {
            router = router.fallback_service(ServeDir::new(root));
        }
        // Requests pass the layers from the last to the first.
        let misbehaviours = Arc::new(self.misbehaviours);
        router = router.layer(from_fn(move |request: HttpRequest, next: Next| {
            misbehave(Arc::clone(&misbehaviours), request, next)
        }));
        // A cache between two tests, or two loads, would hide requests.
        router = router
            .layer(SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-store")));
        if self.cors {
            let readable = [header::CONTENT_RANGE, header::CONTENT_LENGTH, header::ACCEPT_RANGES];
            router = router.layer(
                CorsLayer::new()
                    .allow_origin(tower_http::cors::Any)
                    .allow_headers([header::RANGE])
                    .expose_headers(readable),
            );
        }
        let requests = Arc::clone(requests);
        router.layer(from_fn(move |request: HttpRequest, next: Next| record(Arc::clone(&requests), request, next)))
    }
}

async fn misbehave(misbehaviours: Arc<Vec<(String, Misbehaviour)>>, request: HttpRequest, next: Next) -> Response {
    let fitting = misbehaviours.iter().find(|(suffix, _)| request.uri().path().ends_with(suffix.as_str()));
    match fitting {
        Some((_, how)) => how.answer(request, next).await,
        None => next.run(request).await,
    }
}

async fn record(requests: Arc<Mutex<Vec<Request>>>, request: HttpRequest, next: Next) -> Response {
    let range = request.headers().get(header::RANGE).and_then(|value| value.to_str().ok()).map(String::from);
    let seen = Request { path: request.uri().path().to_owned(), range };
    requests.lock().unwrap_or_else(PoisonError::into_inner).push(seen);
    next.run(request).await
}
