//! Attention.

use crate::graph::{Call, OpError};
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::Pass;
use crate::webgpu::shaders::{self, Shader};
use crate::webgpu::space::broadcast_strides;
use crate::webgpu::{GpuError, GpuTensor};

/// Largest head size: an invocation keeps its part of a row of the result in registers.
const MAX_HEAD: usize = 256;
/// With fewer rows, tiles would be mostly empty.
const FEW_ROWS: usize = 8;

/// What `MASK` can be in scaled_dot_product_attention.wgsl.
const MASKS: &[&str] = &["NO_MASK", "FLOAT_MASK", "BOOL_MASK"];

/// `torch.nn.functional.scaled_dot_product_attention`, one workgroup per row of the result.
///
/// Scores are never stored: keys come in chunks of `KEYS`, and sums are rescaled when a larger score is met (Milakov and
/// Gimelshein, "Online normalizer calculation for softmax", arXiv 1805.02867).
///
/// # Errors
/// When heads are larger than 256, or memory runs out.
pub fn scaled_dot_product_attention(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let [query, key, value] = [call.tensor("query")?, call.tensor("key")?, call.tensor("value")?];
    let output = pass.result()?;
    // The signature has checked that all have the same rank, at least 3.
    let batch = query.layout().rank() - 3;
    let [heads, rows, width] = [query.shape()[batch], query.shape()[batch + 1], query.shape()[batch + 2]];
    let [key_heads, keys, value_width] = [key.shape()[batch], key.shape()[batch + 1], value.shape()[batch + 2]];
    if width.max(value_width) > MAX_HEAD {
        let what = format!("a head of {} elements (at most {MAX_HEAD})", width.max(value_width));
        return Err(OpError::Unsupported { op: call.op().to_owned(), what, by: "WebGPU" }.into());
    }
    let scale = call.float("scale", 1.0 / (width as f64).sqrt())?;
    let batches: usize = query.shape()[..batch].iter().product();
    // The shader, its workgroup, rows per workgroup, and columns of the result in a slot.
    let (shader, workgroup, tile, slot): (&'static Shader, _, _, _) = if rows < FEW_ROWS {
        (&shaders::SCALED_DOT_PRODUCT_ATTENTION_ROWS, 64, 1, 64)
    } else {
        (&shaders::SCALED_DOT_PRODUCT_ATTENTION, 256, 16, 32)
    };
    let groups = batches * heads * rows.div_ceil(tile);
    let mut dispatch = Dispatch::new(shader, workgroup)
        .constant("CAUSAL", call.bool("is_causal", false)?)
        .constant("WIDTH", format!("{}u", width.max(1)))
        .constant("VALUE_SLOTS", format!("{}u", value_width.div_ceil(slot).max(1)))
        .space("batch", &query.shape()[..batch])
        .space("head", &[heads])
        .space("row", &[rows])
        .space("key", &[keys])
        .space("column", &[width])
        .scalar("scale", Scalar::Float(scale as f32))
        .size("heads", heads)
        .size("group", heads / key_heads.max(1))
        .size("row_count", rows)
        .size("key_count", keys)
        .size("value_width", value_width)
        .size("total", groups)
        .groups(groups);
    for (name, tensor, along) in [("query", query, "row"), ("key", key, "key"), ("value", value, "key")] {
        let strides = &tensor.layout().strides;
        let access: [(&str, &[usize]); 4] = [
            ("batch", &strides[..batch]),
            ("head", &strides[batch..=batch]),
            (along, &strides[batch + 1..batch + 2]),
            ("column", &strides[batch + 2..]),
        ];
        dispatch = dispatch.read_as(name, tensor, Seen::Float, &access);
    }
    // Without a mask the query stands in its binding and is never read.
    let mask = call.opt_tensor("attn_mask")?;
    let kind = mask.map_or("NO_MASK", |mask| if mask.dtype().is_float() { "FLOAT_MASK" } else { "BOOL_MASK" });
    let scores = [&query.shape()[..=batch], &[rows, keys]].concat();
    let strides = match mask {
        Some(mask) => broadcast_strides(mask.shape(), &mask.layout().strides, &scores),
        None => vec![0; scores.len()],
    };
    let access: [(&str, &[usize]); 4] = [
        ("batch", &strides[..batch]),
        ("head", &strides[batch..=batch]),
        ("row", &strides[batch + 1..batch + 2]),
        ("key", &strides[batch + 2..]),
    ];
    dispatch = dispatch.choice("MASK", MASKS, kind).read_as("mask", mask.unwrap_or(query), Seen::Float, &access);
    let strides = output.words().layout().strides.clone();
    let access: [(&str, &[usize]); 4] = [
        ("batch", &strides[..batch]),
        ("head", &strides[batch..=batch]),
        ("row", &strides[batch + 1..batch + 2]),
        ("column", &strides[batch + 2..]),
    ];
    pass.dispatch(dispatch.write("result", &output, &access))?;
    pass.finish(output)
}
