//! A WebDriver server as a child process.

use std::{
    env,
    fs::{self, File},
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use tokio::{
    net::TcpStream,
    process::{Child, Command},
    time::sleep,
};

/// How long a driver may take until it listens.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Finds a program by the environment variable `variable`, else by its names on PATH.
///
/// # Errors
/// If it is not there, since a test that needs it cannot pass without it.
pub(crate) fn find(variable: &str, names: &[&str]) -> Result<PathBuf> {
    if let Some(path) = env::var_os(variable).filter(|path| !path.is_empty()) {
        let path = PathBuf::from(path);
        if !path.is_file() {
            bail!("{variable} names {}, which is not there", path.display());
        }
        return Ok(path);
    }
    let dirs: Vec<PathBuf> = env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect();
    let candidates = names
        .iter()
        .flat_map(|name| dirs.iter().map(move |dir| dir.join(format!("{name}{}", env::consts::EXE_SUFFIX))));
    candidates.into_iter().find(|path| path.is_file()).with_context(|| {
        format!(
            "no {} on PATH: run `cargo xtask test browser`, which sets it up, or set {variable} to it",
            names.join(" or ")
        )
    })
}

/// A running WebDriver server. It is killed when this is dropped.
pub(crate) struct DriverProcess {
    child: Child,
    port: u16,
    log: PathBuf,
}

impl DriverProcess {
    /// Starts `program` with the arguments that `args` gives for a port, and waits until it listens there.
    pub(crate) async fn start(program: &Path, log: PathBuf, args: impl FnOnce(u16) -> Vec<String>) -> Result<Self> {
        let port = free_port()?;
        let output = File::create(&log).with_context(|| format!("could not create {}", log.display()))?;
        let mut command = Command::new(program);
        command.args(args(port)).stdout(output.try_clone()?).stderr(output).kill_on_drop(true);
        let child = command.spawn().with_context(|| format!("could not start {}", program.display()))?;
        let mut driver = Self { child, port, log };
        driver.wait_until_listening(program).await?;
        Ok(driver)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What the driver, and the browser through it, have written so far.
    pub(crate) fn log(&self) -> String {
        fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }

    async fn wait_until_listening(&mut self, program: &Path) -> Result<()> {
        let began = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await.is_err() {
            if let Some(status) = self.child.try_wait()? {
                bail!("{} stopped at once ({status}): {}", program.display(), self.log());
            }
            if began.elapsed() > START_TIMEOUT {
                bail!("{} did not listen within {START_TIMEOUT:?}: {}", program.display(), self.log());
            }
            sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }
}

/// A port that was free a moment ago.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port")?;
    Ok(listener.local_addr()?.port())
}
