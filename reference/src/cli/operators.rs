//! `taproot operators`.

use anyhow::Result;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use taproot::vocabulary::{self, Results};

/// How to show the vocabulary.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write docs/operators.md to stdout, with the results that this folder has by platform
    #[arg(long, value_name = "RESULTS")]
    markdown: Option<PathBuf>,
}

/// Prints the operators.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.markdown {
        None => print!("{}", vocabulary::list()),
        Some(folder) => print!("{}", vocabulary::document(&Results::load(folder)?)),
    }
    Ok(ExitCode::SUCCESS)
}
