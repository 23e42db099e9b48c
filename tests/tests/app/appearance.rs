//! Dark and light, small screens, and the keyboard alone.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use taproot_tests::{Browser, BrowserKind, Key, Site, Theme, in_browser};

const SOON: Duration = Duration::from_secs(20);
const GELU: &str = "s0.encoder.layer.0.intermediate.intermediate_act_fn.gelu";

#[tokio::test]
async fn dark_and_light_follow_the_system_or_the_switch() -> Result<()> {
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "themes", async |page| {
        page.prefer_theme(Theme::Dark).await?;
        page.open_app(&site.url("/?show=expected")).await?;
        let dark = (brightness(page).await?, page.heatmap().await?);
        ensure!(dark.0 < 80.0, "the dark page has a brightness of {}", dark.0);
        page.screenshot("dark").await?;

        page.prefer_theme(Theme::Light).await?;
        page.wait_until("matchMedia('(prefers-color-scheme: light)').matches", SOON).await?;
        let light = brightness(page).await?;
        ensure!(light > 200.0, "the light page has a brightness of {light}");
        page.screenshot("light").await?;

        // The switch goes from the system's to light, to dark, and back; the choice outlives the page.
        for (theme, is_dark) in [("light", false), ("dark", true)] {
            page.click("[data-testid=theme-switch]").await?;
            page.wait_for(&format!("html[data-theme={theme}]"), SOON).await?;
            ensure!((brightness(page).await? < 80.0) == is_dark, "{theme}: {}", brightness(page).await?);
        }
        page.reload().await?;
        page.wait_for("html[data-theme=dark]", SOON).await?;
        page.wait_for("[data-case]", SOON).await?;
        ensure!(brightness(page).await? < 80.0);
        ensure!(page.heatmap().await? == dark.1, "the heatmap on dark is another than before");
        page.expect_quiet_console().await
    })
    .await
}

/// Of the page's background, 0 to 255.
async fn brightness(page: &Browser) -> Result<f64> {
    let channels = "getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number)";
    let channels: Vec<f64> = serde_json::from_value(page.eval(channels).await?)?;
    Ok(channels.iter().sum::<f64>() / 3.0)
}

#[tokio::test]
async fn everything_works_on_a_phone() -> Result<()> {
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "phone", async |page| {
        page.resize(390, 844).await?;
        page.open_app(&site.url("/")).await?;
        ensure!(page.heatmap().await?.shows_values());
        no_sideways_scrolling(page).await?;
        page.screenshot("phone").await?;
        for part in [
            "[data-testid=trace-chooser]",
            "[data-testid=run]",
            "[data-testid=counts]",
            "[data-testid=copy-link]",
            "[data-testid=theme-switch]",
            "[data-testid=slider-first]",
            "[data-testid=slider-last]",
            "[data-testid=matrix]",
            "[data-testid=error-chart]",
            "[data-testid=plan]",
            "[data-testid=case-id]",
            "[data-testid=heatmap-canvas]",
            "[data-testid=legend]",
            "[data-testid=metrics]",
            "[data-testid=arguments]",
        ] {
            reachable(page, part).await?;
        }
        // What is reachable works.
        page.select(GELU).await?;
        page.show("expected").await?;
        let picture = page.heatmap().await?;
        ensure!(picture.shows_values() && picture.width >= 300 && picture.height >= 150, "{picture:?}");
        no_sideways_scrolling(page).await?;
        reachable(page, "[data-testid=heatmap-canvas]").await?;
        page.screenshot("phone-case").await?;
        let to = page.point_in("[data-testid=slider-track]", 0.5, 0.5).await?;
        let from = page.centre_of("[data-testid=slider-last]").await?;
        page.drag(from, to).await?;
        page.wait_for_link("plan", Some("0-1")).await?;
        page.click("[data-testid=trace-chooser]").await?;
        page.wait_for("[data-testid=trace-dialog][open]", SOON).await?;
        page.screenshot("phone-dialog").await?;
        no_sideways_scrolling(page).await?;
        page.press(Key::Escape).await?;
        page.wait_for("[data-testid=case-verdict][data-verdict=pass]", SOON).await?;
        no_sideways_scrolling(page).await?;
        page.expect_quiet_console().await
    })
    .await
}

