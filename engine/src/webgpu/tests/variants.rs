//! Every variant of every kernel is WGSL that any implementation takes.

use super::extremum;
use super::harness::*;
use super::matmul::quantized;
use super::scan;
use crate::graph::{Arg, Call, Value};
use crate::operators::{self, Definition};
use crate::tensor::{DType, HostTensor};
use crate::webgpu::run::metas;
use crate::webgpu::{GpuTensor, Pass, shaders};
use std::collections::BTreeSet;
use std::process::Command;

/// Calls that together make every kernel in every form: dtypes, optional arguments, ranks, sizes.
fn calls() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    let floats = [DType::F32, DType::F16, DType::BF16];
    let integers = [DType::I64, DType::I32, DType::I16, DType::I8, DType::U8, DType::Bool];
    for dtype in floats.into_iter().chain(integers) {
        let of = |shape: &[usize]| Strided::from(typed(dtype, 1, shape));
        // Three dimensions that do not merge, and a scalar.
        let view = Strided::view(typed(dtype, 1, &[4, 3, 2]), &[2, 3, 4], &[1, 2, 6], 0);
        for input in [of(&[5]), view.clone()] {
            for op in ["add", "sub", "mul", "div", "le", "eq"] {
                // PyTorch has no difference of truth values.
                if op == "sub" && dtype == DType::Bool {
                    continue;
                }
                calls.push(call(op, &[("input", input.clone()), ("other", of(&[1]))], &[]));
                calls.push(call(op, &[("input", input.clone())], &[("other", Arg::Int(2))]));
                calls.push(call(op, &[("input", input.clone())], &[("other", Arg::Float(0.5))]));
            }
            calls.push(call("pow", &[("input", input.clone()), ("exponent", of(&[1]))], &[]));
            calls.push(call("pow", &[("input", input.clone())], &[("exponent", Arg::Int(2))]));
            for op in ["neg", "rsqrt", "sqrt", "cos", "sin", "exp", "tanh", "sigmoid", "silu", "relu", "clone"] {
                calls.push(call(op, &[("input", input.clone())], &[]));
            }
            for approximate in ["none", "tanh"] {
                let args = [("approximate", Arg::Str(approximate.to_owned()))];
                calls.push(call("gelu", &[("input", input.clone())], &args));
            }
            calls.push(call("clamp", &[("input", input.clone())], &[("min", Arg::Int(0))]));
            for target in floats.into_iter().chain(integers) {
                calls.push(call("to", &[("input", input.clone())], &[("dtype", Arg::Str(target.name().to_owned()))]));
            }
            for condition in [true, false] {
                let condition = HostTensor::from_bool(&[1], &[condition]).unwrap().into();
                let tensors = [("condition", condition), ("input", input.clone()), ("other", of(&[]))];
                calls.push(call("where", &tensors, &[]));
            }
        }
        calls.extend(super::rearrange::variants(dtype));
        calls.extend(super::index::variants(dtype));
        calls.push(Call::new("cat").with("tensors", Value::Tensors(vec![of(&[2, 3]), of(&[1, 3])])));
        for op in ["sum", "mean", "linalg_vector_norm", "argmax"] {
            for length in [3, 20, 100, 300, 3000] {
                calls.push(call(op, &[("input", of(&[2, length]))], &[("dim", Arg::Int(1))]));
            }
            calls.push(call(op, &[("input", view.clone())], &[("dim", Arg::Int(1))]));
        }
        calls.extend(extremum::calls(dtype));
        calls.extend(scan::calls(dtype));
        for length in [3, 50, 200, 600] {
            calls.push(call("softmax", &[("input", of(&[2, length]))], &[("dim", Arg::Int(1))]));
            let shape = ("normalized_shape", Arg::Ints(vec![length as i64]));
            let weighted = [("input", of(&[2, length])), ("weight", of(&[length])), ("bias", of(&[length]))];
            for count in [1, 2, 3] {
                calls.push(call("layer_norm", &weighted[..count], std::slice::from_ref(&shape)));
            }
            for count in [1, 2] {
                calls.push(call("rms_norm", &weighted[..count], std::slice::from_ref(&shape)));
            }
        }
    }
    for dtype in floats {
        let of = |shape: &[usize]| Strided::from(typed(dtype, 1, shape));
        let mut weights = quantized(&[4, 32]);
        weights.extend(floats.map(|weight| typed(weight, 2, &[4, 32])));
        for rows in [1, 2, 3, 4, 9, 20, 40, 60] {
            for weight in &weights {
                let tensors = [("input", of(&[rows, 32])), ("weight", weight.clone().into()), ("bias", of(&[4]))];
                calls.push(call("linear", &tensors[..2], &[]));
                calls.push(call("linear", &tensors, &[]));
            }
            let transposed = Strided::view(typed(dtype, 3, &[2, 5, 6]), &[2, 6, 5], &[30, 1, 6], 0);
            for other in [of(&[2, 6, 5]), transposed] {
                calls.push(call("matmul", &[("input", of(&[2, rows, 6])), ("other", other)], &[]));
            }
        }
        let indices = HostTensor::from_i64(&[2], &[1, 0]).unwrap();
        for weight in weights {
            calls.push(call("embedding", &[("weight", weight.into()), ("indices", indices.clone().into())], &[]));
        }
        for width in [8, 70, 130, 200, 256] {
            let masks = [typed(DType::Bool, 4, &[1, 5]), typed(DType::F32, 5, &[3, 5]), typed(dtype, 5, &[9, 5])];
            for rows in [1, 3, 9] {
                let of = |seed, length| Strided::from(typed(dtype, seed, &[1, 2, length, width]));
                let tensors = vec![("query", of(1, rows)), ("key", of(2, 5)), ("value", of(3, 5))];
                for causal in [true, false] {
                    calls.push(call("scaled_dot_product_attention", &tensors, &[("is_causal", Arg::Bool(causal))]));
                }
                for mask in masks.iter().filter(|mask| [1, rows].contains(&mask.shape()[0])) {
                    let mut tensors = tensors.clone();
                    tensors.push(("attn_mask", mask.clone().into()));
                    calls.push(call("scaled_dot_product_attention", &tensors, &[]));
                }
            }
        }
    }
    calls.extend(super::products::variants());
    calls.extend(super::eight_bit::variants());
    calls.extend(super::grouped::variants());
    calls.extend(super::functions::variants());
    calls.extend(super::activation::variants());
    calls.extend(super::remainder::variants());
    calls.extend(super::convolution::variants());
    calls.extend(super::pooling::variants());
    calls.extend(super::creation::variants());
    calls.extend(super::normalization::variants());
    calls.extend(super::variance::variants());
    calls
}

