//! Comparison: error metrics, noise floor, verdicts.

pub mod allowance;
