//! What this machine has.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::process;

/// The program `name` on PATH.
pub(crate) fn find_on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(&file)).find(|path| path.is_file())
}

/// Whether this process may install packages.
pub(crate) fn is_root() -> bool {
    cfg!(unix) && process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// Whether a GPU's kernel driver is there. Other systems than Linux always have some GPU.
pub(crate) fn has_gpu() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let render_nodes = Path::new("/dev/dri").read_dir().into_iter().flatten().flatten();
    Path::new("/dev/nvidia0").exists()
        || render_nodes.into_iter().any(|node| node.file_name().to_string_lossy().starts_with("renderD"))
}

/// `cargo` as this process was started with it, so that a `+toolchain` carries over.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
