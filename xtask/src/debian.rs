//! Packages of Debian and its derivatives.

use std::{
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::{Result, bail};

use crate::{host, process, progress::Progress};

/// Installs those of `packages` that are missing; `purpose` begins the sentence "… needs packages".
///
/// Callers gather all that they need into one call, so that without root there is one line to run, not one after another.
///
/// # Errors
/// Where apt-get is missing, fails or may not be used: the error says what to run by hand.
pub(crate) fn install(progress: &mut Progress, purpose: &str, packages: &[String]) -> Result<()> {
    let missing: Vec<&str> = packages.iter().map(String::as_str).filter(|package| !is_installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    if host::find_on_path("apt-get").is_none() {
        bail!(
            "{purpose} needs what Debian calls {list}: install it with this system's package manager, then run the same command again"
        );
    }
    if !host::is_root() {
        bail!(
            "{purpose} needs packages that only root can install. Run\n\n    \
             sudo apt-get update && sudo apt-get install -y --no-install-recommends {list}\n\nand then the same command again"
        );
    }
    progress.step(&format!("installing {list}"), || {
        update_lists()?;
        process::run(apt_get().args(["install", "-y", "-qq", "--no-install-recommends", "--no-remove"]).args(&missing))
    })
}

/// The names of all packages that `package` needs, directly or not, as far as apt's lists know them.
pub(crate) fn dependencies(package: &str) -> Vec<String> {
    let mut query = Command::new("apt-cache");
    query.args(["depends", "--recurse", "--important", package]);
    process::output(&mut query)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Depends: ").map(String::from))
        .collect()
}

/// Fetches apt's lists, which a fresh machine does not have, once in this process. Needs root.
pub(crate) fn update_lists() -> Result<()> {
    static UPDATED: AtomicBool = AtomicBool::new(false);
    if !UPDATED.swap(true, Ordering::Relaxed) {
        process::run(apt_get().args(["update", "-qq"]))?;
    }
    Ok(())
}

fn is_installed(package: &str) -> bool {
    let status = process::output(Command::new("dpkg-query").args(["-W", "-f=${db:Status-Status}", package]));
    status.is_ok_and(|status| status == "installed")
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}
