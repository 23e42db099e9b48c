//! `cargo xtask lint`: formatting, clippy and documentation, for this machine and for wasm32.

use std::process::Command;

use anyhow::Result;

use crate::{
    host, process,
    progress::Progress,
    setup,
    wasm_toolchain::{TARGET, WasmToolchain},
    workspace,
};

/// Runs all linters; the first complaint ends it.
pub(crate) fn run(progress: &mut Progress) -> Result<()> {
    let wasm = setup::for_lint(progress)?;
    let mut check = |name: &str, mut command: Command| progress.step(name, || process::run(&mut command));
    check("formatting", native("fmt", &["--all", "--check"]))?;
    check(
        "clippy",
        native("clippy", &["--workspace", "--exclude", "taproot-app", "--all-targets", "--", "-D", "warnings"]),
    )?;
    check("clippy for wasm32", for_wasm(&wasm, "clippy", &["--", "-D", "warnings"])?)?;
    check("documentation", native("doc", &["--workspace", "--exclude", "taproot-app", "--no-deps"]))?;
    check("documentation of the app", for_wasm(&wasm, "doc", &["--no-deps"])?)?;
    progress.print_times();
    Ok(())
}

fn native(subcommand: &str, args: &[&str]) -> Command {
    let mut command = host::cargo();
    command.arg(subcommand).args(args).current_dir(workspace::root()).env("RUSTDOCFLAGS", "-D warnings");
    command
}

/// In the profile that the app is built in, so that build scripts and macros are compiled once.
fn for_wasm(wasm: &WasmToolchain, subcommand: &str, args: &[&str]) -> Result<Command> {
    let mut command = wasm.cargo()?;
    command.args([
        subcommand,
        "--package",
        "taproot-app",
        "--package",
        "taproot-engine",
        "--target",
        TARGET,
        "--profile",
        "wasm",
    ]);
    command.args(args).current_dir(workspace::root()).env("RUSTDOCFLAGS", "-D warnings");
    Ok(command)
}
