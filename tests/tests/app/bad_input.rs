//! Traces that are broken, and servers that fail: one clear sentence each, and what was open stays.

use std::{fs, io::Write as _, path::PathBuf, time::Duration};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use taproot_tests::{Banner, Browser, BrowserKind, Misbehaviour, Sample, SampleCopy, Site, in_browser};
use tempfile::TempDir;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

const SOON: Duration = Duration::from_secs(20);

/// Something bad to open: its name, and what the sentence about it must say.
struct Bad {
    name: &'static str,
    trace: SampleCopy,
    says: &'static [&'static str],
}

/// What can be wrong with the files themselves.
fn broken_copies() -> Result<Vec<Bad>> {
    let sample = Sample::open()?;
    let copy = || sample.copy();
    let (_, weights) =
        sample.shards().into_iter().find(|(path, _)| path == "weights.safetensors").context("no weights")?;
    let bad = |name, trace, says| Bad { name, trace, says };
    Ok(vec![
        bad("truncated-shard", copy()?.cut("weights.safetensors", weights / 2)?, &["weights.safetensors", "truncated"]),
        bad(
            "truncated-header",
            copy()?.cut("activations.safetensors", 100)?,
            &["activations.safetensors", "truncated"],
        ),
        bad("truncated-manifest", copy()?.cut("trace.json", 3000)?, &["trace.json is not a trace", "EOF"]),
        bad(
            "wrong-shape-of-a-weight",
            copy()?.edit_manifest(|manifest| {
                if let Some(tensor) =
                    manifest["tensors"].as_array_mut().into_iter().flatten().find(|tensor| tensor["role"] == "weight")
                {
                    tensor["shape"] = json!([3, 384]);
                }
            })?,
            &["LayerNorm", "must have shape [384], not [3, 384]"],
        ),
        bad(
            "wrong-shape-of-a-result",
            copy()?.edit_manifest(|manifest| manifest["tensors"][1]["shape"] = json!([1, 8, 385]))?,
            &["word_embeddings", "[1, 8, 385]"],
        ),
        bad(
            "offsets-past-the-end",
            copy()?.edit_header("activations.safetensors", |header| {
                // The last tensor, ten times as long.
                let end = |entry: &serde_json::Value| entry["data_offsets"][1].as_u64().unwrap_or(0);
                if let Some(last) =
                    header.as_object_mut().into_iter().flatten().map(|(_, entry)| entry).max_by_key(|entry| end(entry))
                {
                    let (from, to) = (last["data_offsets"][0].as_u64().unwrap_or(0), end(last));
                    last["shape"] = json!([10 * (to - from) / 4]);
                    last["data_offsets"][1] = (from + 10 * (to - from)).into();
                }
            })?,
            &["activations.safetensors", "past the end"],
        ),
        bad(
            "header-of-a-terabyte",
            copy()?.replace(
                "activations.safetensors",
                &[&(1u64 << 40).to_le_bytes()[..], &vec![b' '; 601_420]].concat(),
            )?,
            &["activations.safetensors", "header"],
        ),
        bad(
            "newer-version",
            copy()?.edit_manifest(|manifest| manifest["version"] = 2.into())?,
            &["format version 2", "update Taproot"],
        ),
        bad(
            "another-format",
            copy()?.edit_manifest(|manifest| manifest["format"] = "onnx".into())?,
            &["'onnx'", "taproot-trace"],
        ),
        bad(
            "a-loop",
            copy()?.edit_manifest(|manifest| manifest["operators"][4]["args"]["input"] = json!({ "tensor": 10 }))?,
            &["before it is computed"],
        ),
        bad(
            "a-path-outside",
            copy()?.edit_manifest(|manifest| manifest["shards"][0]["path"] = "../secret".into())?,
            &["../secret", "inside the trace"],
        ),
        bad(
            "not-a-trace",
            copy()?.replace("trace.json", br#"{"name": "left-pad", "version": "1.3.0"}"#)?,
            &["trace.json is not a trace"],
        ),
        bad("not-json", copy()?.replace("trace.json", b"\x00\x01\x02\xff")?, &["trace.json is not a trace"]),
        bad("empty", copy()?.replace("trace.json", b"")?, &["trace.json is not a trace"]),
    ])
}

/// All of them one after the other on one page, each time with the sample and its verdicts still there.
#[tokio::test]
async fn broken_traces_failing_servers_and_bad_files_give_one_sentence_each() -> Result<()> {
    let copies = broken_copies()?;
    let files = BadFiles::write()?;
    let good = Sample::open()?;
    let app = Site::app().await?;
    let mut builder = Site::builder().cors();
    for bad in &copies {
        builder = builder.mount(&format!("/{}", bad.name), bad.trace.folder());
    }
    for name in ["hang-up", "hang-up-later", "page", "page-for-a-shard", "gone-shard", "forbidden"] {
        builder = builder.mount(&format!("/{name}"), good.folder());
    }
    let server = builder
        .misbehave("/hang-up/trace.json", Misbehaviour::HangUp { after: 2000 })
        .misbehave("/hang-up-later/weights.safetensors", Misbehaviour::HangUp { after: 2000 })
        .misbehave("/page/trace.json", Misbehaviour::ContentType("text/html; charset=utf-8"))
        .misbehave("/page-for-a-shard/weights.safetensors", Misbehaviour::ContentType("text/html"))
        .misbehave("/gone-shard/weights.safetensors", Misbehaviour::Status(404))
        .misbehave("/forbidden/trace.json", Misbehaviour::Status(403))
        .start()
        .await?;
    let closed = Site::builder().mount("/trace", good.folder()).start().await?;
    let nobody = Site::folder(good.folder()).await?.url("/");

    let mut addresses: Vec<(String, Vec<String>)> = Vec::new();
    for bad in &copies {
        addresses.push((server.url(&format!("/{}/", bad.name)), bad.says.iter().map(ToString::to_string).collect()));
    }
    let more = [
        (server.url("/hang-up/"), vec!["broke off"]),
        (server.url("/hang-up-later/"), vec!["weights.safetensors broke off"]),
        (server.url("/page/"), vec!["text/html", "web page"]),
        (server.url("/page-for-a-shard/"), vec!["weights.safetensors", "text/html"]),
        (server.url("/gone-shard/"), vec!["'weights.safetensors' was not found", "404"]),
        (server.url("/forbidden/"), vec!["HTTP 403"]),
        (server.url("/nothing-here/"), vec!["'trace.json' was not found", "404"]),
        (server.url("/nothing-here.zip"), vec!["'nothing-here.zip' was not found", "404"]),
        (closed.url("/trace/"), vec!["could not be fetched", "Access-Control-Allow-Origin"]),
        (nobody, vec!["could not be fetched", "does not answer"]),
        ("ftp://example.org/trace/".into(), vec!["'ftp://example.org/trace/'", "http:// or https://"]),
        ("file:///tmp/trace.zip".into(), vec!["http:// or https://"]),
        (server.url("/not-a-trace/?token=1"), vec!["without ? or #"]),
    ];
    addresses.extend(more.map(|(url, says)| (url, says.into_iter().map(String::from).collect())));

    in_browser(BrowserKind::Chromium, "bad-input", async |page| {
        page.open_app(&app.url("/")).await?;
        page.wait_until_replayed().await?;
        let before = page.url().await?;
        let mut wrong = Vec::new();
        for (url, says) in &addresses {
            page.open_address(url).await?;
            if let Err(error) = refused(page, says, &before).await {
                wrong.push(format!("{url}: {error:#}"));
            }
            page.dismiss_banners().await?;
        }
        for (path, says) in files.all() {
            page.drop_files(page.centre_of("main").await?, &[&path]).await?;
            let says: Vec<String> = says.iter().map(ToString::to_string).collect();
            if let Err(error) = refused(page, &says, &before).await {
                wrong.push(format!("{}: {error:#}", path.display()));
            }
            page.dismiss_banners().await?;
        }
        ensure!(wrong.is_empty(), "{} were not refused well:\n{}", wrong.len(), wrong.join("\n"));

        // The same twice is one notice.
        for _ in 0..2 {
            page.open_address(&server.url("/newer-version/")).await?;
            page.wait_for_banner(Banner::Error, "format version 2").await?;
            page.wait_until_opened().await?;
        }
        ensure!(page.banners(Banner::Error).await?.len() == 1, "{:?}", page.banners(Banner::Error).await?);
        page.screenshot("bad-input").await?;

        // And the page still opens what is good.
        page.dismiss_banners().await?;
        page.select("s0.encoder.layer.1.output.dense.linear").await?;
        ensure!(page.heatmap().await?.shows_values(), "the sample's values no longer come");
        Ok(())
    })
    .await
}

/// What was just opened gives exactly one notice, a sentence that says all of `says`, and changes nothing else.
async fn refused(page: &Browser, says: &[String], address: &str) -> Result<()> {
    page.wait_for_banner(Banner::Error, "").await?;
    page.wait_until_opened().await?;
    one_sentence(&page.banners(Banner::Error).await?, says)?;
    nothing_was_lost(page, address).await
}

fn one_sentence(banners: &[String], says: &[String]) -> Result<()> {
    let [sentence] = banners else { anyhow::bail!("{} notices: {banners:?}", banners.len()) };
    for part in says {
        ensure!(sentence.contains(part.as_str()), "no {part:?} in {sentence:?}");
    }
    let looks_like_a_dump = ["Err(", "JsValue", "Error {", "panicked", "undefined", "\n"];
    ensure!(looks_like_a_dump.iter().all(|part| !sentence.contains(part)), "no sentence for people: {sentence:?}");
    ensure!(sentence.len() < 400, "{} characters: {sentence:?}", sentence.len());
    Ok(())
}

async fn nothing_was_lost(page: &Browser, address: &str) -> Result<()> {
    page.expect_all_pass(50).await?;
    ensure!(page.url().await? == address, "the address is {}", page.url().await?);
    ensure!(page.attribute("#app", "data-state").await?.as_deref() == Some("done"), "the app is not at rest");
    ensure!(page.text("[data-testid=trace-chooser]").await?.contains("MiniLM"), "the trace's name is gone");
    Ok(())
}

/// What can be dropped on the page by mistake or ill will, and what the sentence about it must say.
struct BadFiles {
    files: TempDir,
    cut: SampleCopy,
}

impl BadFiles {
    fn write() -> Result<Self> {
        let files = tempfile::tempdir()?;
        let path = |name: &str| files.path().join(name);
        let sample = Sample::open()?;
        let cut = sample.copy()?.cut("weights.safetensors", 1 << 20)?;
        let whole = sample.copy()?;
        fs::write(path("cut.zip"), fs::read(whole.zip()?)?.split_at(1 << 20).0)?;
        fs::write(path("text.zip"), "this is no archive")?;
        fs::write(path("notes.txt"), "nor is this a trace")?;
        fs::create_dir(path("photos"))?;
        fs::write(path("photos").join("cat.jpg"), [0xff, 0xd8, 0xff])?;
        zip_of(path("bomb.zip"), &[("trace.json", b"{}"), ("weights.safetensors", &vec![0; 32 << 20])])?;
        zip_of(path("outside.zip"), &[("trace.json", b"{}"), ("../../etc/passwd", b"root")])?;
        zip_of(path("photos.zip"), &[("cat.jpg", b"meow")])?;
        Ok(Self { files, cut })
    }

    fn all(&self) -> [(PathBuf, &'static [&'static str]); 8] {
        let path = |name: &str| self.files.path().join(name);
        [
            (self.cut.folder().to_path_buf(), &["weights.safetensors", "truncated"]),
            (path("cut.zip"), &["cut.zip"]),
            (path("text.zip"), &["text.zip", "cannot be read"]),
            (path("notes.txt"), &["trace.json"]),
            (path("photos"), &["'trace.json' was not found", "photos"]),
            (path("bomb.zip"), &["bomb.zip", "zip bomb"]),
            (path("outside.zip"), &["outside.zip", "../../etc/passwd"]),
            (path("photos.zip"), &["photos.zip", "no trace.json"]),
        ]
    }
}

