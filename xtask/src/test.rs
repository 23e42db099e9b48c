//! `cargo xtask test`: unit tests and native wgpu tests, then the built app in Chromium and Firefox.

use anyhow::{Result, bail};

use crate::{
    cli::Part,
    host, process,
    progress::Progress,
    setup::{self, TestBench},
    site, workspace,
};

/// Sets up and runs the parts named. A part that fails does not keep the next from running.
pub(crate) fn run(progress: &mut Progress, parts: &[Part]) -> Result<()> {
    let bench = setup::for_tests(progress)?;
    let mut failures = Vec::new();
    for part in Part::ALL.into_iter().filter(|part| parts.contains(part)) {
        let result = match part {
            Part::Native => native(progress, &bench),
            Part::Browser => browser(progress, &bench),
        };
        if let Err(error) = result {
            progress.note(&format!("{error:#}"));
            failures.push(error);
        }
    }
    match failures.first() {
        None => Ok(()),
        Some(first) => bail!("{} of {} parts of the tests failed, first: {first:#}", failures.len(), parts.len()),
    }
}

/// All crates but those that need a browser, on this machine's Vulkan.
fn native(progress: &mut Progress, bench: &TestBench) -> Result<()> {
    let mut command = host::cargo();
    command.args(["test", "--workspace", "--exclude", "taproot-app", "--exclude", "taproot-tests", "--no-fail-fast"]);
    command.current_dir(workspace::root());
    bench.driver.apply(&mut command);
    progress.step("unit tests and native wgpu tests", || process::run(&mut command))
}

/// The app as `dist/` holds it, in both browsers. One test at a time: a browser with a GPU in software takes all cores.
fn browser(progress: &mut Progress, bench: &TestBench) -> Result<()> {
    site::build(progress, &bench.site)?;
    let test = || {
        let mut command = host::cargo();
        command.args(["test", "--package", "taproot-tests"]).current_dir(workspace::root());
        bench.driver.apply(&mut command);
        bench.browsers.apply(&mut command);
        command
    };
    progress.step("building the browser tests", || process::run(test().arg("--no-run")))?;
    // The runners' own lines come last, for people and for whatever reads the log.
    progress.print_times();
    let mut command = test();
    command.args(["--no-fail-fast", "--", "--test-threads=1"]);
    progress.note("browser tests");
    process::run(&mut command)
}
