//! A browser with one page, from start to end.

use std::{
    any::Any,
    fmt, fs,
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

use anyhow::{Context as _, Result, anyhow};
use futures_util::FutureExt as _;
use tempfile::TempDir;
use thirtyfour::{Capabilities, WebDriver};

use crate::{
    console::ConsoleLine,
    launch,
    program::{self, DriverProcess},
};

/// Longer than anything a page computes in one go on a GPU in software.
const SCRIPT_TIMEOUT: Duration = Duration::from_secs(120);

/// The browsers that tests run in: two WebGPU implementations with nothing in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrowserKind {
    /// Chromium: WebGPU by Dawn, WGSL by Tint.
    Chromium,
    /// Firefox: WebGPU by wgpu, WGSL by naga.
    Firefox,
}

impl BrowserKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Chromium, Self::Firefox];

    /// Starts a browser of this kind.
    ///
    /// # Errors
    /// As [`Browser::chromium`] and [`Browser::firefox`].
    pub async fn start(self) -> Result<Browser> {
        match self {
            Self::Chromium => Browser::chromium().await,
            Self::Firefox => Browser::firefox().await,
        }
    }
}

impl fmt::Display for BrowserKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
        })
    }
}

/// A running browser and its one page. Dropping it ends the browser; [`Browser::close`] does so without blocking.
///
/// What the page can be asked and told is in the other files of this crate, by subject.
pub struct Browser {
    // Fields drop in this order: the session ends the browser, then its driver is killed, then the files go.
    pub(crate) driver: WebDriver,
    pub(crate) process: DriverProcess,
    pub(crate) console: Mutex<Vec<ConsoleLine>>,
    kind: BrowserKind,
    _files: TempDir,
}

impl Browser {
    /// Starts Chromium in a fresh profile.
    ///
    /// # Errors
    /// If the browser or chromedriver is missing or does not start.
    pub async fn chromium() -> Result<Self> {
        Self::start_chromium(launch::chromium).await
    }

    /// Starts a Chromium that has no adapter for WebGPU, in a fresh profile.
    ///
    /// # Errors
    /// As [`Browser::chromium`].
    pub async fn chromium_without_webgpu() -> Result<Self> {
        Self::start_chromium(launch::chromium_without_webgpu).await
    }

    async fn start_chromium(capabilities: impl FnOnce(&Path) -> Result<Capabilities>) -> Result<Self> {
        let files = TempDir::new()?;
        let capabilities = capabilities(&files.path().join("profile"))?;
        let program = program::find("CHROMEDRIVER", &["chromedriver"])?;
        let process =
            DriverProcess::start(&program, files.path().join("driver.log"), |port| vec![format!("--port={port}")])
                .await?;
        Self::connect(BrowserKind::Chromium, capabilities, process, files).await
    }

    /// Starts Firefox in a fresh profile.
    ///
    /// # Errors
    /// If the browser or geckodriver is missing or does not start.
    pub async fn firefox() -> Result<Self> {
        let files = TempDir::new()?;
        let capabilities = launch::firefox()?;
        let program = program::find("GECKODRIVER", &["geckodriver"])?;
        let profiles = files.path().join("profiles");
        fs::create_dir(&profiles)?;
        let args = |port: u16| {
            let flags =
                ["--port", &port.to_string(), "--websocket-port", "0", "--profile-root", &profiles.to_string_lossy()];
            flags.map(String::from).to_vec()
        };
        let process = DriverProcess::start(&program, files.path().join("driver.log"), args).await?;
        Self::connect(BrowserKind::Firefox, capabilities, process, files).await
    }

    async fn connect(
        kind: BrowserKind,
        capabilities: Capabilities,
        process: DriverProcess,
        files: TempDir,
    ) -> Result<Self> {
        let driver = match WebDriver::new(process.url(), capabilities).await {
            Ok(driver) => driver,
            Err(error) => return Err(anyhow!("{kind} did not start: {error}\n{}", process.log())),
        };
        driver.set_script_timeout(SCRIPT_TIMEOUT).await?;
        Ok(Self { driver, process, console: Mutex::default(), kind, _files: files })
    }

    /// Which browser this is.
    #[must_use]
    pub fn kind(&self) -> BrowserKind {
        self.kind
    }

    /// Ends the browser.
    ///
    /// # Errors
    /// If the driver no longer answers.
    pub async fn close(self) -> Result<()> {
        self.driver.clone().quit().await.context("the browser did not end")
    }
}

/// Runs one test in a browser of its own. If it fails, leaves a screenshot and adds what the console said to the error.
///
/// # Errors
/// Whatever `test` returns; a panic in it, too, becomes an error; or why the browser did not start.
pub async fn in_browser(kind: BrowserKind, name: &str, test: impl AsyncFnOnce(&Browser) -> Result<()>) -> Result<()> {
    in_started(kind.start().await?, name, test).await
}

/// As [`in_browser`], in a browser that is running already, and ends it.
///
/// # Errors
/// As [`in_browser`].
pub async fn in_started(browser: Browser, name: &str, test: impl AsyncFnOnce(&Browser) -> Result<()>) -> Result<()> {
    let outcome = AssertUnwindSafe(test(&browser)).catch_unwind().await;
    let result = outcome.unwrap_or_else(|panic| Err(anyhow!("{}", panic_message(panic.as_ref()))));
    let result = match result {
        Ok(()) => Ok(()),
        Err(error) => Err(browser.describe_failure(name, error).await),
    };
    let closed = browser.close().await;
    result.and(closed)
}

impl Browser {
    async fn describe_failure(&self, name: &str, error: anyhow::Error) -> anyhow::Error {
        let shot = match self.screenshot(&format!("failure-{name}")).await {
            Ok(path) => format!("screenshot: {}", path.display()),
            Err(why) => format!("no screenshot: {why:#}"),
        };
        let console = match self.console().await {
            Ok(lines) => lines.iter().map(|line| format!("\n  {line}")).collect(),
            Err(why) => format!(" not readable: {why:#}"),
        };
        anyhow!("{name} in {}: {error:#}\n{shot}\nconsole:{console}", self.kind)
    }

    /// Saves what the page shows as `NAME-BROWSER.png` and returns the file's path.
    ///
    /// The folder is `$TAPROOT_SCREENSHOTS`, else `target/screenshots` in the workspace.
    ///
    /// # Errors
    /// If the browser takes no screenshot or the file cannot be written.
    pub async fn screenshot(&self, name: &str) -> Result<PathBuf> {
        let folder = screenshots_dir();
        fs::create_dir_all(&folder).with_context(|| format!("could not create {}", folder.display()))?;
        let path = folder.join(format!("{name}-{}.png", self.kind));
        self.driver.screenshot(&path).await.with_context(|| format!("no screenshot {}", path.display()))?;
        Ok(path)
    }
}

fn screenshots_dir() -> PathBuf {
    match std::env::var_os("TAPROOT_SCREENSHOTS") {
        Some(folder) => folder.into(),
        None => workspace_root().join("target").join("screenshots"),
    }
}

/// The project's root.
#[must_use]
pub fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_path_buf()
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("the test panicked").to_owned()
}
