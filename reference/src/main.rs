//! The program `taproot`: arguments in, messages and exit codes out. What it does is in the library.

mod cli;

use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(cli::Arguments::parse())
}
