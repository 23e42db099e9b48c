//! The generated part of a kernel's WGSL: parameters, bindings, and functions that load and store elements.
//!
//! For an operand `NAME` that is read, a kernel can call
//! - `NAME_at(position)`: the element at a position of the buffer, as f32 or i32;
//! - `NAME_bits_at(position)`: its bits (those of the f32 where the dtype is a float), for moving it unchanged;
//! - `NAME_SPACE(i)`: what index `i` of an index space adds to the position;
//! - `NAME_load(i, …)` and `NAME_bits(i, …)`: the element at an index of each of its spaces; for an operand without
//!   spaces `i` counts from its first element.
//!
//! For a result `NAME`: `NAME_store_at(position, value)`, `NAME_store_bits_at(position, bits)`, `NAME_store(i, …, value)`
//! and `NAME_store_bits(i, …, bits)`. Of an atomic operand only `NAME_SPACE(i)` and the array `NAME_words`. `out_of_range(i)`
//! makes the operator fail where element `i` of an i64 result is beyond 32 bits; for other results it does nothing.
//! `division_by_zero(i)`, where a kernel has asked for it, makes the operator fail whatever the result. Parameters are `params.…`, `params.NAME_offset` among them.

use super::dispatch::{Dispatch, Operand, Scalar, Seen, Source};
use super::pass::DIVIDED_BY_ZERO;
use super::space::Space;
use crate::tensor::DType;
use std::fmt::Write as _;

/// Loads of `f8_e4m3`.
const E4M3: &str = include_str!("shaders/functions/e4m3.wgsl");

/// Layout parameters (offsets, sizes, strides) with their names, in the order of the generated struct.
pub(crate) fn layout_parameters(dispatch: &Dispatch) -> Vec<(String, usize)> {
    let mut parameters = Vec::new();
    for space in &dispatch.spaces {
        // The outermost size is never needed: the index cannot exceed it.
        for (dim, &size) in space.sizes.iter().enumerate().skip(1) {
            parameters.push((format!("{}_size_{dim}", space.name), size));
        }
    }
    for operand in &dispatch.operands {
        let tensor = match &operand.source {
            Source::Tensor(tensor) | Source::Result(tensor) | Source::Atomic(tensor) => tensor,
            Source::Scalar => continue,
        };
        parameters.push((format!("{}_offset", operand.name), tensor.layout().offset));
        for (space, strides) in &operand.access {
            for (dim, &stride) in strides.iter().enumerate() {
                parameters.push((format!("{}_{space}_stride_{dim}", operand.name), stride));
            }
        }
    }
    parameters
}

/// The whole text: the kernel's own first, then what is generated for this dispatch, then the function files it uses.
pub(crate) fn generate(dispatch: &Dispatch, own: &str) -> String {
    let mut text = String::with_capacity(own.len() + 4096);
    text.push_str(own);
    text.push_str("\n// Generated for this use of the kernel.\n");
    for (name, value) in &dispatch.constants {
        line(&mut text, format_args!("const {name} = {value};"));
    }
    parameter_struct(&mut text, dispatch);
    bindings(&mut text, dispatch);
    line(
        &mut text,
        format_args!(
            "fn workgroup_index(workgroup: vec3<u32>) -> u32 {{ return workgroup.y * params.grid_x + workgroup.x; }}\n\
             fn invocation_index(workgroup: vec3<u32>, local: u32) -> u32 {{ return workgroup_index(workgroup) * WORKGROUP + local; }}"
        ),
    );
    for operand in &dispatch.operands {
        let addressed = if matches!(operand.source, Source::Scalar) { &[][..] } else { &operand.access };
        for (space, strides) in addressed {
            if let Some(sizes) = dispatch.spaces.iter().find(|candidate| candidate.name == *space) {
                walk(&mut text, operand.name, sizes, strides);
            }
        }
        match &operand.source {
            Source::Tensor(tensor) => loads(&mut text, operand, tensor.dtype()),
            Source::Result(tensor) => stores(&mut text, operand, tensor.dtype()),
            // The kernel calls WGSL's atomic functions itself.
            Source::Atomic(_) => {}
            Source::Scalar => {
                let (name, ty) = (operand.name, type_name(operand.seen));
                let (indices, _) = indices(operand);
                line(&mut text, format_args!("fn {name}_load({indices}) -> {ty} {{ return params.{name}; }}"));
                line(
                    &mut text,
                    format_args!("fn {name}_bits({indices}) -> u32 {{ return bitcast<u32>(params.{name}); }}"),
                );
            }
        }
    }
    for file in dispatch.shader().functions {
        text.push_str(file);
    }
    if dispatch.tensors().any(|tensor| tensor.dtype() == DType::F8E4M3) {
        text.push_str(E4M3);
    }
    text
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = text.write_fmt(arguments);
    text.push('\n');
}

