//! Operators submitted together: each error is its own operator's.

use super::harness::*;
use crate::graph::Call;
use crate::tensor::HostTensor;
use crate::webgpu::{Gpu, GpuError, GpuTensor, KernelOverride, RunError, Submitted};
use pollster::block_on;

fn upload(values: &[i64]) -> GpuTensor {
    gpu().upload(&HostTensor::from_i64(&[values.len()], values).unwrap()).unwrap()
}

/// x, x·2, x·4, …: the last product and what was submitted.
fn doublings(gpu: &Gpu, first: GpuTensor, times: usize) -> (GpuTensor, Vec<Submitted>) {
    let mut submitted = Vec::new();
    let mut tensor = first;
    for at in 0..times {
        let call = Call::new("add").tensor_arg("input", tensor.clone()).tensor_arg("other", tensor);
        let (results, check) = gpu.submit(&format!("double.{at}"), &call).unwrap();
        submitted.extend(check);
        tensor = results.into_iter().next().unwrap();
    }
    (tensor, submitted)
}

#[test]
fn a_chain_gives_what_one_by_one_gives() {
    let (last, submitted) = doublings(gpu(), upload(&[1, -1, 3]), 29);
    block_on(gpu().settle(submitted)).unwrap();
    let values = block_on(gpu().download(&last)).unwrap().to_f64();
    assert_eq!(values, [1.0, -1.0, 3.0].map(|x| x * f64::from(1 << 29)));
}

#[test]
fn the_first_operator_out_of_range_is_named() {
    // 2^30 doubles to 2^31 in the third step; what follows computes with the wrapped number and may complain too.
    let (_, submitted) = doublings(gpu(), upload(&[1, 1 << 28]), 8);
    let RunError { id, error } = block_on(gpu().settle(submitted)).unwrap_err();
    assert_eq!((id.as_str(), error), ("double.2", GpuError::ResultRange { index: 1 }));
}

#[test]
fn a_broken_kernel_is_named_and_its_neighbours_are_not() {
    let mut gpu = block_on(Gpu::with_default_limits()).unwrap();
    let wgsl = "fn main( {".to_owned();
    let broken = KernelOverride { kernel: "binary_integer".to_owned(), only: Some("double.1".to_owned()), wgsl };
    gpu.set_overrides(vec![broken]).unwrap();
    let first = gpu.upload(&HostTensor::from_i64(&[1], &[1]).unwrap()).unwrap();
    let (_, submitted) = doublings(&gpu, first, 3);
    let failed = block_on(gpu.settle(submitted)).unwrap_err();
    assert_eq!(failed.id, "double.1");
    assert!(matches!(failed.error, GpuError::Shader { .. }), "{failed}");
}
