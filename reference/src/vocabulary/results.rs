//! What the test vectors gave on a platform, as `docs/operators/*.json` keeps it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Cases of an operator in one dtype.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// As close to f64 as the verdict asks.
    pub passed: usize,
    /// Refused with a reason instead of computed.
    pub refused: usize,
    /// Too far off, or an error.
    pub failed: usize,
}

/// All cases on one platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    /// Position of its column.
    pub order: usize,
    /// Operating system, API or browser, and adapter.
    pub platform: String,
    /// By operator and dtype.
    pub operators: BTreeMap<String, BTreeMap<String, Count>>,
}

/// A file of results that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// It can't be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It isn't what the test writes.
    #[error("{} is not a file of results: {source}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
}

impl Results {
    /// Every `.json` in `folder`, in the order of columns.
    ///
    /// # Errors
    /// When a file can't be read or isn't a file of results.
    pub fn load(folder: &Path) -> Result<Vec<Self>, ResultsError> {
        let mut all = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|source| unreadable(folder, source))? {
            let path = entry.map_err(|source| unreadable(folder, source))?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let bytes = std::fs::read(&path).map_err(|source| unreadable(&path, source))?;
                let parsed: Self =
                    serde_json::from_slice(&bytes).map_err(|source| ResultsError::Parse { path, source })?;
                all.push(parsed);
            }
        }
        all.sort_by(|a, b| (a.order, &a.platform).cmp(&(b.order, &b.platform)));
        Ok(all)
    }
}

fn unreadable(path: &Path, source: std::io::Error) -> ResultsError {
    ResultsError::Read { path: path.to_owned(), source }
}
