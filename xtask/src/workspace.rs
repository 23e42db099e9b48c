//! Where the workspace is, and where set-up keeps its tools.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_dir.parent().unwrap_or(manifest_dir).to_path_buf()
}

/// The folder for tools that set-up builds: `$TAPROOT_TOOLS`, else `taproot/tools-v1` in the user's cache folder.
///
/// It lies outside `target/` so that `cargo clean`, a second clone or a CI checkout does not cost the builds again.
pub(crate) fn tools_dir() -> Result<PathBuf> {
    if let Some(dir) = non_empty_var("TAPROOT_TOOLS") {
        return std::path::absolute(&dir).with_context(|| format!("TAPROOT_TOOLS is not a usable path: {dir}"));
    }
    let cache = non_empty_var("XDG_CACHE_HOME")
        .or_else(|| non_empty_var("LOCALAPPDATA"))
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cache")))
        .context("there is no home folder to keep tools in: set TAPROOT_TOOLS to a folder")?;
    Ok(cache.join("taproot").join("tools-v1"))
}

/// The version of `package` that Cargo.lock has chosen.
pub(crate) fn locked_version(package: &str) -> Result<String> {
    let path = root().join("Cargo.lock");
    let lock = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    version_in_lock(&lock, package).with_context(|| format!("{} has no package {package}", path.display()))
}

fn version_in_lock(lock: &str, package: &str) -> Option<String> {
    let mut lines = lock.lines();
    lines.find(|line| *line == format!("name = \"{package}\""))?;
    let version = lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

/// The environment variable `name`, if it is set to something.
pub(crate) fn non_empty_var(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_version_in_a_lock_file() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in_lock(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in_lock(lock, "bindgen"), None);
    }
}
