//! Loading the bundled sample and replaying all of it, on two WebGPU implementations that share no code.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use taproot_tests::{Banner, Browser, BrowserKind, Misbehaviour, Sample, Site, in_browser};

const SOON: Duration = Duration::from_secs(20);

#[tokio::test]
async fn chromium_replays_the_sample_and_every_case_passes() -> Result<()> {
    replays_the_sample(BrowserKind::Chromium).await
}

#[tokio::test]
async fn firefox_replays_the_sample_and_every_case_passes() -> Result<()> {
    replays_the_sample(BrowserKind::Firefox).await
}

async fn replays_the_sample(kind: BrowserKind) -> Result<()> {
    let sample = Sample::open()?;
    let site = Site::app().await?;
    in_browser(kind, "replay", async |page| {
        page.resize(1440, 900).await?;
        page.open_app(&site.url("/")).await?;
        ensure!(page.count("[data-testid=intro]").await? == 1, "the first visit is not explained");
        let picture = page.heatmap().await?;
        ensure!(picture.width >= 480 && picture.height >= 400, "the heatmap is too small to read: {picture:?}");
        let before = layout(page).await?;
        page.wait_until_replayed().await?;

        let mut shown = page.cases_with("pass").await?;
        shown.sort();
        let mut recorded = sample.cases();
        recorded.sort();
        ensure!(shown == recorded, "the cases that passed are not those of the trace: {shown:?}");
        page.expect_all_pass(50).await?;
        ensure!(page.text("[data-testid=count-pass]").await?.contains("50"), "the count of passes");
        for other in ["warn", "fail", "gap"] {
            ensure!(
                page.eval(&format!("document.querySelector('[data-testid=count-{other}]').disabled")).await? == true
            );
        }
        ensure!(page.banners(Banner::Error).await?.is_empty() && page.banners(Banner::Warning).await?.is_empty());
        whole_model_is_right(page, &sample).await?;
        page.screenshot("replayed").await?;
        all_is_seen_at_once(page).await?;
        ensure!(layout(page).await? == before, "results moved the page: {before}, {}", layout(page).await?);
        ensure!(page.heatmap().await?.shows_values(), "the heatmap shows no values");
        says_what_it_runs_on(page).await?;
        page.expect_quiet_console().await
    })
    .await
}

/// Where everything is on the page: left, top and width of each part.
async fn layout(page: &Browser) -> Result<Value> {
    let parts = "['matrix', 'slider-track', 'error-chart', 'plan', 'case-id', 'heatmap-canvas', 'legend', 'metrics', 'arguments'] \
                 .map(id => [id, document.querySelector(`[data-testid=${id}]`).getBoundingClientRect()]) \
                 .map(([id, { x, y, width }]) => [id, x, y, width])";
    page.eval(parts).await
}

/// On a laptop's screen of 1440 by 900 all that one works with is there without scrolling.
async fn all_is_seen_at_once(page: &Browser) -> Result<()> {
    let outside = "[...document.querySelectorAll(\
            '#app > header, [data-testid=intro], [data-testid=slider-track], [data-testid=error-chart], [data-testid=matrix], \
             [data-testid=plan], [data-testid=case-id], [data-testid=case-sentence], #heatmap, [data-testid=legend], [data-case]')] \
        .filter(part => { \
            const { left, top, right, bottom } = part.getBoundingClientRect(); \
            return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight; \
        }) \
        .map(part => part.dataset.testid ?? part.dataset.opId ?? part.className)";
    let outside = page.eval(outside).await?;
    ensure!(outside.as_array().is_some_and(Vec::is_empty), "not on the screen: {outside}");
    let scrolls = page.eval("document.documentElement.scrollHeight > innerHeight").await?;
    ensure!(scrolls == false, "the page has to be scrolled");
    Ok(())
}

/// After the replay the plan runs by itself: each layer on WebGPU, fed by the one before it.
async fn whole_model_is_right(page: &Browser, sample: &Sample) -> Result<()> {
    page.wait_for("[data-testid=plan][data-state=done]", SOON).await?;
    ensure!(page.text("[data-testid=plan]").await?.contains("WebGPU computes the whole model."), "the plan's sentence");
    for layer in 0..sample.layers().len() {
        let mark = format!("[data-testid=layer-error][data-layer='{layer}']");
        for kind in ["data-isolated", "data-inherited"] {
            let error: f64 =
                page.attribute(&mark, kind).await?.with_context(|| format!("layer {layer}: no {kind}"))?.parse()?;
            // f32 against f32: some units in the last place, and not one wrong operator.
            ensure!((0.0..1e-5).contains(&error), "layer {layer}: {kind} is {error}");
        }
    }
    Ok(())
}

async fn says_what_it_runs_on(page: &Browser) -> Result<()> {
    page.click("[data-testid=gpu-badge]").await?;
    page.wait_for("[data-testid=gpu-dialog][open]", SOON).await?;
    let text = page.text("[data-testid=gpu-dialog]").await?;
    for fact in ["invocations per workgroup", "storage binding", "Features"] {
        ensure!(text.contains(fact), "no {fact:?} in {text}");
    }
    page.press(taproot_tests::Key::Escape).await?;
    page.wait_until_gone("[data-testid=gpu-dialog][open]", SOON).await
}

