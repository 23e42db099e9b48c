//! The device: transfers, errors, overrides.

use super::harness::*;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor, Layout};
use crate::webgpu::{Gpu, GpuError, KernelOverride, shader_text};
use pollster::block_on;

fn exp(gpu: &Gpu, id: &str) -> Result<Vec<f32>, GpuError> {
    let input = gpu.upload(&HostTensor::from_f32(&[2], &[0.0, 1.0])?)?;
    block_on(async {
        let results = gpu.run(id, &Call::new("exp").tensor_arg("input", input)).await?;
        Ok(gpu.download(&results[0]).await?.to_f32())
    })
}

fn instead_of_exp(wgsl: &str, only: Option<&str>) -> KernelOverride {
    KernelOverride { kernel: "unary".to_owned(), wgsl: wgsl.to_owned(), only: only.map(str::to_owned) }
}

#[test]
fn every_dtype_comes_back_as_it_went() {
    for dtype in DType::ALL.into_iter().filter(|dtype| !dtype.is_quantized()) {
        let bytes: Vec<u8> = (0..dtype.block().1 * 15).map(|i| (i % 2) as u8).collect();
        let tensor = HostTensor::new(dtype, &[3, 5], bytes).unwrap();
        match gpu().upload(&tensor) {
            Ok(uploaded) => assert_eq!(block_on(gpu().download(&uploaded)).unwrap(), tensor),
            // i64 of these bytes is beyond 32 bits.
            Err(GpuError::IntegerRange { .. }) => assert_eq!(dtype, DType::I64),
            Err(GpuError::UnsupportedDType { .. }) => {
                assert!(matches!(dtype, DType::F64 | DType::F8E4M3 | DType::F8E5M2), "{dtype}");
            }
            Err(error) => panic!("{dtype}: {error}"),
        }
    }
    for tensor in super::matmul::quantized(&[3, 32]) {
        assert_eq!(block_on(gpu().download(&gpu().upload(&tensor).unwrap())).unwrap(), tensor);
    }
}

#[test]
fn a_checked_upload_tells_whether_memory_sufficed() {
    let tensor = floats(1, &[3, 5]);
    let uploaded = block_on(gpu().upload_checked(&tensor)).unwrap();
    assert_eq!(block_on(gpu().download(&uploaded)).unwrap(), tensor);
    let wide = HostTensor::from_i64(&[1], &[1 << 40]).unwrap();
    assert!(matches!(block_on(gpu().upload_checked(&wide)), Err(GpuError::IntegerRange { .. })));
}

#[test]
fn views_come_back_contiguous() {
    for dtype in [DType::F32, DType::F16, DType::I64] {
        let base = HostTensor::from_f64(dtype, &[4, 6], &(0..24).map(f64::from).collect::<Vec<_>>()).unwrap();
        let uploaded = gpu().upload(&base).unwrap();
        for (shape, strides, offset) in [([6, 4], [1, 6], 0), ([2, 6], [6, 1], 6), ([3, 3], [0, 1], 5)] {
            let layout = Layout { shape: shape.to_vec(), strides: strides.to_vec(), offset };
            let view = uploaded.with_layout(layout.clone()).unwrap();
            assert_eq!(block_on(gpu().download(&view)).unwrap(), base.view(&layout).unwrap());
        }
        let outside = Layout { shape: vec![5, 6], strides: vec![6, 1], offset: 0 };
        assert!(matches!(uploaded.with_layout(outside), Err(GpuError::Layout(_))));
    }
}

#[test]
fn view_operators_share_memory() {
    let uploaded = gpu().upload(&floats(1, &[4, 6])).unwrap();
    let call = Call::new("transpose").tensor_arg("input", uploaded.clone());
    let call = call.arg("dim0", Arg::Int(0)).arg("dim1", Arg::Int(1));
    let view = block_on(gpu().run("view", &call)).unwrap().remove(0);
    assert_eq!((view.shape(), view.layout().strides.as_slice()), ([6, 4].as_slice(), [1, 6].as_slice()));
    assert!(std::sync::Arc::ptr_eq(view.allocation(), uploaded.allocation()));
}

