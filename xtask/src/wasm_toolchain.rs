//! The Rust toolchain that builds for wasm32-unknown-unknown.
//!
//! Rust's own is best. Where rustup cannot fetch the target, Debian's `rustc-web` takes its place: it is new enough,
//! and its source package holds the standard library, which [`crate::wasm_std`] builds once.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

use crate::{debian, host, process, progress::Progress, wasm_std, workspace};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// A toolchain that has the target's standard library.
pub(crate) enum WasmToolchain {
    /// The toolchain that also builds for this machine.
    Own,
    /// Debian's compiler with a standard library built from Debian's source package.
    Debian(DebianRust),
}

/// Debian's Rust, and what it needs to link for wasm32.
pub(crate) struct DebianRust {
    /// Holds `lib/rustlib/wasm32-unknown-unknown/lib`.
    sysroot: PathBuf,
    /// `wasm-ld` of the compiler's own LLVM: an older one cannot read its bitcode.
    linker: String,
    /// Holds `cargo` and its companions alone, to stand first on PATH: programs such as trunk call `cargo` by name.
    bin: PathBuf,
}

impl WasmToolchain {
    /// `cargo` that builds for wasm32.
    pub(crate) fn cargo(&self) -> Result<Command> {
        let mut command = match self {
            Self::Own => host::cargo(),
            Self::Debian(rust) => Command::new(rust.bin.join("cargo")),
        };
        self.apply(&mut command, &[])?;
        Ok(command)
    }

    /// Lets `command`, and every cargo it starts, build for wasm32; `programs` are folders to put on its PATH.
    pub(crate) fn apply(&self, command: &mut Command, programs: &[&Path]) -> Result<()> {
        let mut first: Vec<PathBuf> = programs.iter().map(|dir| dir.to_path_buf()).collect();
        // A folder of its own: another compiler or other flags must not throw away what the native build has made.
        command.env("CARGO_TARGET_DIR", workspace::root().join("target").join("wasm"));
        if let Self::Debian(rust) = self {
            first.insert(0, rust.bin.clone());
            command
                .env("RUSTC", rust.bin.join("rustc"))
                .env("RUSTDOC", rust.bin.join("rustdoc"))
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &rust.linker)
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", format!("--sysroot {}", rust.sysroot.display()));
            // rustup sets these for its own compiler.
            for name in ["CARGO", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"] {
                command.env_remove(name);
            }
        }
        command.env("PATH", prepend_to_path(first)?);
        Ok(())
    }
}

/// Which toolchain it will be, before Debian's packages are there.
pub(crate) enum Choice {
    Own,
    /// With the major version of the LLVM that Debian's compiler has.
    Debian {
        llvm: String,
    },
}

/// Finds a toolchain that has the target or can get it.
pub(crate) fn choose(progress: &mut Progress) -> Result<Choice> {
    let own = match workspace::non_empty_var("TAPROOT_WASM").as_deref() {
        None => add_to_own(progress)?,
        Some("rustup") if add_to_own(progress)? => true,
        Some("rustup") => bail!("rustup could not add the target {TARGET}"),
        Some("debian") => false,
        Some(other) => bail!("TAPROOT_WASM is `{other}`: set it to `rustup` or `debian`, or leave it out"),
    };
    if own { Ok(Choice::Own) } else { Ok(Choice::Debian { llvm: llvm_of_debian_rust(progress)? }) }
}

impl Choice {
    /// The packages that [`Self::prepare`] counts on.
    pub(crate) fn packages(&self) -> Vec<String> {
        match self {
            Self::Own => Vec::new(),
            Self::Debian { llvm } => {
                vec!["rustc-web".into(), "cargo-web".into(), "rust-web-src".into(), format!("lld-{llvm}")]
            }
        }
    }

    /// Sets the toolchain up.
    pub(crate) fn prepare(self, progress: &mut Progress) -> Result<WasmToolchain> {
        let Self::Debian { llvm } = self else { return Ok(WasmToolchain::Own) };
        let bin = debian_bin();
        check_version(&bin.join("rustc"))?;
        let linker = format!("wasm-ld-{llvm}");
        let sysroot = wasm_std::prepare(progress, &bin, &linker)?;
        Ok(WasmToolchain::Debian(DebianRust { sysroot, linker, bin: link_programs(&bin)? }))
    }
}

