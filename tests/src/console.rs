//! What a page says on the console, and errors it did not catch.

use std::{fmt, sync::PoisonError};

use anyhow::{Result, bail};

use crate::{Browser, BrowserKind};

/// How bad a line on the console is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// `console.log` and less.
    Info,
    /// `console.warn`.
    Warning,
    /// `console.error`, an error that nobody caught, or a request that failed.
    Error,
}

/// One line on the console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleLine {
    /// How bad it is.
    pub severity: Severity,
    /// What it says; the browsers' wordings differ.
    pub text: String,
}

impl fmt::Display for ConsoleLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.severity, self.text)
    }
}

impl Browser {
    /// All that the page has said since the browser started.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn console(&self) -> Result<Vec<ConsoleLine>> {
        if self.kind() == BrowserKind::Firefox {
            return Ok(self.process.log().lines().filter_map(parse_firefox).collect());
        }
        // chromedriver hands out each line once.
        let fresh = self.driver.browser_log().await?;
        let mut lines = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        lines.extend(fresh.into_iter().map(|entry| ConsoleLine {
            severity: match entry.level.as_str() {
                "SEVERE" => Severity::Error,
                "WARNING" => Severity::Warning,
                _ => Severity::Info,
            },
            text: entry.message,
        }));
        Ok(lines.clone())
    }

    /// Checks that the page has said nothing worse than `console.warn`.
    ///
    /// # Errors
    /// With the lines that are worse.
    pub async fn expect_quiet_console(&self) -> Result<()> {
        let lines = self.console().await?;
        let errors: Vec<String> =
            lines.iter().filter(|line| line.severity == Severity::Error).map(|line| line.text.clone()).collect();
        if !errors.is_empty() {
            bail!("the console has {} errors: {}", errors.len(), errors.join(" | "));
        }
        Ok(())
    }
}

/// Firefox writes `console.LEVEL: "text"` and `JavaScript error: place: text` to its standard output.
///
/// Parts of Firefox itself write there too, as `console.LEVEL: Name: text`, where a page's text would stand in quotes, and as
/// errors in places of its own.
fn parse_firefox(line: &str) -> Option<ConsoleLine> {
    let levels = [
        ("console.error: ", Severity::Error),
        ("JavaScript error: ", Severity::Error),
        ("console.warn: ", Severity::Warning),
        ("JavaScript warning: ", Severity::Warning),
        ("console.log: ", Severity::Info),
        ("console.info: ", Severity::Info),
        ("console.debug: ", Severity::Info),
    ];
    let said = |(start, severity)| line.strip_prefix(start).map(|text| ConsoleLine { severity, text: text.to_owned() });
    levels.into_iter().find_map(said).filter(|said| {
        let is_firefox_itself = if line.starts_with("console.") {
            begins_with_a_name(&said.text)
        } else {
            ["resource://", "chrome://", "moz-"].iter().any(|place| said.text.starts_with(place))
        };
        !is_firefox_itself
    })
}

fn begins_with_a_name(text: &str) -> bool {
    text.split_once(": ")
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_firefox_writes() {
        let severity = |line| parse_firefox(line).map(|said| said.severity);
        assert_eq!(severity("console.log: \"level: 3\""), Some(Severity::Info));
        assert_eq!(severity("console.error: (new Error(\"x\", \"http://127.0.0.1/\", 1))"), Some(Severity::Error));
        assert_eq!(severity("JavaScript error: http://127.0.0.1/a.js, line 3: Error: x"), Some(Severity::Error));
        assert_eq!(severity("console.error: RSLoader: "), None);
        assert_eq!(severity("JavaScript error: resource:///modules/a.sys.mjs, line 4408: NotAllowedError: x"), None);
        assert_eq!(severity("1764558301234\tgeckodriver\tINFO\tListening on 127.0.0.1:4444"), None);
    }
}
