//! How fast kernels are on this machine's GPU. Not a test of anything: a software adapter would take minutes.

use super::harness::*;
use super::matmul::quantized;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, HostTensor};
use crate::webgpu::{Gpu, GpuTensor};
use pollster::block_on;
use std::time::Instant;

/// Repetitions that are timed together.
const REPEATS: u32 = 20;

fn milliseconds(gpu: &Gpu, call: &Call<GpuTensor>) -> f64 {
    block_on(async {
        // Compiles.
        gpu.run("speed", call).await.unwrap();
        gpu.finish().await.unwrap();
        let start = Instant::now();
        for _ in 0..REPEATS {
            gpu.run("speed", call).await.unwrap();
        }
        gpu.finish().await.unwrap();
        start.elapsed().as_secs_f64() * 1e3 / f64::from(REPEATS)
    })
}

/// Prints time, and `work` (operations or bytes) per second in units of 10^9.
fn report(gpu: &Gpu, name: &str, op: &str, tensors: &[(&str, HostTensor)], args: &[(&str, Arg)], work: f64) {
    let tensors: Vec<_> = tensors.iter().map(|(name, tensor)| (*name, Strided::from(tensor.clone()))).collect();
    let uploaded = call(op, &tensors, args).map_tensors(|tensor| gpu.upload(&tensor.base).unwrap());
    let time = milliseconds(gpu, &uploaded);
    println!("{name:44} {time:9.3} ms {:9.1} G/s", work / time / 1e6);
}

#[test]
#[ignore = "prints times; run it on a real GPU with --ignored --nocapture"]
fn speed() {
    let gpu = block_on(Gpu::new()).unwrap();
    println!("{} ({}), driver {}", gpu.info().name, gpu.info().backend, gpu.info().driver);
    for n in [256, 1024, 2048, 4096] {
        let square = |seed| floats(seed, &[n, n]);
        let work = 2.0 * (n as f64).powi(3);
        report(&gpu, &format!("matmul f32 {n}"), "matmul", &[("input", square(1)), ("other", square(2))], &[], work);
        report(&gpu, &format!("linear f32 {n}"), "linear", &[("input", square(1)), ("weight", square(2))], &[], work);
    }
    for rows in [1, 4, 8, 64, 512] {
        let width = 4096;
        let mut weights = quantized(&[width, width]);
        weights.extend([DType::F32, DType::F16, DType::BF16].map(|dtype| typed(dtype, 2, &[width, width])));
        for weight in weights {
            let name = format!("linear {} [{rows}, {width}]", weight.dtype());
            let work = 2.0 * (rows * width * width) as f64;
            report(&gpu, &name, "linear", &[("input", floats(1, &[rows, width])), ("weight", weight)], &[], work);
        }
    }
    for (rows, keys) in [(1, 2048), (512, 512), (2048, 2048)] {
        let of = |seed, length| floats(seed, &[1, 16, length, 64]);
        let tensors = [("query", of(1, rows)), ("key", of(2, keys)), ("value", of(3, keys))];
        let work = 4.0 * (16 * rows * keys * 64) as f64;
        let name = format!("attention 16 heads of 64, {rows} x {keys}");
        report(&gpu, &name, "scaled_dot_product_attention", &tensors, &[], work);
    }
    let wide = floats(1, &[4096, 4096]);
    let bytes = (2 * 4 * 4096 * 4096) as f64;
    for op in ["exp", "sin", "silu", "gelu", "neg"] {
        report(&gpu, &format!("{op} 4096 x 4096 (bytes)"), op, &[("input", wide.clone())], &[], bytes);
    }
    let shape = ("normalized_shape", Arg::Ints(vec![4096]));
    for (op, args) in [("softmax", ("dim", Arg::Int(-1))), ("layer_norm", shape.clone()), ("rms_norm", shape)] {
        report(&gpu, &format!("{op} 4096 x 4096 (bytes)"), op, &[("input", wide.clone())], &[args], bytes);
    }
    report(&gpu, "sum 4096 x 4096 (bytes)", "sum", &[("input", wide.clone())], &[("dim", Arg::Int(1))], bytes / 2.0);
    report(&gpu, "add 4096 x 4096 (bytes)", "add", &[("input", wide.clone()), ("other", wide)], &[], bytes * 1.5);
}