#[test]
fn memory_is_returned() {
    let gpu = block_on(Gpu::with_default_limits()).unwrap();
    let tensor = gpu.upload(&floats(1, &[1000])).unwrap();
    assert_eq!((gpu.bytes_in_use(), gpu.peak_bytes()), (4000, 4000));
    let call = Call::new("neg").tensor_arg("input", tensor);
    let results = block_on(gpu.run("neg", &call)).unwrap();
    assert_eq!(gpu.bytes_in_use(), 8000);
    drop((call, results));
    assert_eq!(gpu.bytes_in_use(), 0);
    assert!(gpu.peak_bytes() >= 8000);
}

/// Else a kernel that writes nothing would be credited with the right result that lay there before.
#[test]
fn memory_used_again_is_cleared() {
    let mut gpu = block_on(Gpu::with_default_limits()).unwrap();
    let right = exp(&gpu, "exp").unwrap();
    assert!(right.iter().all(|&value| value != 0.0));
    let all = "i >= params.count";
    let idle = shader_text("unary").unwrap();
    assert!(idle.contains(all));
    let idle = idle.replace(all, "i >= 0u");
    gpu.set_overrides(vec![instead_of_exp(&idle, None)]).unwrap();
    let call = Call::new("exp").tensor_arg("input", gpu.upload(&floats(3, &[2])).unwrap());
    let first = block_on(gpu.run("exp", &call)).unwrap().remove(0);
    drop(first);
    let second = block_on(gpu.run("exp", &call)).unwrap().remove(0);
    assert!(second.allocation().is_used(), "no memory was used again, so this test would see nothing");
    assert_eq!(exp(&gpu, "exp").unwrap(), vec![0.0; right.len()]);
}

#[test]
fn unknown_operators_and_wrong_arguments_are_named() {
    let error = block_on(gpu().run("x", &Call::new("nonsense"))).unwrap_err();
    assert_eq!(error.to_string(), "operator 'nonsense' is not in the vocabulary");
    let tensors = [("input", floats(1, &[3]).into()), ("other", floats(1, &[2]).into())];
    let error = run(&call("add", &tensors, &[])).unwrap_err();
    assert!(error.to_string().contains("does not broadcast"), "{error}");
}

#[test]
fn too_large_tensors_say_what_they_need() {
    let shape = [1 << 20, 64];
    let expanded = Strided::view(floats(1, &[1]), &shape, &[0, 0], 0);
    let error = run(&call("neg", &[("input", expanded)], &[])).unwrap_err();
    let GpuError::DoesNotFit { limit, needed, offered, .. } = &error else { panic!("{error}") };
    assert_eq!((*limit, *needed, *offered), ("maxStorageBufferBindingSize", 1 << 28, 1 << 27));
}

#[test]
fn a_result_of_more_elements_than_an_address_holds_is_refused() {
    let side = 1usize << 40;
    let tall = Strided::view(floats(1, &[1]), &[side, 1], &[0, 0], 0);
    let wide = Strided::view(floats(1, &[1]), &[1, side], &[0, 0], 0);
    let uploaded = call("add", &[("input", tall), ("other", wide)], &[]).map_tensors(Strided::upload);
    let error = block_on(gpu().run("test", &uploaded)).unwrap_err();
    assert!(matches!(error, GpuError::DoesNotFit { needed: u64::MAX, .. }), "{error}");
}

#[test]
fn an_override_changes_only_the_operators_it_names() {
    let mut gpu = block_on(Gpu::with_default_limits()).unwrap();
    let right = exp(&gpu, "layers.1.act").unwrap();
    let broken = shader_text("unary").unwrap().replace("return exp_f32(x)", "return exp_f32(x) + 1.0");
    gpu.set_overrides(vec![instead_of_exp(&broken, Some("layers.1.*"))]).unwrap();
    assert_eq!(exp(&gpu, "layers.1.act").unwrap(), [2.0, right[1] + 1.0]);
    assert_eq!(exp(&gpu, "layers.10.act").unwrap(), right);
    gpu.set_overrides(vec![instead_of_exp(&broken, None)]).unwrap();
    assert_eq!(exp(&gpu, "layers.10.act").unwrap()[0], 2.0);
    gpu.set_overrides(vec![]).unwrap();
    assert_eq!(exp(&gpu, "layers.1.act").unwrap(), right);
}

