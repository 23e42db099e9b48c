//! A browser without WebGPU: the page says so and what to do, and the trace can still be browsed.

use std::time::Duration;

use anyhow::{Result, ensure};
use taproot_tests::{Banner, Browser, Sample, Site, in_started};

const SOON: Duration = Duration::from_secs(20);
const GELU: &str = "s0.encoder.layer.0.intermediate.intermediate_act_fn.gelu";

#[tokio::test]
async fn without_webgpu_the_page_says_why_and_shows_what_was_recorded() -> Result<()> {
    let recorded = Sample::open()?.recorded(GELU)?;
    let site = Site::app().await?;
    in_started(Browser::chromium_without_webgpu().await?, "no-webgpu", async |page| {
        page.open_app(&site.url("/")).await?;
        let said = page.wait_for_text("[data-testid=no-webgpu]", "no WebGPU").await?;
        ensure!(said.contains("nothing can be replayed") && said.contains("can still be browsed"), "{said}");
        let why = page.text("[data-testid=no-webgpu-reason]").await?;
        ensure!(why.contains("no GPU for it"), "{why}");
        page.click("[data-testid=no-webgpu] summary").await?;
        let advice = page.text("[data-testid=no-webgpu] ul").await?;
        ensure!(advice.contains("chrome://gpu") && advice.contains("hardware acceleration"), "{advice}");
        ensure!(page.text("[data-testid=gpu-badge]").await?.contains("no WebGPU"));
        ensure!(page.eval("document.querySelector('[data-testid=run]').disabled").await? == true);
        page.wait_for("#app[data-state=done]", SOON).await?;

        // What was recorded is there without asking for it: nothing else can be shown.
        ensure!(page.heatmap().await?.shows_values(), "the heatmap is empty");
        page.select(GELU).await?;
        page.wait_for_text("[data-testid=arguments]", "[1, 8, 1536]").await?;
        ensure!(page.heatmap().await?.shows_values());
        page.hover(page.point_in("[data-testid=heatmap-canvas]", 0.5, 0.5 / 8.0).await?).await?;
        page.wait_for("[data-testid=readout-expected]", SOON).await?;
        let index = page.text("[data-testid=readout-index]").await?;
        let column: usize = index.trim_end_matches(']').rsplit(", ").next().unwrap_or_default().parse()?;
        let value: f32 = page.text("[data-testid=readout-expected]").await?.replace('−', "-").parse()?;
        ensure!(value == recorded[column], "recorded {}, read {value} at {index}", recorded[column]);
        ensure!(page.count("[data-testid=readout-actual]").await? == 0, "a value that nothing computed is shown");
        page.screenshot("no-webgpu").await?;

        // The slider moves and promises nothing.
        page.focus("[data-testid=slider-last]").await?;
        page.press(taproot_tests::Key::Up).await?;
        page.wait_for_link("plan", Some("0-2")).await?;
        ensure!(page.text("[data-testid=plan-error]").await?.is_empty());

        // Nothing says pass, or anything else that only a replay can know.
        let verdicts = page.verdicts().await?;
        ensure!(
            verdicts.len() == 1 && !verdicts.contains_key("pass") && verdicts.get("pending") == Some(&50),
            "{verdicts:?}"
        );
        ensure!(page.text("[data-testid=count-pass]").await?.contains('0'));
        ensure!(page.text("[data-testid=case-sentence]").await?.contains("Not replayed"));
        ensure!(page.banners(Banner::Error).await?.is_empty(), "{:?}", page.banners(Banner::Error).await?);
        page.expect_quiet_console().await
    })
    .await
}
