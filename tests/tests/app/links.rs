//! The address holds the whole view: links, Back, and links that are broken or old.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use taproot_tests::{Banner, Browser, BrowserKind, Key, Picture, Site, in_browser};

const SOON: Duration = Duration::from_secs(20);
const KEY: &str = "s0.encoder.layer.1.attention.self.key.linear";
const GELU: &str = "s0.encoder.layer.0.intermediate.intermediate_act_fn.gelu";

/// All that a colleague must see alike.
#[derive(Debug, PartialEq)]
struct View {
    op: String,
    plan: String,
    handles: Vec<String>,
    quantity: String,
    zoom: String,
    picture: Picture,
}

impl View {
    async fn of(page: &Browser) -> Result<Self> {
        let selected =
            "[...document.querySelectorAll('[role=tab][aria-selected=true]')].map(tab => tab.dataset.testid).join()";
        let handles =
            "[...document.querySelectorAll('[role=slider]')].map(handle => handle.getAttribute('aria-valuenow'))";
        Ok(Self {
            op: page.text("[data-testid=case-id]").await?,
            plan: page.text("[data-testid=plan] strong").await?,
            handles: serde_json::from_value(page.eval(handles).await?)?,
            quantity: page.eval(selected).await?.as_str().unwrap_or_default().to_owned(),
            zoom: page.text("[data-testid=zoom-fit]").await?,
            picture: page.heatmap().await?,
        })
    }
}

#[tokio::test]
async fn a_link_gives_a_colleague_the_same_view() -> Result<()> {
    let site = Site::app().await?;
    let mut sent = None;
    in_browser(BrowserKind::Chromium, "link-sent", async |page| {
        page.allow_clipboard().await?;
        page.open_app(&site.url("/")).await?;
        page.select(KEY).await?;
        page.show("actual").await?;
        page.focus("[data-testid=slider-first]").await?;
        page.press(Key::Down).await?;
        page.focus("[data-testid=slider-last]").await?;
        page.press(Key::Up).await?;
        page.wheel(page.point_in("[data-testid=heatmap-canvas]", 0.7, 0.3).await?, -450.0).await?;
        page.wait_for_link("plan", Some("1-2")).await?;
        page.wait_until("new URLSearchParams(location.search).has('zoom')", SOON).await?;
        page.hover(page.centre_of("[data-testid=run]").await?).await?;
        let view = View::of(page).await?;
        ensure!(view.picture.shows_values() && view.zoom != "1×" && view.handles == ["1", "3"], "{view:?}");

        page.click("[data-testid=copy-link]").await?;
        page.wait_for_text("[data-testid=copy-link]", "Copied").await?;
        let link = page.eval("navigator.clipboard.readText()").await?.as_str().unwrap_or_default().to_owned();
        ensure!(link == page.url().await?, "the link copied is {link}, the address {}", page.url().await?);
        sent = Some((link, view));
        page.expect_quiet_console().await
    })
    .await?;

    let (link, view) = sent.context("no link was sent")?;
    for part in ["v=1", "sample=minilm-2-layers-f16", "hash=", "plan=1-2", "op=", "show=actual", "zoom=", "at="] {
        ensure!(link.contains(part), "no {part} in {link}");
    }
    in_browser(BrowserKind::Chromium, "link-opened", async |page| {
        page.open_app(&link).await?;
        let opened = View::of(page).await?;
        ensure!(opened == view, "sent {view:?}, opened {opened:?}");
        ensure!(page.url().await? == link, "opening the link changed it to {}", page.url().await?);
        ensure!(page.banners(Banner::Warning).await?.is_empty(), "{:?}", page.banners(Banner::Warning).await?);
        // The plan is run too, not only shown.
        page.wait_until_replayed().await?;
        page.wait_for("[data-testid=plan][data-state=done]", SOON).await?;
        page.wait_for_text("[data-testid=plan-error]", "Error at").await?;
        page.expect_quiet_console().await
    })
    .await
}