#[test]
fn every_variant_is_valid_wgsl() {
    let calls = calls();
    let called: BTreeSet<&str> = calls.iter().map(Call::op).collect();
    for kernel in operators::KERNELS {
        assert!(called.contains(kernel.signature.name), "no variant of {} is tried", kernel.signature.name);
    }
    let mut texts = BTreeSet::new();
    for call in &calls {
        texts.extend(expand(&call.map_tensors(Strided::upload)));
    }
    for name in shaders::names() {
        let body = shaders::shader_text(name).unwrap();
        assert!(texts.iter().any(|text| text.starts_with(body)), "no variant of {name} was made");
    }
    let mut problems: Vec<String> = texts.iter().filter_map(|text| naga_error(text)).collect();
    if let Some(tint) = std::env::var_os("TINT") {
        problems.extend(texts.iter().filter_map(|text| tint_error(&tint, text)));
    }
    assert!(problems.is_empty(), "{} of {} variants:\n{}", problems.len(), texts.len(), problems.join("\n"));
    println!("{} variants", texts.len());
}

/// The WGSL that a call would run.
fn expand(call: &Call<GpuTensor>) -> Vec<String> {
    let Some(Definition::Kernel(kernel)) = operators::lookup(call.op()) else { panic!("{} has no kernel", call.op()) };
    let results = kernel.signature.check(&metas(call)).unwrap();
    let mut pass = Pass::new(gpu(), "test", results);
    (kernel.webgpu)(&mut pass, call).unwrap_or_else(|error| panic!("{}: {error}", call.op()));
    pass.texts()
}

/// What naga says against a text, with no feature beyond WebGPU's base.
fn naga_error(text: &str) -> Option<String> {
    use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
    let module = match wgpu::naga::front::wgsl::parse_str(text) {
        Ok(module) => module,
        Err(error) => return Some(error.emit_to_string(text)),
    };
    let outcome = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
    outcome.err().map(|error| error.emit_to_string(text))
}

/// What tint, the compiler of Chromium, says against a text; its path stands in the environment variable TINT.
fn tint_error(tint: &std::ffi::OsStr, text: &str) -> Option<String> {
    let file = tempfile::Builder::new().suffix(".wgsl").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let output = Command::new(tint).args(["--format", "wgsl"]).arg(file.path()).output().unwrap();
    (!output.status.success()).then(|| format!("{}\n{text}", String::from_utf8_lossy(&output.stderr)))
}