fn parameter_struct(text: &mut String, dispatch: &Dispatch) {
    text.push_str("struct Params {\n  grid_x: u32,\n");
    for (name, _) in layout_parameters(dispatch) {
        line(text, format_args!("  {name}: u32,"));
    }
    for (name, value) in &dispatch.scalars {
        let ty = match value {
            Scalar::Word(_) => "u32",
            Scalar::Float(_) => "f32",
            Scalar::Integer(_) => "i32",
        };
        line(text, format_args!("  {name}: {ty},"));
    }
    text.push_str("}\n@group(0) @binding(0) var<uniform> params: Params;\n");
}

fn bindings(text: &mut String, dispatch: &Dispatch) {
    let bound = dispatch.operands.iter().filter(|operand| !matches!(operand.source, Source::Scalar));
    for (index, operand) in bound.enumerate() {
        let (access, word) = match operand.source {
            Source::Atomic(_) => ("read_write", "atomic<u32>"),
            Source::Result(_) => ("read_write", "u32"),
            _ => ("read", "u32"),
        };
        let (binding, name) = (index + 1, operand.name);
        line(text, format_args!("@group(0) @binding({binding}) var<storage, {access}> {name}_words: array<{word}>;"));
    }
    if dispatch.is_guarded() {
        let binding = dispatch.tensors().count() + 1;
        line(text, format_args!("@group(0) @binding({binding}) var<storage, read_write> guard: atomic<u32>;"));
    }
    let body = if dispatch.reports_range() { " atomicMin(&guard, i); " } else { "" };
    line(text, format_args!("fn out_of_range(i: u32) {{{body}}}"));
    if dispatch.reports_division() {
        line(text, format_args!("fn division_by_zero(i: u32) {{ atomicMin(&guard, {DIVIDED_BY_ZERO}u | i); }}"));
    }
}

/// `NAME_SPACE(i)`: splits a linear index into coordinates, innermost first, and sums coordinate · stride.
fn walk(text: &mut String, name: &str, space: &Space, strides: &[usize]) {
    let label = space.name;
    line(text, format_args!("fn {name}_{label}(i: u32) -> u32 {{"));
    if strides.is_empty() {
        text.push_str("  return 0u;\n}\n");
        return;
    }
    text.push_str("  var rest = i;\n  var position = 0u;\n");
    for dim in (1..strides.len()).rev() {
        line(text, format_args!("  {{ let outer = rest / params.{label}_size_{dim};"));
        line(
            text,
            format_args!(
                "    position += (rest - outer * params.{label}_size_{dim}) * params.{name}_{label}_stride_{dim};"
            ),
        );
        text.push_str("    rest = outer; }\n");
    }
    line(text, format_args!("  return position + rest * params.{name}_{label}_stride_0;\n}}"));
}

/// Parameters and position of the functions that take one index per space.
fn indices(operand: &Operand) -> (String, String) {
    let name = operand.name;
    if operand.access.is_empty() {
        return ("i: u32".to_owned(), format!("params.{name}_offset + i"));
    }
    let mut parameters = Vec::new();
    let mut position = format!("params.{name}_offset");
    for (space, _) in &operand.access {
        parameters.push(format!("{space}: u32"));
        let _ = write!(position, " + {name}_{space}({space})");
    }
    (parameters.join(", "), position)
}

fn type_name(seen: Seen) -> &'static str {
    match seen {
        Seen::Float => "f32",
        Seen::Integer => "i32",
    }
}

