//! What the vectors gave on this platform, for `docs/operators.md`: written to the file that `TAPROOT_RESULTS` names.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use taproot_engine::tensor::DType;

/// Where the results of Mesa's software renderer are kept; every machine has it, so a test can tell when they are stale.
const LAVAPIPE: &str = "docs/operators/lavapipe.json";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Count {
    pub(crate) passed: usize,
    pub(crate) refused: usize,
    pub(crate) failed: usize,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Results {
    order: usize,
    platform: String,
    operators: BTreeMap<String, BTreeMap<String, Count>>,
}

impl Results {
    pub(crate) fn new(adapter: &str) -> Self {
        let lavapipe = adapter.contains("llvmpipe");
        // lavapipe's own name has the compiler's version, which says nothing about Taproot.
        let platform = if lavapipe { "native, lavapipe".to_owned() } else { format!("native, {adapter}") };
        Results { order: usize::from(!lavapipe), platform, operators: BTreeMap::new() }
    }

    pub(crate) fn count(&mut self, op: &str, dtype: DType) -> &mut Count {
        self.operators.entry(op.to_owned()).or_default().entry(dtype.to_string()).or_default()
    }

    pub(crate) fn passed(&self) -> usize {
        self.operators.values().flat_map(BTreeMap::values).map(|count| count.passed).sum()
    }

    pub(crate) fn has_passes(&self, op: &str) -> bool {
        self.operators.get(op).is_some_and(|dtypes| dtypes.values().any(|count| count.passed > 0))
    }

    pub(crate) fn write_if_asked(&self) {
        if let Some(path) = std::env::var_os("TAPROOT_RESULTS") {
            let text = serde_json::to_string_pretty(self).unwrap() + "\n";
            std::fs::write(root().join(path), text).unwrap();
        }
    }

    /// On lavapipe, the results are those that the documentation was made from.
    pub(crate) fn check_against_documented(&self) {
        if self.order > 0 {
            return;
        }
        let documented: Option<Self> =
            std::fs::read(root().join(LAVAPIPE)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        assert!(
            documented.as_ref() == Some(self),
            "{LAVAPIPE} is stale; on a machine with lavapipe run\n  TAPROOT_RESULTS={LAVAPIPE} cargo test -p \
             taproot-engine --test webgpu_vectors\n  cargo run -p taproot -- operators --markdown docs/operators > \
             docs/operators.md"
        );
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
