//! `cargo xtask run`: builds the app, serves it, and builds it again on each change.

use std::{
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::Child,
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result, bail};

use crate::{debian, process, progress::Progress, samples, setup, site, tools};

const FIRST_PORT: u16 = 8080;

/// Sets up, builds and serves until the user stops it.
pub(crate) fn run(progress: &mut Progress, port: Option<u16>) -> Result<()> {
    let tools = setup::for_site(progress)?;
    tools::remove_build_folder()?;
    if let Err(error) = fetch_samples(progress) {
        progress.note(&format!(
            "serving without the sample models, since the app comes with a trace of its own: {error:#}"
        ));
    }
    // trunk serves whatever an earlier build has left when its own first build fails: so that one is done apart.
    site::build(progress, &tools)?;
    let port = choose_port(port)?;
    let mut command = site::trunk(&tools, "serve")?;
    command.args(["--address", "127.0.0.1", "--port", &port.to_string()]);
    eprintln!("  $ {}", process::display(&command));
    let mut server = command.spawn().context("could not start trunk")?;
    wait_until_served(&mut server, port)?;
    println!("\n    Taproot is at http://127.0.0.1:{port}/   (Ctrl-C stops it)\n");
    let status = server.wait().context("lost trunk")?;
    if !status.success() {
        bail!("trunk stopped ({status})");
    }
    Ok(())
}

fn fetch_samples(progress: &mut Progress) -> Result<()> {
    debian::install(progress, "fetching the sample models", &samples::packages())?;
    samples::prepare(progress)
}

fn choose_port(wanted: Option<u16>) -> Result<u16> {
    let is_free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    match wanted {
        Some(port) if is_free(&port) => Ok(port),
        Some(port) => bail!("port {port} is in use: give another with `--port`"),
        None => (FIRST_PORT..FIRST_PORT + 100)
            .find(is_free)
            .context("no port from 8080 to 8179 is free: give one with `--port`"),
    }
}

/// trunk listens only after the first build.
fn wait_until_served(server: &mut Child, port: u16) -> Result<()> {
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        if let Some(status) = server.try_wait().context("lost trunk")? {
            bail!("trunk stopped before it served anything ({status})");
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
