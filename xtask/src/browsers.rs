//! The browsers and drivers that the end-to-end tests use.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};

use crate::{host, progress::Progress, tools, workspace};

/// A program that a Debian package provides.
struct Program {
    /// The environment variable that names another one.
    variable: &'static str,
    /// Its names on PATH.
    names: &'static [&'static str],
    package: &'static str,
}

const CHROMIUM: Program =
    Program { variable: "CHROMIUM", names: &["chromium", "chromium-browser", "google-chrome"], package: "chromium" };
const CHROMEDRIVER: Program =
    Program { variable: "CHROMEDRIVER", names: &["chromedriver"], package: "chromium-driver" };
const FIREFOX: Program = Program { variable: "FIREFOX", names: &["firefox-esr", "firefox"], package: "firefox-esr" };

/// Where the browsers and their drivers are, by the environment variables through which the tests learn it.
pub(crate) struct Browsers(Vec<(&'static str, PathBuf)>);

impl Browsers {
    pub(crate) fn apply(&self, command: &mut Command) {
        command.envs(self.0.iter().map(|(variable, path)| (variable, path)));
    }
}

const PROGRAMS: [Program; 3] = [CHROMIUM, CHROMEDRIVER, FIREFOX];

/// The packages of those programs that are missing.
pub(crate) fn packages() -> Vec<String> {
    PROGRAMS.iter().filter(|program| program.find().is_none()).map(|program| program.package.into()).collect()
}

/// Finds both browsers and their drivers.
pub(crate) fn prepare(progress: &mut Progress) -> Result<Browsers> {
    let mut found = Vec::new();
    for program in &PROGRAMS {
        let path = program.find().with_context(|| {
            format!("set {} to the program that Debian's package {} has", program.variable, program.package)
        })?;
        found.push((program.variable, path));
    }
    let geckodriver = match workspace::non_empty_var("GECKODRIVER") {
        Some(path) => PathBuf::from(path),
        None => tools::geckodriver().prepare(progress)?,
    };
    found.push(("GECKODRIVER", geckodriver));
    Ok(Browsers(found))
}

impl Program {
    fn find(&self) -> Option<PathBuf> {
        match workspace::non_empty_var(self.variable) {
            Some(path) => Some(PathBuf::from(path)).filter(|path| Path::new(path).is_file()),
            None => self.names.iter().find_map(|name| host::find_on_path(name)),
        }
    }
}
