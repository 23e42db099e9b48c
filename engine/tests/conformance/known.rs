//! The list of what does not pass.

use crate::outcome::{Kind, Outcome};
use crate::vectors::Vectors;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What does not pass, and why.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Known {
    /// Operators that the vocabulary does not have; their cases are not listed one by one.
    missing: BTreeSet<String>,
    /// Cases of the operators that it has.
    cases: BTreeMap<String, Outcome>,
}

impl Known {
    /// What does not pass now.
    pub(crate) fn of(vectors: &Vectors, outcomes: &BTreeMap<&str, Outcome>) -> Self {
        let mut known = Known::default();
        for case in &vectors.cases {
            let outcome = &outcomes[case.id.as_str()];
            match outcome.kind {
                Kind::Passes => {}
                Kind::Missing => drop(known.missing.insert(case.op.clone())),
                _ => drop(known.cases.insert(case.id.clone(), outcome.clone())),
            }
        }
        known
    }

    /// Reads a list.
    pub(crate) fn read(path: &Path) -> Self {
        serde_json::from_slice(&std::fs::read(path).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The list, a line per case.
    pub(crate) fn to_json(&self) -> String {
        let line = |(id, outcome): (&String, &Outcome)| {
            format!("{}:{}", serde_json::to_string(id).unwrap(), serde_json::to_string(outcome).unwrap())
        };
        let cases: Vec<String> = self.cases.iter().map(line).collect();
        let missing = serde_json::to_string(&self.missing).unwrap().replace("\",\"", "\",\n\"");
        format!("{{\"missing\":{missing},\n\"cases\":{{\n{}\n}}}}\n", cases.join(",\n"))
    }

    /// A line for everything that `now` is better or worse in. The words of a reason may change.
    pub(crate) fn differences(&self, now: &Self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for op in self.missing.symmetric_difference(&now.missing) {
            let has = if now.missing.contains(op) { "does not have" } else { "has, and it is listed as missing:" };
            lines.push(format!("the vocabulary {has} {op}"));
        }
        for (id, outcome) in &now.cases {
            match self.cases.get(id) {
                Some(listed) if listed.kind == outcome.kind => {}
                Some(listed) => {
                    lines.push(format!("{id}: {:?}, listed as {:?}: {}", outcome.kind, listed.kind, outcome.reason));
                }
                None => lines.push(format!("{id}: {:?}: {}", outcome.kind, outcome.reason)),
            }
        }
        for (id, listed) in self.cases.iter().filter(|(id, _)| !now.cases.contains_key(*id)) {
            lines.push(format!("{id}: passes or is gone, listed as {:?}", listed.kind));
        }
        lines
    }

    /// A line for every wrong result.
    pub(crate) fn wrong(&self) -> Vec<String> {
        let wrong = |outcome: &Outcome| matches!(outcome.kind, Kind::Oracle | Kind::Fails);
        let cases = self.cases.iter().filter(|(_, outcome)| wrong(outcome));
        cases.map(|(id, outcome)| format!("{id}: {:?}: {}", outcome.kind, outcome.reason)).collect()
    }
}
