//! The harness itself: each browser starts and has WebGPU, and what tests rely on does what it says.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use taproot_tests::{Browser, BrowserKind, Key, Misbehaviour, Request, Severity, Site, Theme, in_browser};

const SOON: Duration = Duration::from_secs(20);

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join("pages")
}

#[tokio::test]
async fn chromium_has_a_webgpu_adapter() -> Result<()> {
    offers_adapter(BrowserKind::Chromium).await
}

#[tokio::test]
async fn firefox_has_a_webgpu_adapter() -> Result<()> {
    offers_adapter(BrowserKind::Firefox).await
}

/// To the page and to a worker alike.
async fn offers_adapter(kind: BrowserKind) -> Result<()> {
    let site = Site::folder(&pages()).await?;
    in_browser(kind, "adapter", async |page| {
        page.open(&site.url("/adapter.html")).await?;
        for place in ["page", "worker"] {
            page.wait_for(&format!("#{place}:is(.done, .failed)"), SOON).await?;
            let answer: Value = serde_json::from_str(&page.text(&format!("#{place}")).await?)?;
            ensure!(answer["maxBufferSize"].as_u64() >= Some(256 << 20), "in the {place}: {answer}");
        }
        page.expect_quiet_console().await
    })
    .await
}

#[tokio::test]
async fn chromium_takes_mouse_keys_and_size() -> Result<()> {
    takes_mouse_keys_and_size(BrowserKind::Chromium).await
}

#[tokio::test]
async fn firefox_takes_mouse_keys_and_size() -> Result<()> {
    takes_mouse_keys_and_size(BrowserKind::Firefox).await
}

async fn takes_mouse_keys_and_size(kind: BrowserKind) -> Result<()> {
    let site = Site::folder(&pages()).await?;
    in_browser(kind, "input", async |page| {
        page.open(&site.url("/input.html")).await?;
        page.resize(1000, 700).await?;
        ensure!(page.eval("[innerWidth, innerHeight]").await? == json!([1000, 700]), "resize");

        let middle = page.centre_of("#slider").await?;
        page.drag(page.point_in("#slider", 0.02, 0.5).await?, middle).await?;
        let dragged = slider(page).await?;
        ensure!((45..=55).contains(&dragged), "dragged to the middle, the slider is at {dragged}");
        page.focus("#slider").await?;
        page.press(Key::Right).await?;
        page.press(Key::Right).await?;
        ensure!(
            slider(page).await? == dragged + 2,
            "after two presses of the right arrow the slider is at {}",
            slider(page).await?
        );

        let [outer, inner] = ["outer.txt", "inner/inner.txt"].map(|name| pages().join("folder").join(name));
        page.choose_files("#files", &[&outer, &inner]).await?;
        page.wait_for("#chosen li", SOON).await?;
        ensure!(page.texts("#chosen li").await? == ["inner.txt", "outer.txt"], "chosen files");
        Ok(())
    })
    .await
}

async fn slider(page: &Browser) -> Result<i64> {
    let value = page.eval("document.getElementById('slider').valueAsNumber").await?;
    value.as_i64().context("the slider has no value")
}

