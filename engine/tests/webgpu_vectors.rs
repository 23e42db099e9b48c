//! Holds every WebGPU kernel against what PyTorch computed (`tests/vectors`): its f64 results are the oracle, its CUDA results
//! the source, and the verdict's own rule decides.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod vectors;

use std::collections::BTreeMap;
use taproot_engine::compare::{Comparands, Verdict, compare};
use taproot_engine::graph::OpError;
use taproot_engine::operators::{self, Definition};
use taproot_engine::oracle::{self, Array};
use taproot_engine::webgpu::{Gpu, GpuError};
use vectors::{Case, Vectors};

enum Outcome {
    Passes,
    /// WebGPU says that it does not do this.
    Gap(String),
    Fails(String),
}

#[test]
fn webgpu_is_as_good_as_cuda() {
    let vectors = Vectors::load();
    let gpu = pollster::block_on(Gpu::new()).expect("a WebGPU device, lavapipe's if there is no GPU");
    let mut passes: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut gaps, mut failures) = (Vec::new(), Vec::new());
    for case in &vectors.cases {
        match pollster::block_on(run(&gpu, &vectors, case)) {
            Outcome::Passes => *passes.entry(case.op.as_str()).or_default() += 1,
            Outcome::Gap(reason) => gaps.push(format!("{}: {reason}", case.id)),
            Outcome::Fails(reason) => failures.push(format!("{}: {reason}", case.id)),
        }
    }
    println!("on {}: {} pass\ngaps:\n{}", gpu.info().name, passes.values().sum::<usize>(), gaps.join("\n"));
    assert!(failures.is_empty(), "{} of {} cases fail:\n{}", failures.len(), vectors.cases.len(), failures.join("\n"));
    for kernel in operators::KERNELS {
        let name = kernel.signature.name;
        assert!(passes.contains_key(name), "no case of {name} ran");
    }
}

async fn run(gpu: &Gpu, vectors: &Vectors, case: &Case) -> Outcome {
    let host = vectors.call(case);
    let target = async {
        let call = host.try_map_tensors(|tensor| gpu.upload(tensor))?;
        let results = gpu.run(&case.id, &call).await?;
        gpu.download(&results[0]).await
    };
    let target = match target.await {
        Ok(target) => target,
        Err(error @ (GpuError::UnsupportedDType { .. } | GpuError::Operator(OpError::Unsupported { .. }))) => {
            return Outcome::Gap(error.to_string());
        }
        // Not a failure but the promise kept: an integer that 32 bits cannot hold is refused, never wrapped.
        Err(error @ GpuError::IntegerRange { .. }) if case.id.contains("i64") => {
            return Outcome::Gap(error.to_string());
        }
        Err(error) => return Outcome::Fails(error.to_string()),
    };
    let Some(Definition::Kernel(kernel)) = operators::lookup(&case.op) else { panic!("{} is no kernel", case.op) };
    let arrays = host.map_tensors(Array::from_host);
    let computed = oracle::run(&arrays).unwrap();
    let allowances = (kernel.allowance)(&arrays, &computed);
    // PyTorch's numbers stand as the oracle; ours only says of which dtype the result is.
    let expected = Array { dtype: computed[0].dtype, ..Array::from_host(vectors.expected(case)[0]) };
    let comparison = compare(&Comparands {
        target: &target,
        source: vectors.source(case)[0],
        oracle: &expected,
        allowance: &allowances[0],
        noise: None,
        op: &case.op,
        webnn: None,
    });
    match comparison.verdict {
        Verdict::Pass => Outcome::Passes,
        verdict => Outcome::Fails(format!(
            "{verdict}: {} (ratio {:?}, RMS {:e}, source {:e}, floor {:e})",
            comparison.reason.unwrap_or_default(),
            comparison.metrics.ratio,
            comparison.metrics.rms_target,
            comparison.metrics.rms_source,
            comparison.metrics.floor
        )),
    }
}