async fn no_sideways_scrolling(page: &Browser) -> Result<()> {
    // The scrollbar of a desktop's browser takes some of the 390 pixels.
    let widths = "[document.documentElement, document.querySelector('main')] \
                  .flatMap(part => [part.scrollWidth, part.clientWidth]).concat([innerWidth])";
    let widths = page.eval(widths).await?;
    let fits = widths[0] == widths[1] && widths[2] == widths[3];
    if !fits || widths[4] != 390 {
        let outside = "[...document.querySelectorAll('main, main *')] \
                       .filter(part => part.getBoundingClientRect().right > document.documentElement.clientWidth + 1) \
                       .map(part => part.dataset.testid || part.className).join(' ')";
        let outside = page.eval(outside).await?;
        anyhow::bail!(
            "what there is and what fits, of the page and its main part; the window: {widths}; outside: {outside}"
        );
    }
    Ok(())
}

/// Scrolled to, its middle is on the screen, and nothing covers it.
async fn reachable(page: &Browser, css: &str) -> Result<()> {
    let answer = page
        .eval(&format!(
            "(() => {{ \
                const part = document.querySelector('{css}'); \
                part.scrollIntoView({{ block: 'center', inline: 'center' }}); \
                const {{ x, y, width, height }} = part.getBoundingClientRect(); \
                const top = document.elementFromPoint( \
                    Math.min(Math.max(x + width / 2, 1), innerWidth - 1), Math.min(Math.max(y + height / 2, 1), innerHeight - 1)); \
                return [width > 0 && height > 0 && x + width / 2 < innerWidth && x + width / 2 > 0, \
                    !!top && (part.contains(top) || top.contains(part)), [x, y, width, height]]; \
            }})()"
        ))
        .await?;
    ensure!(answer[0] == true && answer[1] == true, "{css} cannot be reached: {answer}");
    Ok(())
}

/// From the top of the page to the values of a chosen case, without a mouse.
#[tokio::test]
async fn the_keyboard_alone_leads_to_a_heatmap() -> Result<()> {
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "keyboard", async |page| {
        page.open_app(&site.url("/")).await?;
        page.heatmap().await?;
        let first = tab_to(page, "!!focused.dataset.opId").await?;
        ensure!(first["outline"] != "none", "the focus does not show: {first}");
        for key in [Key::End, Key::Down, Key::Left, Key::Up] {
            page.press(key).await?;
        }
        let chosen = page.eval("document.activeElement.dataset.opId").await?;
        let chosen = chosen.as_str().context("the focus has left the cells")?;
        page.press(Key::Enter).await?;
        page.wait_for_text("[data-testid=case-id]", chosen).await?;

        tab_to(page, "focused.role === 'tab'").await?;
        page.press(Key::Left).await?;
        page.press(Key::Left).await?;
        page.wait_for("[data-testid=heatmap-canvas][data-quantity=expected]", SOON).await?;
        let canvas = tab_to(page, "focused.id === 'heatmap'").await?;
        ensure!(canvas["outline"] != "none", "the focus does not show: {canvas}");
        ensure!(page.heatmap().await?.shows_values());
        // The first key shows the cursor, the next ones move it.
        for key in [Key::Down, Key::Down, Key::Right, Key::Right, Key::Right] {
            page.press(key).await?;
        }
        page.wait_for_text("[data-testid=readout-index]", "[0, 1, 3]").await?;
        page.wait_for("[data-testid=readout-expected]", SOON).await?;
        page.press_with_shift(Key::Right).await?;
        page.wait_for_text("[data-testid=readout-index]", "[0, 1, 13]").await?;
        page.screenshot("keyboard").await?;
        page.expect_quiet_console().await
    })
    .await
}

/// Presses Tab until the element that has the focus fits the condition; says how its focus shows.
async fn tab_to(page: &Browser, condition: &str) -> Result<Value> {
    let mut passed = Vec::new();
    for _ in 0..40 {
        page.press(Key::Tab).await?;
        let answer = page
            .eval(&format!(
                "(focused => ({{ fits: {condition}, name: focused.dataset.testid ?? focused.getAttribute('aria-label'), \
                   outline: getComputedStyle(focused).outlineStyle }}))(document.activeElement)"
            ))
            .await?;
        if answer["fits"] == true {
            return Ok(answer);
        }
        passed.push(answer["name"].to_string());
    }
    anyhow::bail!("Tab does not lead to an element with {condition}; it passed {}", passed.join(", "))
}
