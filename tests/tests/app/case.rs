//! One case: choosing it, what is said of it, and its values in the heatmap.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use taproot_tests::{Browser, BrowserKind, Key, Picture, Sample, Site, in_browser};

const SOON: Duration = Duration::from_secs(20);
const SOFTMAX: [&str; 2] = ["s0.encoder.layer.0.attention.self.softmax", "s0.encoder.layer.1.attention.self.softmax"];
const CANVAS: &str = "[data-testid=heatmap-canvas]";

#[tokio::test]
async fn a_case_is_chosen_by_click_and_by_keys() -> Result<()> {
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "select", async |page| {
        page.open_app(&site.url("/")).await?;
        page.select(SOFTMAX[0]).await?;
        page.wait_for_link("op", Some(SOFTMAX[0])).await?;
        says_all_of_softmax(page).await?;
        let first = page.heatmap().await?;
        ensure!(first.shows_values(), "{first:?}");
        page.screenshot("case").await?;

        // The arrow moves along the cells and Enter chooses.
        page.press(Key::Down).await?;
        ensure!(focused_case(page).await? == SOFTMAX[1], "the focus is on {}", focused_case(page).await?);
        ensure!(page.text("[data-testid=case-id]").await?.contains(SOFTMAX[0]), "an arrow alone chose a case");
        page.press(Key::Enter).await?;
        page.wait_for_text("[data-testid=case-id]", SOFTMAX[1]).await?;
        page.wait_for_link("op", Some(SOFTMAX[1])).await?;
        says_all_of_softmax(page).await?;
        let second = page.heatmap().await?;
        ensure!(second.shows_values() && second != first, "two cases show the same picture");

        page.press(Key::Home).await?;
        page.press(Key::Enter).await?;
        page.wait_for_link("op", Some("s0.encoder.layer.1.attention.self.query.linear")).await?;
        page.expect_quiet_console().await
    })
    .await
}

/// Arguments with dtypes and shapes, verdict, metrics.
async fn says_all_of_softmax(page: &Browser) -> Result<()> {
    let arguments = page.wait_for_text("[data-testid=arguments]", "dim").await?;
    for part in ["input", "[1, 12, 8, 8]", "f32", "-1"] {
        ensure!(arguments.replace('−', "-").contains(part), "no {part:?} in the arguments: {arguments}");
    }
    page.wait_for("[data-testid=case-verdict][data-verdict=pass]", Duration::from_secs(60)).await?;
    let metrics = page.wait_for_text("[data-testid=metrics]", "ratio").await?;
    for metric in ["max abs", "max rel", "ULP", "cosine", "SQNR", "NMSE", "assert_close", "NaN/Inf", "f16 head-room"] {
        ensure!(metrics.contains(metric), "no {metric:?} in the metrics: {metrics}");
    }
    Ok(())
}

async fn focused_case(page: &Browser) -> Result<String> {
    Ok(page.eval("document.activeElement?.dataset.opId").await?.as_str().unwrap_or("nothing").to_owned())
}

/// What the readout says of one element.
struct Reading {
    index: Vec<usize>,
    expected: (f32, String),
    actual: (f32, String),
    text: String,
}

async fn read(page: &Browser) -> Result<Reading> {
    page.wait_for("[data-testid=readout-actual]", SOON).await?;
    let index = page.text("[data-testid=readout-index]").await?;
    let index = index.trim_matches(['[', ']']).split(", ").map(str::parse).collect::<Result<_, _>>()?;
    let number = async |testid: &str| -> Result<(f32, String)> {
        let text = page.text(&format!("[data-testid={testid}]")).await?.replace('−', "-");
        let bits = page.text(&format!("[data-testid={testid}] + .bits")).await?;
        Ok((text.parse().with_context(|| format!("{testid} says {text:?}"))?, bits))
    };
    Ok(Reading {
        index,
        expected: number("readout-expected").await?,
        actual: number("readout-actual").await?,
        text: page.text("[data-testid=readout]").await?,
    })
}

/// Points at elements and compares what is said with the bytes in the trace.
#[tokio::test]
async fn pointing_at_an_element_shows_value_bits_and_ulp() -> Result<()> {
    const LAYER_NORM: &str = "s0.encoder.layer.0.output.LayerNorm.layer_norm";
    let recorded = Sample::open()?.recorded(LAYER_NORM)?;
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "hover", async |page| {
        page.open_app(&site.url(&format!("/?op={LAYER_NORM}&show=expected"))).await?;
        ensure!(page.heatmap().await?.shows_values());
        for (row, column) in [(5, 100), (0, 7), (7, 380)] {
            let (across, down) = ((column as f64 + 0.5) / 384.0, (row as f64 + 0.5) / 8.0);
            page.hover(page.point_in(CANVAS, across, down).await?).await?;
            // WebDriver points at whole pixels, and an element is about one wide: its neighbour is as good.
            page.wait_until(
                &format!("document.querySelector('[data-testid=readout-index]')?.innerText.startsWith('[0, {row}, ')"),
                SOON,
            )
            .await?;
            let reading = read(page).await?;
            let [0, at_row, at_column] = reading.index[..] else { anyhow::bail!("the index is {:?}", reading.index) };
            ensure!(
                at_row == row && at_column.abs_diff(column) <= 1,
                "pointed at {row}, {column}, read {:?}",
                reading.index
            );
            let value = recorded[at_row * 384 + at_column];
            ensure!(
                reading.expected == (value, format!("0x{:08x}", value.to_bits())),
                "recorded {value}, read {:?}",
                reading.expected
            );
            let ulp = reading.actual.0.to_bits().abs_diff(value.to_bits());
            ensure!(reading.actual.1 == format!("0x{:08x}", reading.actual.0.to_bits()), "{:?}", reading.actual);
            ensure!(reading.text.contains(&format!("{ulp} ULP")), "expected {ulp} ULP: {}", reading.text);
        }
        // Away from the picture nothing is said of an element.
        page.hover(page.centre_of("[data-testid=run]").await?).await?;
        page.wait_until_gone("[data-testid=readout-index]", SOON).await?;
        page.expect_quiet_console().await
    })
    .await
}

