//! A Vulkan driver for native wgpu and for Firefox: the GPU's own, else lavapipe, Mesa's Vulkan on the CPU.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};

use crate::{host, progress::Progress, workspace};

/// The driver that tests run on.
pub(crate) enum Driver {
    /// What the system offers, or what the user's own variables say.
    System,
    /// lavapipe, by its manifest.
    Lavapipe(PathBuf),
}

impl Driver {
    pub(crate) fn apply(&self, command: &mut Command) {
        if let Self::Lavapipe(manifest) = self {
            // The second name is what Vulkan loaders before 1.3.207 read.
            command.env("VK_DRIVER_FILES", manifest).env("VK_ICD_FILENAMES", manifest);
        }
    }
}

/// The packages of lavapipe, where it is needed and missing.
pub(crate) fn packages() -> Vec<String> {
    if uses_system() || lavapipe().is_some() {
        return Vec::new();
    }
    vec!["mesa-vulkan-drivers".into(), "libvulkan1".into()]
}

/// Finds the driver to test on.
pub(crate) fn prepare(progress: &mut Progress) -> Result<Driver> {
    if uses_system() {
        return Ok(Driver::System);
    }
    let manifest = lavapipe().context(
        "there is no manifest of lavapipe in /usr/share/vulkan/icd.d, although mesa-vulkan-drivers is installed",
    )?;
    progress.note("tests run on lavapipe (Vulkan on the CPU)");
    Ok(Driver::Lavapipe(manifest))
}

fn uses_system() -> bool {
    let forced = workspace::non_empty_var("TAPROOT_GPU").as_deref() == Some("software");
    !forced && (workspace::non_empty_var("VK_DRIVER_FILES").is_some() || host::has_gpu())
}

/// Its name carries the architecture in some versions of Mesa and not in others.
fn lavapipe() -> Option<PathBuf> {
    let manifests = Path::new("/usr/share/vulkan/icd.d").read_dir().ok()?.flatten();
    manifests
        .map(|entry| entry.path())
        .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("lvp_icd")))
}