#[tokio::test]
async fn a_replay_can_be_cancelled_continued_and_run_again() -> Result<()> {
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "cancel", async |page| {
        page.open_app(&site.url("/")).await?;
        page.wait_for("[data-case][data-verdict=pass]", SOON).await?;
        page.click("[data-testid=run]").await?;
        page.wait_for("#app[data-state=done]", SOON).await?;
        // The case that was running when the button was pressed may still come; after that none does.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let stopped = page.verdicts().await?;
        ensure!(stopped.get("pass").is_some_and(|&passed| passed > 0 && passed < 50), "cancelled at {stopped:?}");
        tokio::time::sleep(Duration::from_secs(1)).await;
        ensure!(page.verdicts().await? == stopped, "the replay went on after it was cancelled");

        ensure!(page.text("[data-testid=run]").await? == "Continue");
        page.click("[data-testid=run]").await?;
        page.wait_for("#app[data-state=replaying]", SOON).await?;
        ensure!(page.verdicts().await?.get("pass") >= stopped.get("pass"), "verdicts were forgotten");
        page.wait_until_replayed().await?;
        page.expect_all_pass(50).await?;

        ensure!(page.text("[data-testid=run]").await? == "Run again");
        page.click("[data-testid=run]").await?;
        page.wait_for("[data-case][data-verdict=pending]", SOON).await?;
        page.wait_until_replayed().await?;
        page.expect_all_pass(50).await?;
        page.expect_quiet_console().await
    })
    .await
}

/// An operator that the vocabulary does not have is a gap with a name: no crash, no pass, and the rest runs.
#[tokio::test]
async fn an_unknown_operator_is_a_gap_by_name() -> Result<()> {
    const RENAMED: &str = "gelu";
    let sample = Sample::open()?;
    let renamed: Vec<String> = sample
        .cases()
        .into_iter()
        .filter(|id| sample.operator(id).is_ok_and(|operator| operator["op"] == RENAMED))
        .collect();
    ensure!(renamed.len() == 2, "the sample has {} of {RENAMED}", renamed.len());
    let trace = sample.copy()?.edit_manifest(|manifest| {
        for operator in manifest["operators"].as_array_mut().into_iter().flatten() {
            if operator["op"] == RENAMED {
                operator["op"] = "frobnicate".into();
            }
        }
    })?;
    let site = Site::builder().app()?.mount("/trace", trace.folder()).start().await?;
    in_browser(BrowserKind::Chromium, "gap", async |page| {
        page.open_app(&site.url(&format!("/?trace={}", site.url("/trace/")))).await?;
        page.wait_until_replayed().await?;
        ensure!(
            page.verdicts().await? == BTreeMap::from([("gap".into(), 2), ("pass".into(), 48)]),
            "{:?}",
            page.verdicts().await?
        );
        ensure!(page.cases_with("gap").await? == renamed, "{:?}", page.cases_with("gap").await?);
        ensure!(
            page.texts("[data-testid=gap]").await? == ["frobnicate ×2"],
            "{:?}",
            page.texts("[data-testid=gap]").await?
        );

        page.click("[data-testid=gap]").await?;
        page.wait_for_text("[data-testid=case-id]", renamed.first().context("none")?).await?;
        ensure!(page.attribute("[data-testid=case-verdict]", "data-verdict").await?.as_deref() == Some("gap"));
        page.wait_for_text("[data-testid=case-sentence]", "no operator 'frobnicate'").await?;
        // What was recorded can still be looked at.
        page.show("expected").await?;
        ensure!(page.heatmap().await?.shows_values(), "the recorded values are not shown");
        // The plan runs around it and says so.
        page.wait_for("[data-testid=plan][data-state=done]", SOON).await?;
        page.wait_for_text("[data-testid=plan]", "2 operators stayed recorded").await?;
        page.screenshot("gap").await?;
        page.expect_quiet_console().await
    })
    .await
}

/// The page's own script is served with a few lines before it that keep the device and destroy it when told to, as a driver
/// that restarts does.
#[tokio::test]
async fn a_lost_device_is_said_and_verdicts_stay() -> Result<()> {
    let site = Site::builder()
        .app()?
        .misbehave("/taproot-worker_loader.js", Misbehaviour::Prepend(DESTROY_WHEN_TOLD))
        .start()
        .await?;
    in_browser(BrowserKind::Chromium, "lost", async |page| {
        page.open_app(&site.url("/")).await?;
        page.wait_for("[data-case][data-verdict=pass]", SOON).await?;
        page.eval("new BroadcastChannel('taproot-test').postMessage('destroy')").await?;
        page.wait_for_text("[data-testid=no-webgpu]", "The GPU was lost").await?;
        page.wait_for("#app[data-state=done]", SOON).await?;
        let verdicts = page.verdicts().await?;
        ensure!(verdicts.contains_key("pass") && verdicts.contains_key("pending"), "{verdicts:?}");
        ensure!(!verdicts.contains_key("fail"), "a lost device was taken for wrong kernels: {verdicts:?}");
        page.show("expected").await?;
        ensure!(page.heatmap().await?.shows_values(), "the recorded values are not shown");
        page.screenshot("lost").await?;

        page.reload().await?;
        page.wait_until_replayed().await?;
        page.expect_all_pass(50).await
    })
    .await
}

const DESTROY_WHEN_TOLD: &str = "
    const request = GPUAdapter.prototype.requestDevice;
    GPUAdapter.prototype.requestDevice = async function (...args) {
        const device = await request.apply(this, args);
        new BroadcastChannel('taproot-test').onmessage = () => device.destroy();
        return device;
    };
";