#[tokio::test]
async fn chromium_takes_a_folder() -> Result<()> {
    let site = Site::folder(&pages()).await?;
    in_browser(BrowserKind::Chromium, "drop", async |page| {
        page.open(&site.url("/input.html")).await?;
        page.drop_files(page.centre_of("#zone").await?, &[&pages().join("folder")]).await?;
        page.wait_for("#dropped li", SOON).await?;
        let dropped = page.texts("#dropped li").await?;
        ensure!(
            dropped == ["/folder/inner/inner.txt = inner file", "/folder/outer.txt = outer file"],
            "dropped {dropped:?}"
        );
        page.choose_files("#folder", &[&pages().join("folder")]).await?;
        page.wait_for("#chosen li", SOON).await?;
        ensure!(page.texts("#chosen li").await? == ["folder/inner/inner.txt", "folder/outer.txt"], "chosen folder");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn chromium_shows_both_themes_and_small_sizes() -> Result<()> {
    let site = Site::folder(&pages()).await?;
    in_browser(BrowserKind::Chromium, "theme", async |page| {
        page.open(&site.url("/input.html")).await?;
        page.resize(390, 844).await?;
        ensure!(page.eval("innerWidth").await? == 390);
        for (theme, expected) in [(Theme::Dark, true), (Theme::Light, false)] {
            page.prefer_theme(theme).await?;
            ensure!(page.eval("matchMedia('(prefers-color-scheme: dark)').matches").await? == expected, "{theme:?}");
        }
        let shot = page.screenshot("harness-small").await?;
        ensure!(std::fs::metadata(&shot)?.len() > 1000, "{} is empty", shot.display());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn chromium_reports_the_console() -> Result<()> {
    reports_the_console(BrowserKind::Chromium).await
}

#[tokio::test]
async fn firefox_reports_the_console() -> Result<()> {
    reports_the_console(BrowserKind::Firefox).await
}

async fn reports_the_console(kind: BrowserKind) -> Result<()> {
    let site = Site::folder(&pages()).await?;
    let quiet = in_browser(kind, "console", async |page| {
        page.open(&site.url("/console.html")).await?;
        page.wait_until("document.title === 'Said'", SOON).await?;
        for (severity, text) in [
            (Severity::Info, "said by the page"),
            (Severity::Warning, "warned by the page"),
            (Severity::Info, "said by a worker"),
        ] {
            let lines = page.console().await?;
            ensure!(
                lines.iter().any(|line| line.severity == severity && line.text.contains(text)),
                "no {text:?} in {lines:?}"
            );
        }
        page.expect_quiet_console().await
    });
    quiet.await?;
    for (hash, text) in [("#error", "thrown by the page"), ("#worker-error", "complained by a worker")] {
        let loud = in_browser(kind, "console", async |page| {
            page.open(&site.url(&format!("/console.html{hash}"))).await?;
            page.wait_until("document.title === 'Said'", SOON).await?;
            tokio::time::sleep(Duration::from_millis(300)).await;
            page.expect_quiet_console().await
        });
        let error = loud.await.err().with_context(|| format!("{hash} went unnoticed"))?;
        ensure!(error.to_string().contains(text), "{error}");
    }
    Ok(())
}

#[tokio::test]
async fn a_failure_says_what_the_page_shows() -> Result<()> {
    let site = Site::folder(&pages()).await?;
    let failed = in_browser(BrowserKind::Chromium, "expected", async |page| {
        page.open(&site.url("/adapter.html")).await?;
        page.wait_for("#nothing", Duration::from_millis(100)).await?;
        Ok(())
    });
    let message = failed.await.err().context("an element that is not there was found")?.to_string();
    for part in ["no element `#nothing`", "the page shows:", "failure-expected-chromium.png", "console:"] {
        ensure!(message.contains(part), "no {part:?} in: {message}");
    }
    let panicked = in_browser(BrowserKind::Chromium, "expected", async |_| panic!("on purpose"));
    let message = panicked.await.err().context("a panic went unnoticed")?.to_string();
    ensure!(message.contains("on purpose"), "{message}");
    Ok(())
}

#[tokio::test]
async fn the_server_is_honest_unless_told_otherwise() -> Result<()> {
    let folder = tempfile::tempdir()?;
    for name in ["good.bin", "cut.bin", "whole.bin", "gone.bin", "typed.bin"] {
        std::fs::write(folder.path().join(name), (0..100).collect::<Vec<u8>>())?;
    }
    let other = Site::builder()
        .mount("/trace", folder.path())
        .cors()
        .misbehave("cut.bin", Misbehaviour::HangUp { after: 10 })
        .misbehave("whole.bin", Misbehaviour::IgnoreRange)
        .misbehave("gone.bin", Misbehaviour::Status(404))
        .misbehave("typed.bin", Misbehaviour::ContentType("text/html"))
        .start()
        .await?;
    let closed = Site::builder().mount("/trace", folder.path()).start().await?;
    let here = Site::folder(&pages()).await?;
    in_browser(BrowserKind::Chromium, "server", async |page| {
        page.open(&here.url("/input.html")).await?;
        let fetch = async |url: String| {
            let request = format!(
                "(async () => {{ \
                   const answer = await fetch('{url}', {{ headers: {{ Range: 'bytes=10-19' }} }}); \
                   const bytes = [...new Uint8Array(await answer.arrayBuffer())]; \
                   return [answer.status, bytes.length, bytes[0] ?? null, answer.headers.get('content-type'), answer.headers.get('content-range')]; \
                 }})()"
            );
            page.eval(&request).await
        };
        let ok = json!([206, 10, 10, "application/octet-stream", "bytes 10-19/100"]);
        ensure!(fetch(other.url("/trace/good.bin")).await? == ok);
        ensure!(fetch(other.url("/trace/whole.bin")).await? == json!([200, 100, 0, "application/octet-stream", null]));
        ensure!(fetch(other.url("/trace/gone.bin")).await?[0] == 404);
        ensure!(fetch(other.url("/trace/typed.bin")).await?[3] == "text/html");
        ensure!(page.eval(&format!("(await fetch('{}')).arrayBuffer()", other.url("/trace/cut.bin"))).await.is_err(), "cut");
        ensure!(fetch(closed.url("/trace/good.bin")).await.is_err(), "a site without CORS was read");
        let seen = Request { path: "/trace/good.bin".into(), range: Some("bytes=10-19".into()) };
        ensure!(other.requests().contains(&seen), "{:?}", other.requests());
        Ok(())
    })
    .await
}
