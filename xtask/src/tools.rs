//! Programs from crates.io that builds and tests call: pinned, found again, else fetched or built.

use std::{fs, path::PathBuf, process::Command};

use anyhow::{Context as _, Result};

use crate::{host, process, progress::Progress, workspace};

/// A program that a crate provides.
pub(crate) struct Tool {
    /// Both the crate's name and what the user is told.
    package: &'static str,
    version: String,
    program: &'static str,
    /// Flags of `cargo install` that leave out what is not needed.
    flags: &'static [&'static str],
    /// What building takes on two cores, for the user to know what to expect.
    build_time: &'static str,
}

/// Bundles the app. 0.22 needs a newer Rust than this workspace.
pub(crate) fn trunk() -> Tool {
    Tool {
        package: "trunk",
        version: "0.21.14".into(),
        program: "trunk",
        // Without TLS: all that trunk would download is set up here.
        flags: &["--no-default-features"],
        build_time: "about 5 minutes",
    }
}

/// Makes the JavaScript side of the app; has to be of the very version of the library that is linked.
pub(crate) fn wasm_bindgen() -> Result<Tool> {
    Ok(Tool {
        package: "wasm-bindgen-cli",
        version: workspace::locked_version("wasm-bindgen")?,
        program: "wasm-bindgen",
        flags: &["--no-default-features", "--bin", "wasm-bindgen"],
        build_time: "about 2 minutes",
    })
}

/// Drives Firefox. Debian has it in no package of its own.
pub(crate) fn geckodriver() -> Tool {
    Tool {
        package: "geckodriver",
        version: "0.37.1".into(),
        program: "geckodriver",
        flags: &[],
        build_time: "about a minute",
    }
}

impl Tool {
    /// The program's path; it is fetched by cargo-binstall where that is installed and works, else built.
    pub(crate) fn prepare(&self, progress: &mut Progress) -> Result<PathBuf> {
        let root = workspace::tools_dir()?;
        let own = root.join("bin").join(format!("{}{}", self.program, std::env::consts::EXE_SUFFIX));
        let found =
            [Some(own.clone()), host::find_on_path(self.program)].into_iter().flatten().find(|path| self.is_at(path));
        if let Some(path) = found {
            return Ok(path);
        }
        fs::create_dir_all(&root).with_context(|| format!("could not create {}", root.display()))?;
        let name = format!("{} {}", self.package, self.version);
        if host::find_on_path("cargo-binstall").is_some() {
            let fetched = progress.step(&format!("{name}: fetching with cargo-binstall"), || Ok(self.fetch(&root)))?;
            match fetched {
                Ok(()) if self.is_at(&own) => return Ok(own),
                Ok(()) => progress.note(&format!("cargo-binstall left no {name}; building it")),
                Err(error) => progress.note(&format!("{error:#}; building it")),
            }
        }
        progress.step(&format!("{name}: building once ({} on two cores)", self.build_time), || self.build(&root))?;
        Ok(own)
    }

    /// Whether the program at `path` is this one in this version.
    fn is_at(&self, path: &PathBuf) -> bool {
        let Ok(text) = process::output(Command::new(path).arg("--version")) else { return false };
        text.split_whitespace().nth(1) == Some(&self.version)
    }

    fn fetch(&self, root: &PathBuf) -> Result<()> {
        let mut command = Command::new("cargo-binstall");
        command.args(["--no-confirm", "--no-track", "--disable-strategies", "compile", "--root"]).arg(root);
        command.arg(format!("{}@={}", self.package, self.version)).current_dir(root);
        process::run(&mut command)
    }

    /// Builds as the author locked it, or with newer dependencies where the registry lacks a locked one.
    fn build(&self, root: &PathBuf) -> Result<()> {
        let build_dir = root.join("build").join("tools");
        let install = |lock: &[&str]| {
            let mut command = host::cargo();
            command
                .args(["install", &format!("{}@{}", self.package, self.version), "--no-track", "--force", "--root"])
                .arg(root)
                .args(self.flags)
                .args(lock)
                // Away from the workspace's own configuration.
                .current_dir(root)
                .env("CARGO_TARGET_DIR", &build_dir)
                // These programs run for seconds: quick to build matters more than quick to run.
                .env("CARGO_PROFILE_RELEASE_LTO", "off")
                .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "64")
                .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
                .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
                .env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
            process::run(&mut command)
        };
        install(&["--locked"]).or_else(|_| install(&[]))
    }
}

/// Removes what building the tools has left, once all of them are there.
pub(crate) fn remove_build_folder() -> Result<()> {
    let build_dir = workspace::tools_dir()?.join("build");
    if build_dir.exists() {
        fs::remove_dir_all(&build_dir).with_context(|| format!("could not remove {}", build_dir.display()))?;
    }
    Ok(())
}
