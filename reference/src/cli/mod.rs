//! The command line.

mod carve;
mod info;
mod operators;
mod replay;

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use taproot::text::printable;
use tracing_subscriber::filter::LevelFilter;

/// Exit code when a command could not do its work.
const COULD_NOT_RUN: u8 = 2;

/// Bring a machine-learning model up on WebGPU: carve its run on a mature platform into one test per operator, and
/// replay the tests.
#[derive(Debug, Parser)]
#[command(name = "taproot", version, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// Say more on stderr about what goes on
    #[arg(short, long, global = true, display_order = 1000)]
    verbose: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a model and record every operator with its inputs, weights and outputs
    Carve(carve::Arguments),
    /// Describe a trace
    Info(info::Arguments),
    /// List the operators that can be replayed, with their arguments
    Operators(operators::Arguments),
    /// Run a trace's operators on this computer's GPU and judge each against the record and an f64 oracle
    ///
    /// Exit code 0: all pass (warnings are counted, and allowed); 1: any fails; 2: some could not run (an operator is
    /// not in the vocabulary), or nothing could.
    Replay(replay::Arguments),
}

/// Runs a command; an error is one message on stderr.
pub(crate) fn run(arguments: Arguments) -> ExitCode {
    let level = if arguments.verbose { LevelFilter::DEBUG } else { LevelFilter::ERROR };
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(level).init();
    let result = match arguments.command {
        Command::Carve(arguments) => carve::run(&arguments),
        Command::Info(arguments) => info::run(&arguments),
        Command::Operators(arguments) => operators::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
    };
    result.unwrap_or_else(|error| {
        eprintln!("taproot: {}", printable(&format!("{error:#}")));
        ExitCode::from(COULD_NOT_RUN)
    })
}

/// Runs a future to its end. Traces over HTTP need a runtime; GPU results are polled for on the way.
fn block_on<F: Future>(future: F) -> std::io::Result<F::Output> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(future))
}
