//! The migration slider: two handles along the layers.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use taproot_tests::{Browser, BrowserKind, Key, Sample, Site, in_browser};

const SOON: Duration = Duration::from_secs(20);
const FIRST: &str = "[data-testid=slider-first]";
const LAST: &str = "[data-testid=slider-last]";

#[tokio::test]
async fn handles_are_dragged_and_back_undoes_it() -> Result<()> {
    let layers = Sample::open()?.layers();
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "slider-mouse", async |page| {
        page.open_app(&site.url("/")).await?;
        ensure!(borders(page).await? == (0, 4), "{:?}", borders(page).await?);
        page.wait_for_text("[data-testid=plan]", "WebGPU computes the whole model.").await?;
        ensure!(!page.link().await?.contains_key("plan"));

        // The last handle to the border after the second layer, while the replay still runs.
        drag(page, LAST, 2).await?;
        ensure!(borders(page).await? == (0, 2), "{:?}", borders(page).await?);
        page.wait_for_link("plan", Some("0-1")).await?;
        page.wait_for_text("[data-testid=plan]", &format!("WebGPU computes 2 layers, {} to {}", layers[0], layers[1]))
            .await?;
        finished(page).await?;
        page.wait_for_text("[data-testid=plan-error]", "Error at").await?;
        ensure!(inherited(page).await? == [true, true, false, false], "{:?}", inherited(page).await?);
        page.screenshot("slider").await?;

        // The first one below it.
        drag(page, FIRST, 1).await?;
        page.wait_for_link("plan", Some("1-1")).await?;
        page.wait_for_text(
            "[data-testid=plan]",
            &format!("WebGPU computes {}; everything else is recorded", layers[1]),
        )
        .await?;
        finished(page).await?;
        ensure!(inherited(page).await? == [false, true, false, false], "{:?}", inherited(page).await?);

        // A click on the track moves the nearest handle.
        let below = page.point_in("[data-testid=slider-track]", 0.5, 0.74).await?;
        page.click_at(below).await?;
        page.wait_for_link("plan", Some("1-2")).await?;

        for (plan, borders_then) in [(Some("1-1"), (1, 2)), (Some("0-1"), (0, 2)), (None, (0, 4))] {
            page.back().await?;
            page.wait_for_link("plan", plan).await?;
            wait_for_borders(page, borders_then).await?;
        }
        page.forward().await?;
        wait_for_borders(page, (0, 2)).await?;
        finished(page).await?;
        ensure!(inherited(page).await? == [true, true, false, false], "{:?}", inherited(page).await?);

        page.wait_until_replayed().await?;
        page.expect_all_pass(50).await?;
        page.expect_quiet_console().await
    })
    .await
}

#[tokio::test]
async fn handles_obey_the_keyboard() -> Result<()> {
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "slider-keys", async |page| {
        page.open_app(&site.url("/")).await?;
        page.focus(FIRST).await?;
        press(page, Key::Down, (1, 4)).await?;
        page.wait_for_link("plan", Some("1-3")).await?;
        press(page, Key::Right, (2, 4)).await?;
        press(page, Key::Up, (1, 4)).await?;
        press(page, Key::Left, (0, 4)).await?;
        page.wait_for_link("plan", None).await?;
        // One handle pushes the other along.
        press(page, Key::End, (4, 4)).await?;
        page.wait_for_link("plan", Some("none")).await?;
        page.wait_for_text("[data-testid=plan]", "WebGPU computes nothing").await?;
        press(page, Key::Home, (0, 4)).await?;

        page.focus(LAST).await?;
        press(page, Key::Home, (0, 0)).await?;
        press(page, Key::Down, (0, 1)).await?;
        page.wait_for_link("plan", Some("0-0")).await?;
        press(page, Key::PageDown, (0, 3)).await?;
        press(page, Key::PageUp, (0, 1)).await?;
        let said = page.attribute(LAST, "aria-valuetext").await?;
        ensure!(said.as_deref() == Some("WebGPU ends with embeddings"), "{said:?}");
        finished(page).await?;
        ensure!(inherited(page).await? == [true, false, false, false], "{:?}", inherited(page).await?);
        // Past the ends nothing happens.
        press(page, Key::End, (0, 4)).await?;
        press(page, Key::Down, (0, 4)).await?;

        // Each press is one step of Back.
        page.back().await?;
        wait_for_borders(page, (0, 1)).await?;
        page.back().await?;
        wait_for_borders(page, (0, 3)).await?;
        page.expect_quiet_console().await
    })
    .await
}

/// Presses a key and waits for the handles to be at these borders.
async fn press(page: &Browser, key: Key, borders: (u64, u64)) -> Result<()> {
    page.press(key).await?;
    wait_for_borders(page, borders).await
}

/// Drags a handle to a border between layers.
async fn drag(page: &Browser, handle: &str, border: u32) -> Result<()> {
    let from = page.centre_of(handle).await?;
    let to = page.point_in("[data-testid=slider-track]", 0.5, f64::from(border) / 4.0).await?;
    page.drag(from, to).await
}

/// Where the handles are: layers above the first and above the last.
async fn borders(page: &Browser) -> Result<(u64, u64)> {
    let mut found = Vec::new();
    for handle in [FIRST, LAST] {
        found.push(page.attribute(handle, "aria-valuenow").await?.context("the handle has no value")?.parse()?);
    }
    Ok((found[0], found[1]))
}

async fn wait_for_borders(page: &Browser, (first, last): (u64, u64)) -> Result<()> {
    for (handle, border) in [(FIRST, first), (LAST, last)] {
        page.wait_for(&format!("{handle}[aria-valuenow='{border}']"), SOON).await?;
    }
    Ok(())
}

/// Waits until the plan has run.
async fn finished(page: &Browser) -> Result<()> {
    page.wait_for("[data-testid=plan][data-state=done]", SOON).await?;
    Ok(())
}

/// For each layer whether the chart shows an inherited error.
async fn inherited(page: &Browser) -> Result<Vec<bool>> {
    let marks = "[...document.querySelectorAll('[data-testid=layer-error]')].map(mark => 'inherited' in mark.dataset)";
    Ok(serde_json::from_value(page.eval(marks).await?)?)
}
