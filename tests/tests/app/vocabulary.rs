//! Every operator of the vocabulary in real browsers: the trace that `tests/conformance/trace.py` makes of PyTorch's numbers.
//!
//! `TAPROOT_VOCABULARY=FILE.zip` takes another trace than the frozen one, and `TAPROOT_RESULTS=FOLDER` (`docs/operators`) writes what came
//! of it for `docs/operators.md`.

use std::{collections::BTreeMap, env, fs, path::Path, path::PathBuf, time::Duration};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use taproot_tests::{Browser, BrowserKind, Site, in_browser, workspace_root};

/// Time for the frozen trace on a loaded machine; the whole of `tests/vectors` takes three times as long as its tenth.
const REPLAYED: Duration = Duration::from_secs(1500);

/// What WGSL cannot do and a case is refused for, rather than computed wrong.
const REFUSALS: [&str; 2] = ["32 bits", "f64 is not supported"];

#[tokio::test]
async fn chromium_computes_every_operator() -> Result<()> {
    computes_every_operator(BrowserKind::Chromium, "chromium", "Chromium, SwiftShader", 2).await
}

#[tokio::test]
#[ignore = "not yet seen to end: run it by name with --ignored"]
async fn firefox_computes_every_operator() -> Result<()> {
    computes_every_operator(BrowserKind::Firefox, "firefox", "Firefox, lavapipe", 3).await
}

async fn computes_every_operator(kind: BrowserKind, file: &str, platform: &str, order: usize) -> Result<()> {
    let trace = env::var_os("TAPROOT_VOCABULARY").map_or_else(frozen, PathBuf::from);
    let dtypes = dtypes(&trace)?;
    let name = trace.file_name().and_then(|name| name.to_str()).context("a trace without a name")?;
    let folder = trace.parent().context("a trace without a folder")?;
    let site = Site::builder().app()?.mount("/vocabulary", folder).start().await?;
    in_browser(kind, "vocabulary", async |page| {
        page.open(&site.url(&format!("/?trace={}", site.url(&format!("/vocabulary/{name}"))))).await?;
        let replayed = "document.querySelector('#app')?.dataset.state === 'done' && document.querySelector('[data-case]') \
                        && !document.querySelector('[data-case][data-verdict=pending]')";
        page.wait_until(replayed, REPLAYED).await?;
        let cases = verdicts(page).await?;
        ensure!(cases.keys().all(|id| dtypes.contains_key(id)), "other cases than the trace's");
        let (mut results, mut wrong) = (BTreeMap::new(), Vec::new());
        for (id, verdict) in &cases {
            let outcome = if verdict == "pass" { "passed" } else { refusal_or_failure(page, id, &mut wrong).await? };
            // Checked above.
            let (op, dtype) = &dtypes[id];
            let counts: &mut BTreeMap<String, BTreeMap<&str, usize>> = results.entry(op.clone()).or_default();
            let zero = || BTreeMap::from([("passed", 0), ("refused", 0), ("failed", 0)]);
            *counts.entry(dtype.clone()).or_insert_with(zero).entry(outcome).or_default() += 1;
        }
        page.screenshot("vocabulary").await?;
        println!("{platform}: {} of {} cases pass", cases.values().filter(|verdict| *verdict == "pass").count(), cases.len());
        if let Some(folder) = env::var_os("TAPROOT_RESULTS") {
            let report = json!({ "order": order, "platform": platform, "operators": results });
            let path = workspace_root().join(folder).join(format!("{file}.json"));
            fs::write(path, serde_json::to_string_pretty(&report)? + "\n")?;
        }
        ensure!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
        Ok(())
    })
    .await
}

fn frozen() -> PathBuf {
    workspace_root().join("tests").join("fixtures").join("vocabulary.zip")
}

/// Operator and dtype of each case: that of the first tensor, or of the result.
fn dtypes(trace: &Path) -> Result<BTreeMap<String, (String, String)>> {
    let mut archive = zip::ZipArchive::new(fs::File::open(trace).with_context(|| format!("no {}", trace.display()))?)?;
    let manifest: Value = serde_json::from_reader(archive.by_name("trace.json")?)?;
    let tensor =
        |value: &Value| value.as_u64().or_else(|| value["tensor"].as_u64()).or_else(|| value["tensors"][0].as_u64());
    let operators = manifest["operators"].as_array().into_iter().flatten();
    operators
        .map(|operator| {
            let arguments = operator["args"].as_object().into_iter().flatten().map(|(_, value)| value);
            let first = arguments
                .filter(|value| value.is_object())
                .find_map(tensor)
                .or_else(|| tensor(&operator["outputs"][0]));
            let dtype = &manifest["tensors"][first.context("a case without tensors")? as usize]["dtype"];
            let text = |value: &Value| value.as_str().map(String::from).context("not a string");
            Ok((text(&operator["id"])?, (text(&operator["op"])?, text(dtype)?)))
        })
        .collect()
}

/// The verdict of each case.
async fn verdicts(page: &Browser) -> Result<BTreeMap<String, String>> {
    let pairs = page
        .eval("[...document.querySelectorAll('[data-case]')].map(cell => [cell.dataset.opId, cell.dataset.verdict])");
    Ok(serde_json::from_value::<Vec<(String, String)>>(pairs.await?)?.into_iter().collect())
}

/// Whether a case was refused for what WGSL has not; if not it is added to those that are `wrong`.
async fn refusal_or_failure(page: &Browser, id: &str, wrong: &mut Vec<String>) -> Result<&'static str> {
    page.select(id).await?;
    let said = page.text("[data-testid=case-sentence]").await?;
    if REFUSALS.iter().any(|refusal| said.contains(refusal)) {
        return Ok("refused");
    }
    wrong.push(format!("{id}: {said}"));
    Ok("failed")
}