fn zip_of(path: PathBuf, files: &[(&str, &[u8])]) -> Result<()> {
    let mut writer = ZipWriter::new(fs::File::create(path)?);
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, content) in files {
        writer.start_file(*name, options)?;
        writer.write_all(content)?;
    }
    writer.finish()?;
    Ok(())
}

/// Tensors are read when they are needed, so damage inside one is found then: the cases that need it fail by name, none of them
/// passes, and everything else does.
#[tokio::test]
async fn a_damaged_tensor_fails_the_cases_that_need_it() -> Result<()> {
    const DAMAGED: &str = "s0.encoder.layer.1.attention.self.softmax";
    const USER: &str = "s0.encoder.layer.1.attention.self.matmul.2";
    let trace = Sample::open()?.copy()?.flip_bit_in_result(DAMAGED)?;
    let site = Site::builder().app()?.mount("/trace", trace.folder()).start().await?;
    in_browser(BrowserKind::Chromium, "damaged", async |page| {
        page.open_app(&site.url(&format!("/?trace={}", site.url("/trace/")))).await?;
        page.wait_until_replayed().await?;
        let mut failed = page.cases_with("fail").await?;
        failed.sort();
        ensure!(failed == [USER, DAMAGED], "failed: {failed:?}");
        ensure!(page.cases_with("pass").await?.len() == 48, "{:?}", page.verdicts().await?);
        let says: Vec<String> = ["does not match its hash", "activations.safetensors"].map(String::from).into();
        one_sentence(&page.banners(Banner::Error).await?, &says)?;
        page.select(DAMAGED).await?;
        page.wait_for_text("[data-testid=case-sentence]", "does not match its hash").await?;
        // The heatmap has no values that could be trusted, and says why.
        page.wait_for_text("[data-testid=heatmap-message]", "does not match its hash").await?;
        page.screenshot("damaged").await?;
        page.expect_quiet_console().await
    })
    .await
}

/// With nothing open before, the page says what is wrong and how to go on.
#[tokio::test]
async fn a_link_to_a_bad_trace_leaves_a_page_that_can_be_used() -> Result<()> {
    let app = Site::app().await?;
    in_browser(BrowserKind::Chromium, "bad-link", async |page| {
        page.open(&app.url("/?trace=javascript:alert(1)")).await?;
        page.wait_for_banner(Banner::Error, "'javascript:alert(1)' is no address of a trace").await?;
        page.wait_for("#app[data-state=error]", SOON).await?;
        page.wait_for_text("main", "No trace is open.").await?;
        page.screenshot("bad-link").await?;
        page.click("[data-testid=trace-chooser]").await?;
        page.click("[data-testid=sample]").await?;
        page.wait_for("[data-case][data-verdict=pass]", SOON).await?;
        page.expect_quiet_console().await
    })
    .await
}
