//! Building the app into `dist/`.

use std::{path::Path, process::Command};

use anyhow::Result;

use crate::{process, progress::Progress, setup::SiteTools, workspace};

/// Builds `dist/`.
pub(crate) fn build(progress: &mut Progress, tools: &SiteTools) -> Result<()> {
    let mut command = trunk(tools, "build")?;
    progress.step("building the app for wasm32", || process::run(&mut command))
}

/// `trunk ACTION`, with the toolchain and the programs that set-up found, and without network.
pub(crate) fn trunk(tools: &SiteTools, action: &str) -> Result<Command> {
    let mut command = Command::new(&tools.trunk);
    command.args([action, "--offline"]).current_dir(workspace::root());
    let programs: Vec<&Path> =
        [&tools.trunk, &tools.wasm_bindgen].into_iter().filter_map(|program| program.parent()).collect();
    tools.wasm.apply(&mut command, &programs)?;
    // trunk has no symbols: its backtraces hide the error and say nothing.
    command.env("RUST_LIB_BACKTRACE", "0");
    if workspace::non_empty_var("NO_COLOR").is_some() {
        // trunk reads it as a flag, and refuses the usual `1`.
        command.env("NO_COLOR", "true");
    }
    Ok(command)
}
