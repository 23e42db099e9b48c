//! Holds every WebGPU kernel against what PyTorch computed (`tests/vectors`): its f64 results are the oracle, its CUDA results
//! the source, and the verdict's own rule decides.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod platform_results;
mod vectors;

use platform_results::Results;
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
    let mut results = Results::new(&gpu.info().name);
    let (mut gaps, mut failures) = (Vec::new(), Vec::new());
    for case in &vectors.cases {
        let count = results.count(&case.op, vectors.dtype(case));
        match pollster::block_on(run(&gpu, &vectors, case)) {
            Outcome::Passes => count.passed += 1,
            Outcome::Gap(reason) => {
                count.refused += 1;
                gaps.push(format!("{}: {reason}", case.id));
            }
            Outcome::Fails(reason) => {
                count.failed += 1;
                failures.push(format!("{}: {reason}", case.id));
            }
        }
    }
    println!("on {}: {} pass\ngaps:\n{}", gpu.info().name, results.passed(), gaps.join("\n"));
    // Kept before anything can fail: what fails on a platform is a result too.
    results.write_if_asked();
    assert!(failures.is_empty(), "{} of {} cases fail:\n{}", failures.len(), vectors.cases.len(), failures.join("\n"));
    for kernel in operators::KERNELS {
        let name = kernel.signature.name;
        assert!(results.has_passes(name), "no case of {name} ran");
    }
    results.check_against_documented();
}

async fn run(gpu: &Gpu, vectors: &Vectors, case: &Case) -> Outcome {
    let host = vectors.call(case);
    let targets = async {
        let call = host.try_map_tensors(|tensor| gpu.upload(tensor))?;
        let mut targets = Vec::new();
        for result in gpu.run(&case.id, &call).await? {
            targets.push(gpu.download(&result).await?);
        }
        Ok(targets)
    };
    let targets =
        match targets.await {
            Ok(targets) => targets,
            Err(error @ (GpuError::UnsupportedDType { .. } | GpuError::Operator(OpError::Unsupported { .. }))) => {
                return Outcome::Gap(error.to_string());
            }
            // Not a failure but the promise kept: an integer that 32 bits cannot hold is refused, never wrapped.
            Err(
                error @ (GpuError::IntegerRange { .. } | GpuError::ResultRange { .. } | GpuError::ScalarRange { .. }),
            ) if case.id.contains("i64") => return Outcome::Gap(error.to_string()),
            Err(error) => return Outcome::Fails(error.to_string()),
        };
    let Some(Definition::Kernel(kernel)) = operators::lookup(&case.op) else { panic!("{} is no kernel", case.op) };
    let arrays = host.map_tensors(Array::from_host);
    let computed = oracle::run(&arrays).unwrap();
    let allowances = (kernel.allowance)(&arrays, &computed);
    assert_eq!(targets.len(), vectors.source(case).len(), "{}", case.id);
    for (at, target) in targets.iter().enumerate() {
        // PyTorch's numbers stand as the oracle; ours only says of which dtype the result is.
        let expected = Array { dtype: computed[at].dtype, ..Array::from_host(vectors.expected(case)[at]) };
        let comparison = compare(&Comparands {
            target,
            source: vectors.source(case)[at],
            oracle: &expected,
            allowance: &allowances[at],
            noise: None,
            op: &case.op,
            webnn: None,
        });
        if comparison.verdict != Verdict::Pass {
            return Outcome::Fails(format!(
                "result {at}: {}: {} (ratio {:?}, RMS {:e}, source {:e}, floor {:e})",
                comparison.verdict,
                comparison.reason.unwrap_or_default(),
                comparison.metrics.ratio,
                comparison.metrics.rms_target,
                comparison.metrics.rms_source,
                comparison.metrics.floor
            ));
        }
    }
    Outcome::Passes
}
