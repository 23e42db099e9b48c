//! Runs a call on the GPU and in the oracle, and compares.

use crate::graph::{Arg, Call};
use crate::operators::{self, Definition};
use crate::oracle::Array;
use crate::tensor::{DType, HostTensor, Layout, ulp_size};
use crate::webgpu::{Gpu, GpuError, GpuTensor};
use std::sync::OnceLock;

/// One device for all tests, with default limits: a kernel that needs more fails here.
pub(super) fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        pollster::block_on(Gpu::with_default_limits()).expect("tests need a Vulkan, Metal or DX12 adapter")
    })
}

/// A tensor as a view of stored data.
#[derive(Clone, Debug)]
pub(super) struct Strided {
    pub(super) base: HostTensor,
    pub(super) layout: Layout,
}

impl From<HostTensor> for Strided {
    fn from(base: HostTensor) -> Self {
        Strided { layout: Layout::contiguous(base.shape()), base }
    }
}

impl Strided {
    pub(super) fn view(base: HostTensor, shape: &[usize], strides: &[usize], offset: usize) -> Self {
        Strided { base, layout: Layout { shape: shape.to_vec(), strides: strides.to_vec(), offset } }
    }

    pub(super) fn host(&self) -> HostTensor {
        self.base.view(&self.layout).unwrap()
    }

    pub(super) fn upload(&self) -> GpuTensor {
        gpu().upload(&self.base).unwrap().with_layout(self.layout.clone()).unwrap()
    }
}

pub(super) fn call(op: &str, tensors: &[(&str, Strided)], args: &[(&str, Arg)]) -> Call<Strided> {
    let call = tensors.iter().fold(Call::new(op), |call, (name, tensor)| call.tensor_arg(name, tensor.clone()));
    args.iter().fold(call, |call, (name, arg)| call.arg(name, arg.clone()))
}

/// Results on the GPU.
pub(super) fn run(call: &Call<Strided>) -> Result<Vec<HostTensor>, GpuError> {
    let uploaded = call.map_tensors(Strided::upload);
    pollster::block_on(async {
        let mut results = Vec::new();
        for result in gpu().run("test", &uploaded).await? {
            results.push(gpu().download(&result).await?);
        }
        Ok(results)
    })
}

/// Results of the oracle.
pub(super) fn oracle(call: &Call<Strided>) -> Vec<Array> {
    let Some(Definition::Kernel(kernel)) = operators::lookup(call.op()) else { panic!("{} has no kernel", call.op()) };
    (kernel.oracle)(&call.map_tensors(|tensor| Array::from_host(&tensor.host()))).unwrap()
}

/// Asserts that each element is as close to the oracle's as `tolerance` says for that value, has the oracle's infinities
/// and NaNs, and that dtype and shape are the oracle's.
pub(super) fn assert_close(call: &Call<Strided>, tolerance: impl Fn(DType, f64) -> f64) {
    assert_close_at(call, |_, dtype, expected| tolerance(dtype, expected));
}

/// [`assert_close`] with a tolerance that also depends on the element's index.
pub(super) fn assert_close_at(call: &Call<Strided>, tolerance: impl Fn(usize, DType, f64) -> f64) {
    let (actual, expected) = (run(call).unwrap(), oracle(call));
    assert_eq!(actual.len(), expected.len());
    for (actual, expected) in actual.iter().zip(&expected) {
        assert_eq!((actual.dtype(), actual.shape()), (expected.dtype, expected.shape.as_slice()), "{}", call.op());
        for (index, (a, e)) in actual.to_f64().into_iter().zip(expected.to_f64()).enumerate() {
            let e = round(expected.dtype, e);
            let fits = if e.is_nan() {
                a.is_nan()
            } else if e.is_infinite() {
                a == e
            } else {
                // WGSL lets a GPU flush subnormal numbers to zero.
                let flushed = e.abs() < f64::from(f32::MIN_POSITIVE) && a == 0.0;
                flushed || (a - e).abs() <= tolerance(index, expected.dtype, e)
            };
            let ulps = (a - e).abs() / ulp_size(expected.dtype, e);
            assert!(fits, "{} element {index}: {a:e}, oracle {e:e} ({ulps:.1} ULP)", call.op());
        }
    }
}

/// [`assert_close`] with a number of units in the last place.
pub(super) fn assert_ulps(call: &Call<Strided>, ulps: f64) {
    assert_close(call, |dtype, expected| ulps * ulp_size(dtype, expected));
}

/// What overflows the dtype is an infinity in it.
fn round(dtype: DType, value: f64) -> f64 {
    let limit = match dtype {
        DType::F32 => 3.402_823_567_797_337e38,
        DType::F16 => 65_520.0,
        DType::BF16 => 3.396e38,
        _ => return value,
    };
    if value.abs() >= limit { f64::INFINITY.copysign(value) } else { value }
}

/// Numbers that look random, roughly normal, always the same.
pub(super) fn normal(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut uniform = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(|_| (0..6).map(|_| uniform() - 0.5).sum::<f64>() * std::f64::consts::SQRT_2).collect()
}

pub(super) fn floats(seed: u64, shape: &[usize]) -> HostTensor {
    typed(DType::F32, seed, shape)
}

pub(super) fn typed(dtype: DType, seed: u64, shape: &[usize]) -> HostTensor {
    HostTensor::from_f64(dtype, shape, &normal(seed, shape.iter().product())).unwrap()
}

pub(super) fn f32s(values: &[f32]) -> Strided {
    HostTensor::from_f32(&[values.len()], values).unwrap().into()
}

pub(super) fn i64s(values: &[i64]) -> Strided {
    HostTensor::from_i64(&[values.len()], values).unwrap().into()
}
