//! The command line.

/// What `cargo xtask` prints when asked for help.
pub(crate) const HELP: &str = "\
Usage: cargo xtask COMMAND

  run [--port N]            set up what is missing, build the app and serve it (port 8080, or the next free one)
  test [native] [browser]   set up what is missing and run all tests, or only the parts named
  lint                      formatting, clippy and documentation, for this machine and for wasm32
  samples                   fetch the sample models and carve a trace of each
  setup                     set up all that the commands above need, and stop

Environment:
  TAPROOT_TOOLS             folder for the tools that set-up builds (default: ~/.cache/taproot/tools-v1)
  TAPROOT_WASM              `rustup` or `debian`: where wasm32's standard library comes from (default: the first that works)
  TAPROOT_GPU               `software`: test on lavapipe even where there is a GPU
  CHROMIUM, CHROMEDRIVER, FIREFOX, GECKODRIVER
                            the programs that the browser tests use, where they are not on PATH";

/// A command with its arguments.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Help,
    Setup,
    Run { port: Option<u16> },
    Test { parts: Vec<Part> },
    Lint,
    Samples,
}

/// A part of the tests that can be asked for alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Native,
    Browser,
}

impl Part {
    /// All parts, in the order in which they run.
    pub(crate) const ALL: [Self; 2] = [Self::Native, Self::Browser];
}

/// Reads the arguments after `cargo xtask`.
///
/// # Errors
/// One sentence that says what was not understood.
pub(crate) fn parse(args: impl Iterator<Item = String>) -> Result<Task, String> {
    let mut args = args.peekable();
    let Some(command) = args.next() else { return Ok(Task::Help) };
    let task = match command.as_str() {
        "help" | "--help" | "-h" => Task::Help,
        "setup" => Task::Setup,
        "run" => Task::Run { port: parse_port(&mut args)? },
        "test" => Task::Test { parts: parse_parts(&mut args)? },
        "lint" => Task::Lint,
        "samples" => Task::Samples,
        other => return Err(format!("there is no command `{other}`")),
    };
    match args.next() {
        Some(extra) => Err(format!("`{command}` takes no argument `{extra}`")),
        None => Ok(task),
    }
}

fn parse_port(args: &mut impl Iterator<Item = String>) -> Result<Option<u16>, String> {
    match args.next().as_deref() {
        None => Ok(None),
        Some("--port") => {
            let value = args.next().ok_or("`--port` needs a number")?;
            value.parse().map(Some).map_err(|_| format!("`{value}` is not a port: give a number from 1 to 65535"))
        }
        Some(other) => Err(format!("`run` takes no argument `{other}`")),
    }
}

fn parse_parts(args: &mut impl Iterator<Item = String>) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    for name in args {
        parts.push(match name.as_str() {
            "native" => Part::Native,
            "browser" => Part::Browser,
            other => {
                return Err(format!("there is no part `{other}` of the tests: name `native`, `browser` or neither"));
            }
        });
    }
    Ok(if parts.is_empty() { Part::ALL.to_vec() } else { parts })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_line(line: &str) -> Result<Task, String> {
        parse(line.split_whitespace().map(String::from))
    }

    #[test]
    fn commands_and_their_arguments() {
        assert_eq!(parse_line(""), Ok(Task::Help));
        assert_eq!(parse_line("run"), Ok(Task::Run { port: None }));
        assert_eq!(parse_line("run --port 9000"), Ok(Task::Run { port: Some(9000) }));
        assert_eq!(parse_line("test"), Ok(Task::Test { parts: vec![Part::Native, Part::Browser] }));
        assert_eq!(parse_line("test browser"), Ok(Task::Test { parts: vec![Part::Browser] }));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, named) in [
            ("serve", "`serve`"),
            ("run --port", "`--port`"),
            ("run --port x", "`x`"),
            ("test unit", "`unit`"),
            ("lint all", "`all`"),
        ] {
            let message = parse_line(line).err().unwrap_or_default();
            assert!(message.contains(named), "{line}: {message}");
        }
    }
}
