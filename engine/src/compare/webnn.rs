//! The tolerances of WebNN's conformance tests (`web-platform-tests/wpt`, `webnn/resources/utils.js`).

use super::ulp::ulps_apart;
use crate::graph::signatures::float_result;
use crate::graph::signatures::{matmul::matmul_operands, reduction::reduced_dims};
use crate::graph::{Call, wrap_dim};
use crate::oracle::Array;
use crate::tensor::DType;
use serde::{Deserialize, Serialize};

/// How far WebNN's tests let a result be off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// In units in the last place.
    Ulp(u64),
    /// Absolute.
    Atol(f64),
}

/// A tolerance of WebNN's tests for one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// How far off.
    pub limit: Limit,
    /// The rule, with the numbers that went into it.
    pub rule: String,
}

/// Outcome of WebNN's rule, target against the oracle rounded to the result's dtype.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WebNn {
    /// How far off is allowed.
    pub limit: Limit,
    /// How far off the worst element is, in the limit's unit.
    pub worst: f64,
    /// Whether that is within the limit.
    pub pass: bool,
    /// The rule and where it comes from.
    pub source: String,
}

impl WebNn {
    pub(crate) fn new(budget: &Budget) -> Self {
        let source = format!("WebNN conformance tests: {}", budget.rule);
        WebNn { limit: budget.limit, worst: 0.0, pass: true, source }
    }

    pub(crate) fn add(&mut self, dtype: DType, target: f64, oracle: f64) {
        let (distance, limit) = match self.limit {
            Limit::Ulp(limit) => (ulps_apart(dtype, target, oracle).map_or(f64::MAX, f64::from), limit as f64),
            Limit::Atol(limit) => ((target - oracle).abs(), limit),
        };
        self.worst = self.worst.max(distance);
        self.pass = self.worst <= limit;
    }
}

/// The tolerance for `call`; `None` where WebNN's tests have none for the operator or the dtype.
pub fn budget(call: &Call<Array>) -> Option<Budget> {
    let dtype = result_dtype(call)?;
    if !matches!(dtype, DType::F32 | DType::F16) {
        return None;
    }
    let half = dtype == DType::F16;
    let ulp = |limit: u64, rule: String| Some(Budget { limit: Limit::Ulp(limit), rule });
    let fixed = |limit: u64| ulp(limit, format!("{limit} ULP for {} in {dtype}", call.op()));
    let atol = |limit: f64, rule: &str| {
        Some(Budget { limit: Limit::Atol(limit), rule: format!("{rule} absolute for {} in {dtype}", call.op()) })
    };
    match call.op() {
        "linear" => {
            let k = *call.tensor("weight").ok()?.shape.last()? as u64;
            let bias = u64::from(call.opt_tensor("bias").ok()?.is_some());
            ulp(2 * k + bias, format!("gemm 2·K + 1 with a bias, K = {k}"))
        }
        "matmul" => {
            let [a, _] = matmul_operands(&call.tensor("input").ok()?.shape, &call.tensor("other").ok()?.shape);
            let k = *a.last()? as u64;
            ulp(2 * k, format!("matmul 2·K, K = {k}"))
        }
        "softmax" => {
            let input = call.tensor("input").ok()?;
            let dim = wrap_dim(call.required_int("dim").ok()?, input.shape.len())?;
            let extent = input.shape.get(dim).copied().unwrap_or(1) as u64;
            ulp(3 * extent + 3, format!("softmax 3·extent + 3, extent = {extent}"))
        }
        "sum" => reduced(call).and_then(|n| ulp(n, format!("reduceSum n = {n}"))),
        "mean" => reduced(call).and_then(|n| ulp(n + 2, format!("reduceMean n + 2, n = {n}"))),
        "linalg_vector_norm" if call.float("ord", 2.0).ok()? == 2.0 => {
            reduced(call).and_then(|n| ulp(2 * n + 2, format!("reduceL2 2·n + 2, n = {n}")))
        }
        "logsumexp" => reduced(call).and_then(|n| ulp(2 * n + 18, format!("reduceLogSumExp 2·n + 18, n = {n}"))),
        "batch_norm" if !call.bool("training", false).ok()? => fixed(6),
        "instance_norm" if call.bool("use_input_stats", true).ok()? => fixed(if half { 8400 } else { 840 }),
        "layer_norm" if half => atol(1.0 / 512.0, "1/512"),
        "layer_norm" => atol(1.0 / 1024.0, "1/1024"),
        "sin" | "cos" if half => atol(1.0 / 512.0, "1/512"),
        "sin" | "cos" => atol(1.0 / 1024.0, "1/1024"),
        "gelu" => fixed(18),
        "sigmoid" => fixed(if half { 10 } else { 34 }),
        "tanh" => fixed(16),
        "exp" => fixed(if half { 1 } else { 32 }),
        "pow" => fixed(if half { 2 } else { 32 }),
        "add" | "sub" | "mul" | "sqrt" | "to" => fixed(1),
        "div" => fixed(2),
        "clone" | "cat" | "embedding" | "where" | "clamp" | "neg" | "relu" => fixed(0),
        _ => None,
    }
}

/// dtype of the result: that of a cast, else what computing with the first tensor gives.
fn result_dtype(call: &Call<Array>) -> Option<DType> {
    if let Some(dtype) = call.opt_dtype("dtype").ok()? {
        return Some(dtype);
    }
    let tensor = call.tensor("input").or_else(|_| call.tensor("weight")).ok();
    let first = || call.tensors("tensors").ok()?.first();
    Some(float_result(tensor.or_else(first)?.dtype))
}

fn reduced(call: &Call<Array>) -> Option<u64> {
    let shape = &call.tensor("input").ok()?.shape;
    let dims = reduced_dims(call, shape.len()).ok()?;
    // In range: `reduced_dims` gives dimensions below the rank.
    dims.iter().try_fold(1u64, |n, &dim| n.checked_mul(shape[dim] as u64))
}
