//! Builds the standard library for wasm32 from Debian's source package, once per compiler version.
//!
//! cargo's `-Z build-std` would build it again for every profile, and trunk cannot pass that flag; a folder of ready
//! libraries that `--sysroot` names works with both.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};

use crate::{process, progress::Progress, wasm_toolchain::TARGET, workspace};

/// The crate that cargo is asked to build so that it builds the standard library.
const SEED: &str = "std-for-wasm32";

const SEED_MANIFEST: &str = "\
[package]
name = \"std-for-wasm32\"
version = \"0.0.0\"
edition = \"2021\"

[workspace]

[profile.release]
debug = false
";

/// The sysroot for the compiler in `bin`, built if it is not there yet.
pub(crate) fn prepare(progress: &mut Progress, bin: &Path, linker: &str) -> Result<PathBuf> {
    let sysroot = sysroot_for(&bin.join("rustc"))?;
    if !sysroot.exists() {
        progress.step("wasm32 standard library: building Debian's source (about a minute)", || {
            build(bin, linker, &sysroot)
        })?;
    }
    Ok(sysroot)
}

/// Whether the sysroot for the compiler in `bin` is there; false where there is no compiler.
pub(crate) fn is_built_for(bin: &Path) -> Result<bool> {
    let rustc = bin.join("rustc");
    Ok(rustc.exists() && sysroot_for(&rustc)?.exists())
}

/// Rust refuses libraries of another version of itself, so the version stands in the folder's name.
fn sysroot_for(rustc: &Path) -> Result<PathBuf> {
    let about = process::output(Command::new(rustc).arg("-vV"))?;
    let field = |name: &str| about.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("unknown").to_owned();
    let commit: String = field("commit-hash: ").chars().take(9).collect();
    Ok(workspace::tools_dir()?.join(format!("wasm32-std-{}-{commit}", field("release: "))))
}

fn build(bin: &Path, linker: &str, sysroot: &Path) -> Result<()> {
    let work = workspace::tools_dir()?.join("build").join(SEED);
    let source = work.join("src");
    fs::create_dir_all(&source).with_context(|| format!("could not create {}", source.display()))?;
    fs::write(work.join("Cargo.toml"), SEED_MANIFEST)?;
    fs::write(source.join("lib.rs"), "")?;

    let mut cargo = Command::new(bin.join("cargo"));
    cargo
        .args(["build", "--release", "--target", TARGET, "-Z", "build-std=std,panic_abort,test"])
        .current_dir(&work)
        .env("RUSTC", bin.join("rustc"))
        .env("CARGO_TARGET_DIR", work.join("target"))
        // `-Z` flags want a nightly compiler or this variable, which Debian's own builds use too.
        .env("RUSTC_BOOTSTRAP", "1")
        // Without bitcode, builds with link-time optimisation fail.
        .env("RUSTFLAGS", format!("-C linker={linker} -C embed-bitcode=yes"));
    for name in ["CARGO", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"] {
        cargo.env_remove(name);
    }
    process::run(&mut cargo)?;

    let built = work.join("target").join(TARGET).join("release").join("deps");
    let staging = sysroot.with_extension("partial");
    copy_libraries(&built, &staging.join("lib").join("rustlib").join(TARGET).join("lib"))?;
    fs::rename(&staging, sysroot)
        .with_context(|| format!("could not move the standard library to {}", sysroot.display()))?;
    fs::remove_dir_all(&work).with_context(|| format!("could not remove {}", work.display()))
}

fn copy_libraries(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("could not create {}", to.display()))?;
    let seed = format!("lib{}", SEED.replace('-', "_"));
    for entry in fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.ends_with(".rlib") && !name.starts_with(&seed) {
            fs::copy(entry.path(), to.join(&*name)).with_context(|| format!("could not copy {name}"))?;
        }
    }
    Ok(())
}
