//! Set-up and checks of Taproot: `cargo xtask run`, `test`, `lint`, `samples`, `setup`.
//!
//! Each command first sets up what it needs and is missing; what is there already is found again in seconds.
//! Tools live outside `target/`, in the folder named by [`workspace::tools_dir`].

mod browsers;
mod cli;
mod debian;
mod host;
mod lint;
mod process;
mod progress;
mod samples;
mod serve;
mod setup;
mod site;
mod test;
mod tools;
mod vulkan;
mod wasm_std;
mod wasm_toolchain;
mod workspace;

use std::process::ExitCode;

use cli::Task;
use progress::Progress;

fn main() -> ExitCode {
    let task = match cli::parse(std::env::args().skip(1)) {
        Ok(task) => task,
        Err(message) => {
            eprintln!("error: {message}\n\n{}", cli::HELP);
            return ExitCode::from(2);
        }
    };
    match perform(task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn perform(task: Task) -> anyhow::Result<()> {
    let mut progress = Progress::start();
    match task {
        Task::Help => {
            println!("{}", cli::HELP);
            Ok(())
        }
        Task::Setup => setup::everything(&mut progress),
        Task::Run { port } => serve::run(&mut progress, port),
        Task::Test { parts } => test::run(&mut progress, &parts),
        Task::Lint => lint::run(&mut progress),
        Task::Samples => samples::run(&mut progress),
    }
}
