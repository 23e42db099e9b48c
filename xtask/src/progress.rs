//! What set-up and checks are doing, and how long each step took.

use std::time::{Duration, Instant};

use anyhow::Result;

/// Prints each step as it begins and ends, and remembers the times for a summary.
pub(crate) struct Progress {
    started: Instant,
    done: Vec<(String, Duration)>,
}

/// A step quicker than this gets one line instead of two.
const WORTH_A_LINE: Duration = Duration::from_secs(1);

impl Progress {
    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), done: Vec::new() }
    }

    /// Runs one step under a name.
    pub(crate) fn step<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.note(name);
        let began = Instant::now();
        let result = work();
        let took = began.elapsed();
        self.done.push((name.to_owned(), took));
        if result.is_ok() && took >= WORTH_A_LINE {
            self.note(&format!("{name}: done in {}", human(took)));
        }
        result
    }

    /// Prints one line with the time since the start.
    pub(crate) fn note(&self, text: &str) {
        eprintln!("[{:>6}] {text}", clock(self.started.elapsed()));
    }

    /// Prints what each step so far took, leaving out the quick ones.
    pub(crate) fn print_times(&self) {
        let slow: Vec<_> = self.done.iter().filter(|(_, took)| *took >= WORTH_A_LINE).collect();
        let width = slow.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max("total".len());
        eprintln!("Time taken so far:");
        for (name, took) in slow {
            eprintln!("  {name:<width$}  {:>10}", human(*took));
        }
        eprintln!("  {:<width$}  {:>10}", "total", human(self.started.elapsed()));
    }
}

/// `1:05`, as a clock shows it.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// `65 s` becomes `1 min 5 s`; less than ten seconds keep a decimal.
fn human(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 9.95 => format!("{s:.1} s"),
        s if s < 59.5 => format!("{s:.0} s"),
        s => format!("{} min {} s", s.round() as u64 / 60, s.round() as u64 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_a_person_would_say_them() {
        assert_eq!(human(Duration::from_millis(1_240)), "1.2 s");
        assert_eq!(human(Duration::from_secs(42)), "42 s");
        assert_eq!(human(Duration::from_millis(59_700)), "1 min 0 s");
        assert_eq!(human(Duration::from_secs(605)), "10 min 5 s");
        assert_eq!(clock(Duration::from_secs(65)), "1:05");
    }
}