#[tokio::test]
async fn back_and_forward_go_through_the_choices() -> Result<()> {
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "back", async |page| {
        page.open_app(&site.url("/")).await?;
        let own_choice = page.text("[data-testid=case-id]").await?;
        let first = page.heatmap().await?;
        page.select(KEY).await?;
        page.heatmap().await?;
        page.select(GELU).await?;
        let gelu = page.heatmap().await?;
        page.show("expected").await?;

        page.back().await?;
        page.wait_for("[data-testid=tab-difference][aria-selected=true]", SOON).await?;
        ensure!(page.heatmap().await? == gelu);
        page.back().await?;
        page.wait_for_text("[data-testid=case-id]", KEY).await?;
        page.back().await?;
        page.wait_for_text("[data-testid=case-id]", &own_choice).await?;
        let again = page.heatmap().await?;
        ensure!(again == first, "back at the first case, its picture is another: {first:?}, {again:?}");
        page.forward().await?;
        page.forward().await?;
        page.wait_for_text("[data-testid=case-id]", GELU).await?;
        ensure!(page.heatmap().await? == gelu);
        // None of it touched the replay.
        page.wait_until_replayed().await?;
        page.expect_all_pass(50).await?;
        page.expect_quiet_console().await
    })
    .await
}

/// What is not understood is said in a sentence each, and the rest of the view is shown.
#[tokio::test]
async fn a_broken_link_shows_what_it_can() -> Result<()> {
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "broken-link", async |page| {
        let open = async |query: &str| page.open_app(&site.url(&format!("/?{query}"))).await;

        open(&format!("v=1&colour=red&plan=9-2&zoom=NaN&op={KEY}")).await?;
        let warnings = page.banners(Banner::Warning).await?;
        ensure!(warnings.len() == 3, "{warnings:?}");
        for part in ["'colour=red' is not known", "'plan=9-2' must be", "'zoom=NaN' must be"] {
            ensure!(warnings.iter().filter(|text| text.contains(part)).count() == 1, "no {part} in {warnings:?}");
        }
        ensure!(page.text("[data-testid=case-id]").await?.contains(KEY), "the part that was right is not used");
        ensure!(page.heatmap().await?.shows_values());
        page.screenshot("broken-link").await?;

        open("v=1&sample=minilm-2-layers-f16&hash=0123456789abcdef&op=no.such.operator&step=7").await?;
        page.wait_for_banner(Banner::Warning, "content hash 0123456789abcdef").await?;
        page.wait_for_banner(Banner::Warning, "'no.such.operator', which this trace does not have").await?;
        page.wait_for_banner(Banner::Warning, "names step 7").await?;
        ensure!(page.heatmap().await?.shows_values());
        let hash = page.link().await?.get("hash").cloned().context("no hash in the address")?;
        ensure!(hash != "0123456789abcdef", "the address keeps the wrong hash");

        open("v=99&op=x").await?;
        let errors = page.banners(Banner::Error).await?;
        ensure!(errors.len() == 1 && errors[0].contains("newer Taproot") && errors[0].contains("reload"), "{errors:?}");
        ensure!(page.heatmap().await?.shows_values(), "the page is of no use without the link's view");

        // Places far outside the tensor are brought back inside it.
        open(&format!("v=1&op={KEY}&out=5&dims=0,9&slice=99,99,99&zoom=1e300&at=1e9,1e9&show=expected")).await?;
        page.heatmap().await?;
        ensure!(
            page.count("[data-testid=heatmap-message]").await? == 0,
            "{}",
            page.text("[data-testid=heatmap]").await?
        );
        page.expect_quiet_console().await?;

        for (query, sentence) in [
            ("sample=nothing-like-this", "no bundled sample 'nothing-like-this'"),
            ("local=my-trace", "drop the same files here"),
        ] {
            page.open(&site.url(&format!("/?{query}"))).await?;
            page.wait_for_banner(Banner::Error, sentence).await?;
            page.wait_for("#app[data-state=error]", SOON).await?;
            page.wait_for_text("main", "No trace is open.").await?;
        }
        page.expect_quiet_console().await
    })
    .await
}
