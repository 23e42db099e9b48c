//! Notices: one sentence each, shown until dismissed.

use leptos::prelude::*;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something could not be done.
    Error,
    /// Something was done, but not quite as asked.
    Warning,
}

/// A notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Tells notices apart.
    pub id: u32,
    /// How bad it is.
    pub severity: Severity,
    /// The sentence.
    pub text: String,
}

/// The notices that are shown.
#[derive(Clone, Copy)]
pub struct Notices {
    shown: RwSignal<Vec<Notice>>,
    last: StoredValue<u32>,
}

impl Notices {
    /// None yet.
    pub fn new() -> Self {
        Notices { shown: RwSignal::default(), last: StoredValue::new(0) }
    }

    /// Those that are shown.
    pub fn shown(&self) -> Vec<Notice> {
        self.shown.get()
    }

    /// Says that something could not be done.
    pub fn error(&self, text: impl Into<String>) {
        self.add(Severity::Error, text.into());
    }

    /// Says that something was not done quite as asked.
    pub fn warn(&self, text: impl Into<String>) {
        self.add(Severity::Warning, text.into());
    }

    /// Removes a notice.
    pub fn dismiss(&self, id: u32) {
        self.shown.update(|shown| shown.retain(|notice| notice.id != id));
    }

    fn add(&self, severity: Severity, text: String) {
        let text = sentence(&text);
        // The same sentence twice says nothing new.
        if self.shown.with_untracked(|shown| shown.iter().any(|notice| notice.text == text)) {
            return;
        }
        let id = self.last.get_value() + 1;
        self.last.set_value(id);
        self.shown.update(|shown| shown.push(Notice { id, severity, text }));
    }
}

impl Default for Notices {
    fn default() -> Self {
        Self::new()
    }
}

/// Errors are made to stand inside sentences; alone they begin with a capital, unless that is part of a name.
pub fn sentence(text: &str) -> String {
    // An address, an operator or a file name stays as it is.
    let first = text.split_whitespace().next().unwrap_or_default();
    if !first.chars().all(|letter| letter.is_ascii_lowercase() || letter == '\'') {
        return text.to_owned();
    }
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