#[test]
fn an_override_that_does_not_compile_is_reported_with_its_line() {
    let mut gpu = block_on(Gpu::with_default_limits()).unwrap();
    let broken = shader_text("unary").unwrap().replace("return exp_f32(x)", "return exp_f32(y)");
    let line = broken.lines().position(|line| line.contains("exp_f32(y)")).unwrap() as u32 + 1;
    gpu.set_overrides(vec![instead_of_exp(&broken, None)]).unwrap();
    // Twice: a broken kernel must not be taken from the cache.
    for _ in 0..2 {
        let error = exp(&gpu, "act").unwrap_err();
        let GpuError::Shader { kernel, line: found, message, .. } = &error else { panic!("{error}") };
        assert_eq!((kernel.as_str(), *found), ("unary", Some(line)), "{message}");
        assert!(message.contains('y'), "{message}");
    }
    gpu.set_overrides(vec![]).unwrap();
    assert!(exp(&gpu, "act").is_ok());
}

#[test]
fn an_override_that_leaves_bindings_unused_still_runs() {
    let mut gpu = block_on(Gpu::with_default_limits()).unwrap();
    let nan = "@compute @workgroup_size(WORKGROUP) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        if (id.x < params.count) { result_store(id.x, not_a_number()); } }";
    gpu.set_overrides(vec![instead_of_exp(nan, None)]).unwrap();
    assert!(exp(&gpu, "act").unwrap().iter().all(|value| value.is_nan()));
}

#[test]
fn overrides_are_checked_when_set() {
    let mut gpu = block_on(Gpu::with_default_limits()).unwrap();
    let unknown = KernelOverride { kernel: "nonsense".to_owned(), wgsl: String::new(), only: None };
    let error = gpu.set_overrides(vec![unknown]).unwrap_err();
    assert!(error.to_string().starts_with("there is no kernel 'nonsense'; the kernels are copy, pack, "), "{error}");
    let error = gpu.set_overrides(vec![instead_of_exp("", Some("a[b"))]).unwrap_err();
    assert!(matches!(error, GpuError::Glob { .. }), "{error}");
}

#[test]
fn a_kernel_that_breaks_the_rules_of_webgpu_is_named() {
    let mut gpu = block_on(Gpu::with_default_limits()).unwrap();
    // Compiles, but as a pipeline it exceeds the limit of 256 invocations.
    let greedy = "@compute @workgroup_size(WORKGROUP, 2) fn main() { result_store(0u, input_load(0u)); }";
    gpu.set_overrides(vec![instead_of_exp(greedy, None)]).unwrap();
    let error = exp(&gpu, "layers.3.act").unwrap_err();
    let GpuError::Validation(failure) = &error else { panic!("{error}") };
    assert_eq!((failure.op.as_str(), failure.id.as_str(), failure.kernel.as_str()), ("exp", "layers.3.act", "unary"));
}

#[test]
fn a_lost_device_says_so_ever_after() {
    let gpu = block_on(Gpu::with_default_limits()).unwrap();
    let tensor = gpu.upload(&floats(1, &[3])).unwrap();
    assert_eq!(gpu.lost(), None);
    gpu.device.destroy();
    // The callback comes with the next poll.
    gpu.wait();
    let reason = gpu.lost().expect("destroying a device loses it");
    assert!(matches!(exp(&gpu, "x"), Err(GpuError::Lost(text)) if text == reason));
    assert!(matches!(block_on(gpu.download(&tensor)), Err(GpuError::Lost(_))));
    assert!(matches!(block_on(gpu.finish()), Err(GpuError::Lost(_))));
}

#[test]
fn info_names_the_adapter_and_its_limits() {
    let info = gpu().info();
    assert!(!info.name.is_empty() && !info.backend.is_empty());
    assert_eq!(info.limits.max_storage_buffers_per_shader_stage, 8);
    assert_eq!(info.limits.max_compute_workgroup_storage_size, 16_384);
    let text = serde_json::to_string(info).unwrap();
    assert_eq!(&serde_json::from_str::<crate::webgpu::GpuInfo>(&text).unwrap(), info);
}
