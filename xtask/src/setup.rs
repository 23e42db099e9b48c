//! What each command needs before it can start.

use std::{path::PathBuf, process::Command};

use anyhow::Result;

use crate::{
    browsers::{self, Browsers},
    debian, host, process,
    progress::Progress,
    samples, tools,
    vulkan::{self, Driver},
    wasm_toolchain::{self, WasmToolchain},
    workspace,
};

/// What builds the app.
pub(crate) struct SiteTools {
    pub(crate) wasm: WasmToolchain,
    pub(crate) trunk: PathBuf,
    pub(crate) wasm_bindgen: PathBuf,
}

/// What the tests run on.
pub(crate) struct TestBench {
    pub(crate) site: SiteTools,
    pub(crate) browsers: Browsers,
    pub(crate) driver: Driver,
}

/// Sets up all that any command needs.
pub(crate) fn everything(progress: &mut Progress) -> Result<()> {
    for_tests(progress)?;
    progress.print_times();
    progress.note("everything is set up: `cargo xtask run` serves the app, `cargo xtask test` tests it");
    Ok(())
}

/// Sets up what building the app needs.
pub(crate) fn for_site(progress: &mut Progress) -> Result<SiteTools> {
    let wasm = wasm_toolchain::choose(progress)?;
    debian::install(progress, "building for wasm32 without rustup's target", &wasm.packages())?;
    site_tools(progress, wasm)
}

/// Sets up what all tests need.
pub(crate) fn for_tests(progress: &mut Progress) -> Result<TestBench> {
    let wasm = wasm_toolchain::choose(progress)?;
    let packages = [wasm.packages(), vulkan::packages(), browsers::packages(), samples::packages()].concat();
    debian::install(progress, "testing", &packages)?;
    let driver = vulkan::prepare(progress)?;
    let site = site_tools(progress, wasm)?;
    let browsers = browsers::prepare(progress)?;
    samples::prepare(progress)?;
    tools::remove_build_folder()?;
    Ok(TestBench { site, browsers, driver })
}

/// Sets up what the linters need.
pub(crate) fn for_lint(progress: &mut Progress) -> Result<WasmToolchain> {
    let wasm = wasm_toolchain::choose(progress)?;
    let mut packages = wasm.packages();
    if !packages.is_empty() {
        packages.push("rust-web-clippy".into());
    }
    debian::install(progress, "clippy for wasm32", &packages)?;
    for (component, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if process::output(host::cargo().args([subcommand, "--version"])).is_err() {
            let mut add = Command::new("rustup");
            add.args(["component", "add", component]);
            progress.step(&format!("adding {component} to the toolchain"), || process::run(&mut add))?;
        }
    }
    wasm.prepare(progress)
}

fn site_tools(progress: &mut Progress, wasm: wasm_toolchain::Choice) -> Result<SiteTools> {
    let wasm = wasm.prepare(progress)?;
    // From here on nothing but cargo itself needs the network, and trunk is told not to use it.
    progress.step("dependencies of the workspace", || {
        process::run(host::cargo().arg("fetch").current_dir(workspace::root()))
    })?;
    let trunk = tools::trunk().prepare(progress)?;
    let wasm_bindgen = tools::wasm_bindgen()?.prepare(progress)?;
    Ok(SiteTools { wasm, trunk, wasm_bindgen })
}
