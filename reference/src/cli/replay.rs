//! `taproot replay`.

use anyhow::{Context as _, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;
use taproot::open;
use taproot::replay::{Progress, ReplayReport, parse_layers, replay, to_json, to_junit, to_table};
use taproot::text::printable;
use taproot_engine::replay::Filter;
use taproot_engine::webgpu::{Gpu, KernelOverride};

/// Which trace to replay, which part of it, and where to report.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A trace: a folder, a .zip, or the http or https address of either
    #[arg(value_name = "TRACE")]
    trace: String,

    /// Only these layers: A, A..B (without B), A..=B, A.. or ..B; each end is a position (`taproot info` lists them) or a
    /// layer's name
    #[arg(long, value_name = "LAYERS")]
    layer: Option<String>,

    /// Only operators whose id or name matches: 'softmax', '*.self_attn.*'
    #[arg(long, value_name = "GLOB")]
    op: Option<String>,

    /// Only this step: 0 is the prefill
    #[arg(long, value_name = "N")]
    step: Option<usize>,

    /// List every case, not only those that do not pass
    #[arg(long)]
    all: bool,

    /// Write a report in JSON, with every metric of every case
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// Replace the WGSL of a kernel (its file's name without .wgsl), to see what a change or a bug in it would do;
    /// KERNEL@GLOB=FILE does so only in operators whose id matches
    #[arg(long = "override", value_name = "KERNEL=FILE")]
    overrides: Vec<String>,

    /// Use the limits that every WebGPU device has, not all that this one offers
    #[arg(long)]
    default_limits: bool,
}

/// Replays and reports. Exit code 0: all cases pass (warnings are counted, and allowed); 1: any case fails; 2: some cases
/// could not run, because an operator is not in the vocabulary, or nothing could.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    super::block_on(run_async(arguments))?
}

async fn run_async(arguments: &Arguments) -> Result<ExitCode> {
    let trace = Rc::new(open::open_trace(&arguments.trace).await?);
    let layers = arguments.layer.as_deref().map(|given| parse_layers(given, &trace.manifest().layers));
    let layers = layers.transpose().context("--layer")?;
    let filter = Filter { layers, op: arguments.op.clone(), step: arguments.step };
    let overrides = arguments.overrides.iter().map(|given| read_override(given)).collect::<Result<Vec<_>>>()?;
    let mut gpu = if arguments.default_limits { Gpu::with_default_limits().await? } else { Gpu::new().await? };
    gpu.set_overrides(overrides).context("--override")?;

    let bar = ProgressBar::no_length();
    let template = ProgressStyle::with_template("{bar:30} {pos}/{len} {prefix} {wide_msg}");
    bar.set_style(template.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut show = |progress: Progress<'_>| {
        bar.set_length(progress.of as u64);
        bar.set_position(progress.done as u64);
        bar.set_prefix(format!(
            "{} warn, {} fail, {} gap",
            progress.totals.warn, progress.totals.fail, progress.totals.gap
        ));
        bar.set_message(progress.next.to_owned());
    };
    let report = replay(trace, Rc::new(gpu), arguments.overrides.clone(), &filter, &mut show).await;
    bar.finish_and_clear();
    let report = report?;
    write_reports(arguments, &report)?;
    print!("{}", printable(&to_table(&report, arguments.all)));
    Ok(ExitCode::from(report.totals().exit_code()))
}

fn write_reports(arguments: &Arguments, report: &ReplayReport) -> Result<()> {
    if let Some(path) = &arguments.json {
        write(path, &to_json(report)?)?;
    }
    if let Some(path) = &arguments.junit {
        write(path, &to_junit(report)?)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// `KERNEL=FILE` or `KERNEL@GLOB=FILE`.
fn read_override(given: &str) -> Result<KernelOverride> {
    let Some((kernel, file)) = given.split_once('=') else {
        bail!("--override {given}: KERNEL=FILE or KERNEL@GLOB=FILE is needed");
    };
    let wgsl = std::fs::read_to_string(file).with_context(|| format!("--override {given}: {file} cannot be read"))?;
    let (kernel, only) = match kernel.split_once('@') {
        Some((kernel, glob)) => (kernel, Some(glob.to_owned())),
        None => (kernel, None),
    };
    Ok(KernelOverride { kernel: kernel.to_owned(), wgsl, only })
}