fn loads(text: &mut String, operand: &Operand, dtype: DType) {
    let name = operand.name;
    let ty = type_name(operand.seen);
    if dtype.is_quantized() {
        line(
            text,
            format_args!(
                "fn {name}_byte_of(at: u32) -> u32 {{ return ({name}_words[at / 4u] >> ((at & 3u) * 8u)) & 0xffu; }}\n\
                 fn {name}_half_of(at: u32) -> f32 {{ return bitcast<f32>(f32_bits_of_f16(({name}_words[at / 4u] >> ((at & 2u) * 8u)) & 0xffffu)); }}"
            ),
        );
    }
    line(text, format_args!("fn {name}_bits_at(p: u32) -> u32 {{ {} }}", load_bits(name, operand.seen, dtype)));
    line(text, format_args!("fn {name}_at(p: u32) -> {ty} {{ return bitcast<{ty}>({name}_bits_at(p)); }}"));
    let (parameters, position) = indices(operand);
    line(text, format_args!("fn {name}_bits({parameters}) -> u32 {{ return {name}_bits_at({position}); }}"));
    line(text, format_args!("fn {name}_load({parameters}) -> {ty} {{ return {name}_at({position}); }}"));
}

/// Statements that give the bits of the element at position `p`.
fn load_bits(name: &str, seen: Seen, dtype: DType) -> String {
    match dtype {
        DType::F16 => format!("return f32_bits_of_f16(({name}_words[p / 2u] >> ((p & 1u) * 16u)) & 0xffffu);"),
        DType::BF16 => format!("return (({name}_words[p / 2u] >> ((p & 1u) * 16u)) & 0xffffu) << 16u;"),
        // e5m2 is the upper byte of an f16.
        DType::F8E5M2 => {
            format!("return f32_bits_of_f16((({name}_words[p / 4u] >> ((p & 3u) * 8u)) << 8u) & 0xff00u);")
        }
        DType::F8E4M3 => format!("return f32_bits_of_e4m3(({name}_words[p / 4u] >> ((p & 3u) * 8u)) & 0xffu);"),
        // Element `e` of the block that starts at byte `start`.
        DType::Q4_0 => block(18, &format!("(f32({}) - 8.0) * {name}_half_of(start)", nibble(name, 2))),
        DType::Q4_1 => {
            block(20, &format!("f32({}) * {name}_half_of(start) + {name}_half_of(start + 2u)", nibble(name, 4)))
        }
        DType::Q8_0 => block(
            34,
            &format!("f32(bitcast<i32>({name}_byte_of(start + 2u + e) << 24u) >> 24u) * {name}_half_of(start)"),
        ),
        DType::Q4F16_1 => block(
            18,
            &format!(
                "(f32(({name}_byte_of(start + 2u + e / 2u) >> ((e & 1u) * 4u)) & 15u) - 7.0) * {name}_half_of(start)"
            ),
        ),
        _ if seen == Seen::Float && !dtype.is_float() => {
            format!("return bitcast<u32>(f32(bitcast<i32>({name}_words[p])));")
        }
        _ => format!("return {name}_words[p];"),
    }
}

/// Finds the block of 32 elements and `bytes` bytes in which position `p` lies, and gives the bits of `value`.
fn block(bytes: u32, value: &str) -> String {
    format!("let start = (p / 32u) * {bytes}u; let e = p % 32u; return bitcast<u32>({value});")
}

/// GGUF's order: 16 bytes hold the elements 0 to 15 in their low halves and 16 to 31 in their high ones.
fn nibble(name: &str, header: u32) -> String {
    format!("({name}_byte_of(start + {header}u + e % 16u) >> ((e / 16u) * 4u)) & 15u")
}

fn stores(text: &mut String, operand: &Operand, dtype: DType) {
    let name = operand.name;
    let ty = type_name(operand.seen);
    // Narrow integers wrap as they do in PyTorch.
    let word = match dtype {
        DType::I16 => "bitcast<u32>(bitcast<i32>(bits << 16u) >> 16u)",
        DType::I8 => "bitcast<u32>(bitcast<i32>(bits << 24u) >> 24u)",
        DType::U8 => "bits & 0xffu",
        DType::Bool => "select(0u, 1u, bits != 0u)",
        _ => "bits",
    };
    line(text, format_args!("fn {name}_store_bits_at(p: u32, bits: u32) {{ {name}_words[p] = {word}; }}"));
    line(
        text,
        format_args!("fn {name}_store_at(p: u32, value: {ty}) {{ {name}_store_bits_at(p, bitcast<u32>(value)); }}"),
    );
    let (parameters, position) = indices(operand);
    line(
        text,
        format_args!("fn {name}_store_bits({parameters}, bits: u32) {{ {name}_store_bits_at({position}, bits); }}"),
    );
    line(text, format_args!("fn {name}_store({parameters}, value: {ty}) {{ {name}_store_at({position}, value); }}"));
}
