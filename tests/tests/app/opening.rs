//! Ways to open a trace: dropped, by its address, as one .zip.

use std::{collections::BTreeSet, path::Path, time::Duration};

use anyhow::{Context as _, Result, ensure};
use taproot_tests::{Banner, Browser, BrowserKind, Misbehaviour, Request, Sample, Site, in_browser, in_started};

const SOON: Duration = Duration::from_secs(20);
const SLOW: Duration = Duration::from_secs(2);
const MODEL: &str = "A copy under another name";

/// The sample under another name, to be told apart from the one that is open already.
fn renamed() -> Result<taproot_tests::SampleCopy> {
    Sample::open()?.copy()?.edit_manifest(|manifest| manifest["model"]["name"] = MODEL.into())
}

/// The trace that was opened is the copy, all of it works, and its values come.
async fn shows_the_copy(page: &Browser) -> Result<()> {
    page.wait_for_text("[data-testid=trace-chooser]", MODEL).await?;
    page.wait_until_opened().await?;
    ensure!(page.heatmap().await?.shows_values());
    ensure!(page.banners(Banner::Error).await?.is_empty(), "{:?}", page.banners(Banner::Error).await?);
    Ok(())
}

#[tokio::test]
async fn a_folder_is_dropped() -> Result<()> {
    let copy = renamed()?;
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "drop-folder", async |page| {
        page.open_app(&site.url("/")).await?;
        let requests = site.requests().len();
        drop_on_the_page(page, copy.folder()).await?;
        shows_the_copy(page).await?;
        ensure!(page.link().await?.get("local").map(String::as_str) == Some("trace"), "{:?}", page.link().await?);
        // No link leads to files of this machine, and the button says so.
        ensure!(page.attribute("[data-testid=copy-link]", "aria-disabled").await?.as_deref() == Some("true"));
        let why = page.attribute("[data-testid=copy-link]", "title").await?.context("no title")?;
        ensure!(why.contains("on this machine only"), "{why}");
        page.wait_until_replayed().await?;
        page.expect_all_pass(50).await?;
        // The sample's replay may have asked for a few tensors before the drop took its place.
        let since = site.requests().split_off(requests);
        ensure!(
            since.iter().all(|request| request.range.is_some()),
            "what was dropped went over the network: {since:?}"
        );
        page.expect_quiet_console().await
    })
    .await
}

#[tokio::test]
async fn a_zip_is_dropped() -> Result<()> {
    let zip = renamed()?;
    let path = zip.zip()?;
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "drop-zip", async |page| {
        page.open_app(&site.url("/")).await?;
        drop_on_the_page(page, &path).await?;
        shows_the_copy(page).await?;
        page.wait_for("[data-case][data-verdict=pass]", SOON).await?;
        // As long as the page is open, its history leads there and back.
        page.back().await?;
        page.wait_for_text("[data-testid=trace-chooser]", "MiniLM").await?;
        page.wait_until_opened().await?;
        page.forward().await?;
        shows_the_copy(page).await?;

        // The sample from the list, and once more while it is open.
        for _ in 0..2 {
            page.click("[data-testid=trace-chooser]").await?;
            page.click("[data-testid=sample]").await?;
            page.wait_for_text("[data-testid=trace-chooser]", "MiniLM").await?;
            page.wait_until_opened().await?;
            ensure!(page.heatmap().await?.shows_values());
            page.wait_for("[data-case][data-verdict=pass]", SOON).await?;
        }
        page.expect_quiet_console().await
    })
    .await
}

async fn drop_on_the_page(page: &Browser, path: &Path) -> Result<()> {
    page.drop_files(page.centre_of("main").await?, &[path]).await
}

