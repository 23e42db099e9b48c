//! `taproot info`.

use anyhow::Result;
use clap::Args;
use std::process::ExitCode;
use taproot::text::printable;
use taproot::{info, open};

/// Which trace to describe.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A trace: a folder, a .zip, or the http or https address of either
    #[arg(value_name = "TRACE")]
    trace: String,
}

/// Prints the summary.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let trace = super::block_on(open::open_trace(&arguments.trace))??;
    print!("{}", printable(&info::describe(&trace)));
    Ok(ExitCode::SUCCESS)
}