/// Whether the native toolchain has the target, if need be after asking rustup for it.
fn add_to_own(progress: &mut Progress) -> Result<bool> {
    let libdir = process::output(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    if libdir.is_ok_and(|dir| has_core(Path::new(dir.trim()))) {
        return Ok(true);
    }
    // A fetch that failed before fails again, slowly: what the Debian way has built is used as long as it fits.
    if host::find_on_path("rustup").is_none() || wasm_std::is_built_for(&debian_bin())? {
        return Ok(false);
    }
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", TARGET]);
    let added = progress.step("wasm32 standard library: asking rustup", || Ok(process::run(&mut rustup)))?;
    if let Err(error) = &added {
        progress.note(&format!("{error:#}; trying Debian's packages"));
    }
    Ok(added.is_ok())
}

fn has_core(libdir: &Path) -> bool {
    let entries = libdir.read_dir().into_iter().flatten().flatten();
    entries.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
}

fn debian_bin() -> PathBuf {
    PathBuf::from("/usr/bin")
}

/// The major version of LLVM in Debian's rustc, or in the one that apt would install.
fn llvm_of_debian_rust(progress: &mut Progress) -> Result<String> {
    let rustc = debian_bin().join("rustc");
    if rustc.exists() {
        let about = process::output(Command::new(rustc).arg("-vV"))?;
        if let Some(version) = about.lines().find_map(|line| line.strip_prefix("LLVM version: ")) {
            return Ok(version.split('.').next().unwrap_or(version).to_owned());
        }
    }
    if host::find_on_path("apt-cache").is_none() {
        bail!(
            "this Rust has no standard library for {TARGET} and there is no apt to get one: \
             run `rustup target add {TARGET}` where it can reach Rust's server, then the same command again"
        );
    }
    let in_lists = || {
        debian::dependencies("rustc-web").into_iter().find_map(|name| name.strip_prefix("libllvm").map(String::from))
    };
    if let Some(version) = in_lists() {
        return Ok(version);
    }
    if host::is_root() {
        progress.step("fetching the lists of packages", debian::update_lists)?;
    }
    in_lists().context(
        "apt knows no package rustc-web: run `apt-get update` as root; Debian 12 with its security updates has it",
    )
}

/// Debian 12 without its security updates offers a compiler that is too old.
fn check_version(rustc: &Path) -> Result<()> {
    let text = process::output(Command::new(rustc).arg("--version"))?;
    let needed = env!("CARGO_PKG_RUST_VERSION");
    let number = |version: &str| -> Vec<u32> { version.split('.').map_while(|part| part.parse().ok()).collect() };
    let found = text.split_whitespace().nth(1).unwrap_or_default();
    if number(found) < number(needed) {
        bail!(
            "{} is Rust {found}, but {needed} is needed: update the package rustc-web (Debian's security updates have it)",
            rustc.display()
        );
    }
    Ok(())
}

/// Links Debian's cargo and companions into a folder of their own.
fn link_programs(bin: &Path) -> Result<PathBuf> {
    let folder = workspace::tools_dir()?.join("debian-rust");
    fs::create_dir_all(&folder).with_context(|| format!("could not create {}", folder.display()))?;
    for name in ["cargo", "rustc", "rustdoc", "cargo-clippy", "clippy-driver"] {
        let link = folder.join(name);
        if link.symlink_metadata().is_err() {
            symlink(&bin.join(name), &link).with_context(|| format!("could not link {}", link.display()))?;
        }
    }
    Ok(folder)
}

#[cfg(unix)]
fn symlink(original: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(original, link)
}

#[cfg(not(unix))]
fn symlink(original: &Path, link: &Path) -> std::io::Result<()> {
    fs::copy(original, link).map(drop)
}

fn prepend_to_path(first: Vec<PathBuf>) -> Result<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::join_paths(first.into_iter().chain(env::split_paths(&path)))
        .context("a folder of tools has a character that PATH cannot hold")
}
