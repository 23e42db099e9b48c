//! Comparison: error metrics, noise floor, verdicts.
//!
//! The question is never "are they equal" but "is the target as good as the source". [`compare`] answers it for one result of
//! one operator, [`logits`] for a language model's last result, and [`heatmap`]
//! prepares what a person looks at.

pub mod allowance;
pub mod close;
mod exact;
pub mod floor;
pub mod heatmap;
pub mod logits;
mod metrics;
mod nonfinite;
mod ulp;
mod verdict;
pub mod webnn;

pub use close::AssertClose;
pub use metrics::{Metrics, Worst};
pub use nonfinite::Kind;
pub use ulp::{Ulp, ulps_apart};
pub use verdict::{Comparands, Comparison, PASS_RATIO, Verdict, WARN_RATIO, compare};
pub use webnn::WebNn;