#[tokio::test]
async fn one_zooms_down_to_single_values() -> Result<()> {
    const LINEAR: &str = "s0.encoder.layer.0.intermediate.dense.linear";
    let recorded = Sample::open()?.recorded(LINEAR)?;
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "zoom", async |page| {
        page.open_app(&site.url(&format!("/?op={LINEAR}&show=expected"))).await?;
        let whole = page.heatmap().await?;
        ensure!(whole.shows_values());
        page.eval(NOTE_TEXT).await?;

        // The wheel zooms about the pointer: what is under it stays.
        let point = page.point_in(CANVAS, 0.3, 0.6).await?;
        page.hover(point).await?;
        let before = read(page).await?;
        page.wheel(point, -600.0).await?;
        page.wait_for_link("zoom", Some("4")).await?;
        page.heatmap().await?;
        page.hover(point.offset(1.0, 0.0)).await?;
        page.hover(point).await?;
        let after = read(page).await?;
        ensure!(
            before.index[1] == after.index[1] && before.index[2].abs_diff(after.index[2]) <= 2,
            "zooming moved {:?} to {:?}",
            before.index,
            after.index
        );

        // Keys zoom on, until values are printed and it goes no further.
        page.focus(CANVAS).await?;
        let mut zoom = String::new();
        for _ in 0..20 {
            page.type_text("+").await?;
            let now = page.text("[data-testid=zoom-fit]").await?;
            if now == zoom {
                break;
            }
            zoom = now;
        }
        let near = page.heatmap().await?;
        ensure!(near != whole, "zooming changed nothing");
        page.screenshot("zoomed").await?;
        page.hover(page.centre_of(CANVAS).await?).await?;
        let reading = read(page).await?;
        let value = recorded[reading.index[1] * 1536 + reading.index[2]];
        ensure!(reading.expected.0 == value, "recorded {value}, read {:?}", reading.expected);
        // The pixels that were painted are numbers now, and this one is among them.
        let painted: Vec<String> = serde_json::from_value(page.eval("window.paintedText").await?)?;
        let near_value = |text: &String| {
            text.replace('−', "-").parse::<f32>().is_ok_and(|printed| (printed - value).abs() <= 0.01 * value.abs())
        };
        ensure!(painted.iter().any(near_value), "{value} is not among the values painted: {painted:?}");

        page.focus(CANVAS).await?;
        page.type_text("0").await?;
        page.wait_for_link("zoom", None).await?;
        page.press(Key::Escape).await?;
        page.hover(page.centre_of("[data-testid=run]").await?).await?;
        page.wait_until_gone("[data-testid=readout-index]", SOON).await?;
        ensure!(page.heatmap().await? == whole, "zoomed out, the picture is not the one before");
        page.expect_quiet_console().await
    })
    .await
}

/// A canvas does not say which texts it shows, so its painting is listened to: the last 200 texts.
const NOTE_TEXT: &str = "(() => { \
    window.paintedText = []; \
    const fillText = CanvasRenderingContext2D.prototype.fillText; \
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) { \
        window.paintedText = [...window.paintedText.slice(-199), text]; \
        return fillText.call(this, text, ...rest); \
    }; \
})()";

#[tokio::test]
async fn every_quantity_and_slice_has_its_picture() -> Result<()> {
    let recorded = Sample::open()?.recorded(SOFTMAX[0])?;
    let site = Site::app().await?;
    in_browser(BrowserKind::Chromium, "quantities", async |page| {
        page.open_app(&site.url(&format!("/?op={}", SOFTMAX[0]))).await?;
        let mut pictures: Vec<Picture> = Vec::new();
        for quantity in ["expected", "difference", "relative", "ulp"] {
            page.show(quantity).await?;
            let picture = page.heatmap().await?;
            ensure!(!pictures.contains(&picture), "{quantity} looks like another quantity");
            pictures.push(picture);
        }
        page.show("expected").await?;
        ensure!(page.heatmap().await? == pictures[0], "the same quantity looks different now");

        // Head 5 of 12.
        let slice = "[data-testid=slice][data-dim='1']";
        page.focus(slice).await?;
        for _ in 0..5 {
            page.press(Key::Up).await?;
        }
        page.wait_for_link("slice", Some("0,5")).await?;
        ensure!(page.heatmap().await? != pictures[0], "another head looks the same");
        page.hover(page.point_in(CANVAS, 3.5 / 8.0, 2.5 / 8.0).await?).await?;
        let reading = read(page).await?;
        ensure!(reading.index == [0, 5, 2, 3], "{:?}", reading.index);
        ensure!(reading.expected.0 == recorded[(5 * 8 + 2) * 8 + 3], "{:?}", reading.expected);
        page.expect_quiet_console().await
    })
    .await
}
