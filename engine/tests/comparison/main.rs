//! What a comparison says of results whose errors are known.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod accumulation;
mod conforming_device;
mod device;
mod heatmap;
mod metrics;
mod random;
mod verdicts;

use taproot_engine::compare::{Comparands, Comparison, compare};
use taproot_engine::graph::Call;
use taproot_engine::operators::{self, Definition};
use taproot_engine::oracle::{self, Array};
use taproot_engine::tensor::{DType, HostTensor};

/// Judges three results of `op` without allowances.
fn judge(target: &HostTensor, source: &HostTensor, oracle: &Array) -> Comparison {
    compare(&Comparands { target, source, oracle, allowance: &[], noise: None, op: "test", webnn: None })
}

/// Judges a call's result, rounded to its dtype, beside a perfect source: the oracle's, rounded alike.
fn judge_call(call: &Call<Array>, target: &[f32]) -> Comparison {
    let oracles = oracle::run(call).unwrap();
    let Some(Definition::Kernel(kernel)) = operators::lookup(call.op()) else { panic!("{} is no kernel", call.op()) };
    let allowances = (kernel.allowance)(call, &oracles);
    let rounded = |values: &[f64]| HostTensor::from_f64(oracles[0].dtype, &oracles[0].shape, values).unwrap();
    compare(&Comparands {
        target: &rounded(&target.iter().map(|&v| f64::from(v)).collect::<Vec<_>>()),
        source: &rounded(&oracles[0].floats()),
        oracle: &oracles[0],
        allowance: &allowances[0],
        noise: None,
        op: call.op(),
        webnn: None,
    })
}

/// An array of f32 values.
fn array(shape: &[usize], values: &[f32]) -> Array {
    Array::float(DType::F32, shape, values.iter().map(|&v| f64::from(v)).collect())
}
