//! End-to-end tests: the built app in real browsers, driven over WebDriver.
//!
//! This library is the harness; the tests themselves stand in `tests/tests`. A test is a function that gets a browser's
//! page, and reads like what a person does:
//!
//! ```no_run
//! use std::time::Duration;
//! use taproot_tests::{BrowserKind, Site, in_browser, in_started};
//!
//! # async fn example() -> anyhow::Result<()> {
//! let site = Site::app().await?;
//! in_browser(BrowserKind::Chromium, "first_visit", async |page| {
//!     page.open(&site.url("/")).await?;
//!     page.wait_for("[data-verdict=pass]", Duration::from_secs(60)).await?;
//!     page.screenshot("first-visit").await?;
//!     page.expect_quiet_console().await
//! })
//! .await
//! # }
//! ```
//!
//! [`in_browser`] leaves a screenshot and what the console said when the test fails. A browser or driver that is missing
//! fails the test: nothing is skipped. `cargo xtask test browser` sets all of it up; a plain
//! `cargo test -p taproot-tests` finds programs on PATH, or by `CHROMIUM`, `CHROMEDRIVER`, `FIREFOX`, `GECKODRIVER`.

mod app;
mod browser;
mod console;
mod files;
mod launch;
mod misbehave;
mod page;
mod picture;
mod pointer;
mod program;
mod sample;
mod site;

pub use app::{Banner, REPLAYED};
pub use browser::{Browser, BrowserKind, in_browser, in_started, workspace_root};
pub use console::{ConsoleLine, Severity};
pub use misbehave::Misbehaviour;
pub use page::Theme;
pub use picture::Picture;
pub use pointer::Point;
pub use sample::{Sample, SampleCopy, Stored};
pub use site::{Request, Site, SiteBuilder};
pub use thirtyfour::Key;
