//! What the app is for: a kernel that is wrong is seen at its operator, and nowhere else.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use taproot_tests::{Banner, Browser, BrowserKind, Key, Misbehaviour, Site, in_browser};

const SOON: Duration = Duration::from_secs(30);
const SOFTMAX: [&str; 2] = ["s0.encoder.layer.0.attention.self.softmax", "s0.encoder.layer.1.attention.self.softmax"];

/// What the spoiled kernel is made from, read where it stands: whoever rewrites it is told here that nothing would be spoiled.
const SOFTMAX_SHADER: &str = include_str!("../../../engine/src/webgpu/shaders/softmax.wgsl");
const RIGHT: &str = "exp_f32(score(row, c) - largest) / sum";

/// The worker's script is served with lines before it that change one kernel on its way to the GPU: rows of a softmax no longer
/// add up to 1, by one part in a thousand.
const SPOIL_SOFTMAX: &str = "
    const create = GPUDevice.prototype.createShaderModule;
    GPUDevice.prototype.createShaderModule = function (descriptor) {
        const right = 'exp_f32(score(row, c) - largest) / sum';
        const code = descriptor.code.replace(right, `${right} * 1.001`);
        return create.call(this, { ...descriptor, code });
    };
";

#[tokio::test]
async fn a_wrong_kernel_fails_at_its_operator_and_nowhere_else() -> Result<()> {
    ensure!(
        SOFTMAX_SHADER.contains(RIGHT) && SPOIL_SOFTMAX.contains(RIGHT),
        "softmax.wgsl has other words now: mend RIGHT"
    );
    let site = Site::builder()
        .app()?
        .misbehave("/taproot-worker_loader.js", Misbehaviour::Prepend(SPOIL_SOFTMAX))
        .start()
        .await?;
    in_browser(BrowserKind::Chromium, "wrong-kernel", async |page| {
        page.open_app(&site.url("/?plan=none")).await?;
        page.wait_until_replayed().await?;
        ensure!(page.cases_with("fail").await? == SOFTMAX, "failed: {:?}", page.cases_with("fail").await?);
        ensure!(page.cases_with("pass").await?.len() == 48, "{:?}", page.verdicts().await?);
        // The kernel ran and was wrong: that is no error of the page's.
        ensure!(page.banners(Banner::Error).await?.is_empty(), "{:?}", page.banners(Banner::Error).await?);

        // The count leads to one after the other.
        for id in SOFTMAX {
            page.click("[data-testid=count-fail]").await?;
            page.wait_for_text("[data-testid=case-id]", id).await?;
            ensure!(page.attribute("[data-testid=case-verdict]", "data-verdict").await?.as_deref() == Some("fail"));
            let why = page.text("[data-testid=case-sentence]").await?;
            ensure!(why.contains("error"), "the sentence does not say why: {why}");
            ensure!(page.heatmap().await?.shows_values(), "the difference is not shown");
        }
        page.screenshot("wrong-kernel").await?;

        // The slider finds the layer: without it the error at the exit is rounding, with it a thousand times that.
        page.focus("[data-testid=slider-last]").await?;
        for (key, layers, is_wrong) in [(Key::Home, "none", false), (Key::Down, "0-0", false), (Key::Down, "0-1", true)]
        {
            page.press(key).await?;
            page.wait_for_link("plan", Some(layers)).await?;
            if layers == "none" {
                continue;
            }
            page.wait_for("[data-testid=plan][data-state=done]", SOON).await?;
            let last = inherited(page).await?.into_iter().next_back().context("the plan gave no error")?;
            ensure!((last > 1e-5) == is_wrong, "layers {layers}: the error at the exit is {last}");
        }
        page.expect_quiet_console().await
    })
    .await
}

/// The inherited errors that are known, from the first layer on.
async fn inherited(page: &Browser) -> Result<Vec<f64>> {
    let errors = "[...document.querySelectorAll('[data-testid=layer-error][data-inherited]')] \
                  .map(mark => Number(mark.dataset.inherited))";
    Ok(serde_json::from_value(page.eval(errors).await?)?)
}