/// Without a GPU nothing is replayed, so that every request is one for opening or for looking.
#[tokio::test]
async fn an_address_is_opened_by_ranges_and_only_what_is_looked_at_is_read() -> Result<()> {
    let copy = renamed()?;
    let sample = Sample::open()?;
    let site = Site::app().await?;
    let other = Site::builder().mount("/models/trace", copy.folder()).cors().start().await?;
    in_started(Browser::chromium_without_webgpu().await?, "open-url", async |page| {
        page.open_app(&site.url("/")).await?;
        page.open_address(&other.url("/models/trace/")).await?;
        shows_the_copy(page).await?;
        page.wait_for_link("trace", Some(&other.url("/models/trace/"))).await?;

        // Headers and the first tensors come in one read of 64 KiB from each shard; then the tensors of the case.
        let mut expected = BTreeSet::from([whole("/models/trace/trace.json")]);
        for (shard, size) in sample.shards() {
            expected.insert(part(&shard, 0..size.min(64 << 10) as usize));
        }
        let first = page.text("[data-testid=case-id]").await?;
        expected.extend(needed(&sample, &first)?);
        let seen = other.requests();
        ensure!(seen.iter().cloned().collect::<BTreeSet<_>>() == expected, "expected {expected:?}, seen {seen:?}");
        ensure!(seen.len() == expected.len(), "something was asked for twice: {seen:?}");

        // Another case: its tensors and no more.
        let second = "s0.encoder.layer.1.output.dense.linear";
        page.select(second).await?;
        page.heatmap().await?;
        expected.extend(needed(&sample, second)?);
        let seen = other.requests();
        ensure!(seen.iter().cloned().collect::<BTreeSet<_>>() == expected, "expected {expected:?}, seen {seen:?}");

        // Back is the sample again.
        page.back().await?;
        page.wait_for_text("[data-testid=case-id]", &first).await?;
        page.back().await?;
        page.wait_until(
            &format!("!document.querySelector('[data-testid=trace-chooser]').innerText.includes('{MODEL}')"),
            SOON,
        )
        .await?;
        page.expect_quiet_console().await
    })
    .await
}

fn whole(path: &str) -> Request {
    Request { path: path.to_owned(), range: None }
}

fn part(shard: &str, bytes: std::ops::Range<usize>) -> Request {
    // HTTP names the last byte, not the one after it.
    Request { path: format!("/models/trace/{shard}"), range: Some(format!("bytes={}-{}", bytes.start, bytes.end - 1)) }
}

/// What has to be read to look at a case: each of its tensors, or what it is a view of.
fn needed(sample: &Sample, id: &str) -> Result<Vec<Request>> {
    let tensors = sample.tensors_of(id)?;
    tensors.into_iter().map(|tensor| sample.stored(tensor).map(|stored| part(&stored.shard, stored.bytes))).collect()
}

#[tokio::test]
async fn other_servers_and_archives_are_opened_by_address() -> Result<()> {
    let copy = renamed()?;
    let zip = copy.zip()?;
    let site = Site::app().await?;
    let other = Site::builder()
        .mount("/ranges", copy.folder())
        .mount("/whole", copy.folder())
        .mount("/zip", zip.parent().context("no folder")?)
        .cors()
        .misbehave("/whole/weights.safetensors", Misbehaviour::IgnoreRange)
        .misbehave("/whole/activations.safetensors", Misbehaviour::IgnoreRange)
        .misbehave("/slow/trace.json", Misbehaviour::Slow(SLOW))
        .mount("/slow", Sample::open()?.folder())
        .start()
        .await?;
    in_browser(BrowserKind::Chromium, "open-other", async |page| {
        for address in ["/ranges/trace.json", "/whole/", "/zip/trace.zip"] {
            page.open_app(&site.url(&format!("/?trace={}", other.url(address)))).await?;
            shows_the_copy(page).await?;
            page.wait_for("[data-case][data-verdict=pass]", SOON).await?;
        }
        // A server without ranges is asked for each shard once, not for each tensor.
        let asked = other.requests().iter().filter(|request| request.path == "/whole/weights.safetensors").count();
        ensure!(asked == 1, "asked {asked} times for the same file");

        // What was chosen last counts, also when it is there first.
        page.open_address(&other.url("/slow/")).await?;
        page.wait_for("#app[data-state=loading]", SOON).await?;
        page.open_address(&other.url("/ranges/")).await?;
        shows_the_copy(page).await?;
        tokio::time::sleep(SLOW).await;
        page.wait_for_text("[data-testid=trace-chooser]", MODEL).await?;
        page.wait_for_link("trace", Some(&other.url("/ranges/"))).await?;
        page.expect_quiet_console().await
    })
    .await
}
