//! The command line.

mod carve;
mod info;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Exit code when a command could not do its work.
const COULD_NOT_RUN: u8 = 2;

/// Bring a machine-learning model up on WebGPU: carve its run on a mature platform into one test per operator, and
/// replay the tests.
#[derive(Debug, Parser)]
#[command(name = "taproot", version, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a model and record every operator with its inputs, weights and outputs
    Carve(carve::Arguments),
    /// Describe a trace
    Info(info::Arguments),
}

/// Runs a command; an error is one message on stderr.
pub(crate) fn run(arguments: Arguments) -> ExitCode {
    let result = match arguments.command {
        Command::Carve(arguments) => carve::run(&arguments),
        Command::Info(arguments) => info::run(&arguments),
    };
    result.unwrap_or_else(|error| {
        eprintln!("taproot: {error:#}");
        ExitCode::from(COULD_NOT_RUN)
    })
}

/// Runs a future to its end. Traces over HTTP need a runtime; GPU results are polled for on the way.
fn block_on<F: Future>(future: F) -> std::io::Result<F::Output> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(future))
}
