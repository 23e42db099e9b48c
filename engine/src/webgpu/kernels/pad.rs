//! Padding, parts written into a tensor, and differences of neighbours.

use super::movement::copy;
use super::rearrange::{Steps, copy_box};
use crate::graph::signatures::pad::{PadMode, differences, pad_value, padding, written};
use crate::graph::{Call, OpError};
use crate::tensor::{DType, HostTensor, Layout};
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::space::broadcast_strides;
use crate::webgpu::{GpuError, GpuTensor, shaders};

type Tensors = Result<Vec<GpuTensor>, GpuError>;

/// `pad` and `constant_pad_nd`. Along each padded dimension the result falls in up to three runs, before, inside and after; each
/// combination of runs is a box that is copied.
///
/// # Errors
/// When the value has no form on the GPU, or memory runs out.
pub fn pad(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let layout = input.layout();
    let (mode, by_dim) = padding(call, &layout.shape)?;
    if mode == PadMode::Constant && by_dim.iter().flatten().any(|&count| count > 0) {
        fill(pass, &output, number(pad_value(call)?, input.dtype())?)?;
    }
    let to = output.words().layout().strides.clone();
    let mut boxes = vec![(0, Steps { offset: layout.offset, strides: Vec::new() }, Vec::new())];
    for (dim, &pad) in by_dim.iter().enumerate() {
        let (stride, step) = (layout.strides[dim] as isize, to[dim]);
        let runs = runs(mode, pad, layout.shape[dim]);
        let cut = |(start, from, sizes): (usize, Steps, Vec<usize>)| {
            let part = move |run: &PadRun| {
                let mut from = from.clone();
                from.offset = from.offset.wrapping_add_signed(run.from as isize * stride);
                from.strides.push(run.step * stride);
                let sizes: Vec<usize> = sizes.iter().copied().chain([run.count]).collect();
                (start + run.to * step, from, sizes)
            };
            runs.iter().map(part).collect::<Vec<_>>()
        };
        boxes = boxes.into_iter().flat_map(cut).collect();
    }
    for (start, from, sizes) in boxes {
        let place = output.part(Layout { shape: Vec::new(), strides: Vec::new(), offset: start })?;
        copy_box(pass, input, &from, &place, &to, &sizes)?;
    }
    pass.finish(output)
}

/// `count` elements of the result from `to` on, read from `from` on with `step`.
#[derive(Clone, Copy, Debug)]
struct PadRun {
    to: usize,
    count: usize,
    from: usize,
    step: isize,
}

/// The runs of one dimension that hold any element. The signature has checked that they stay inside.
fn runs(mode: PadMode, [before, after]: [i64; 2], size: usize) -> Vec<PadRun> {
    let count = |value: i64| usize::try_from(value).unwrap_or(0);
    let (cut_before, cut_after) = (count(-before), count(-after));
    let (before, after) = (count(before), count(after));
    let kept = size - cut_before - cut_after;
    let end = cut_before + kept;
    let mut runs = vec![PadRun { to: before, count: kept, from: cut_before, step: 1 }];
    let edges = match mode {
        PadMode::Constant => None,
        PadMode::Reflect => Some(((before, -1), (size.saturating_sub(2), -1))),
        PadMode::Replicate => Some(((0, 0), (size.saturating_sub(1), 0))),
        PadMode::Circular => Some(((end - before.min(end), 1), (cut_before, 1))),
    };
    if let Some(((first, first_step), (last, last_step))) = edges {
        runs.push(PadRun { to: 0, count: before, from: first, step: first_step });
        runs.push(PadRun { to: before + kept, count: after, from: last, step: last_step });
    }
    runs.retain(|run| run.count > 0);
    runs
}

/// Stores one number everywhere in a result.
pub(super) fn fill(pass: &mut Pass<'_>, output: &Output, value: Scalar) -> Result<(), GpuError> {
    pass.dispatch(
        Dispatch::new(&shaders::COPY, ELEMENTWISE)
            .space("element", output.shape())
            .constant_operand("input", value)
            .write("result", output, &[("element", &output.words().layout().strides)])
            .invocations(output.numel(), ELEMENTWISE),
    )
}

/// A number as an element of `dtype`, as kernels see it.
///
/// # Errors
/// When the integer is wider than 32 bits.
pub(super) fn number(value: f64, dtype: DType) -> Result<Scalar, GpuError> {
    if dtype.is_float() {
        let rounded = HostTensor::from_f64(dtype, &[1], &[value])?.to_f64();
        return Ok(Scalar::Float(rounded.first().map_or(value, |&value| value) as f32));
    }
    if dtype == DType::Bool {
        return Ok(Scalar::Integer(i32::from(value != 0.0)));
    }
    let integer = value as i64;
    i32::try_from(integer).map(Scalar::Integer).map_err(|_| GpuError::IntegerRange { index: 0, value: integer })
}

/// `slice_scatter` and `select_scatter`.
///
/// # Errors
/// When memory runs out.
pub fn overwrite(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let (input, src) = (call.tensor("input")?, call.tensor("src")?);
    let output = pass.result()?;
    copy(pass, input, &output)?;
    let run = written(call, input.shape())?;
    let whole = output.words().layout();
    let mut part = whole.clone();
    part.offset += run.start * whole.strides[run.dim];
    part.shape[run.dim] = run.count;
    part.strides[run.dim] *= run.step;
    let Layout { mut shape, mut strides, offset } = src.layout().clone();
    if call.op() == "select_scatter" {
        shape.insert(run.dim, 1);
        strides.insert(run.dim, 0);
    }
    let strides = broadcast_strides(&shape, &strides, &part.shape);
    let from = Steps::of(&Layout { shape: Vec::new(), strides, offset });
    if part.numel() > 0 {
        let place = output.part(part.clone())?;
        copy_box(pass, src, &from, &place, &part.strides, &part.shape)?;
    }
    pass.finish(output)
}

/// The most differences of differences: each is a dispatch, and nobody takes a hundred.
const MAX_DIFFERENCES: usize = 64;

/// `torch.diff(input, n, dim, prepend, append)`.
///
/// # Errors
/// When `n` is too large, or memory runs out.
pub fn diff(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let (n, dim) = differences(call, input.shape().len())?;
    let output = pass.result()?;
    if n == 0 {
        copy(pass, input, &output)?;
    }
    if n == 0 || output.numel() == 0 {
        return pass.finish(output);
    }
    if n > MAX_DIFFERENCES {
        let what = format!("n = {n}, more than {MAX_DIFFERENCES},");
        return Err(OpError::Unsupported { op: call.op().to_owned(), what, by: "WebGPU" }.into());
    }
    let parts = [call.opt_tensor("prepend")?, Some(input), call.opt_tensor("append")?];
    let mut values = input.clone();
    let mut shape = output.shape().to_vec();
    shape[dim] += n;
    if shape != input.shape() || input.dtype() != output.words().dtype() {
        let joined = pass.scratch_output(output.words().dtype(), &shape)?;
        let whole = joined.words().layout().clone();
        let mut offset = 0;
        for part in parts.into_iter().flatten() {
            let layout = Layout { shape: part.shape().to_vec(), strides: whole.strides.clone(), offset };
            offset += part.shape()[dim] * whole.strides[dim];
            if part.numel() > 0 {
                copy(pass, part, &joined.part(layout)?)?;
            }
        }
        values = joined.words().clone();
    }
    for step in 0..n {
        shape[dim] -= 1;
        let last = step + 1 == n;
        let scratch = if last { None } else { Some(pass.scratch_output(output.words().dtype(), &shape)?) };
        subtract(pass, &values, dim, scratch.as_ref().unwrap_or(&output))?;
        if let Some(scratch) = scratch {
            values = scratch.words().clone();
        }
    }
    pass.finish(output)
}

/// Each element less the one before it along `dim`.
fn subtract(pass: &mut Pass<'_>, values: &GpuTensor, dim: usize, output: &Output) -> Result<(), GpuError> {
    let Layout { strides, offset, .. } = values.layout().clone();
    let at = |offset| values.with_layout(Layout { shape: Vec::new(), strides: Vec::new(), offset });
    let (before, after) = (at(offset)?, at(offset + strides[dim])?);
    let floats = output.words().dtype().is_float();
    let seen = if floats { Seen::Float } else { Seen::Integer };
    pass.dispatch(
        Dispatch::new(&shaders::DIFF, ELEMENTWISE)
            .constant("FLOATS", floats)
            .constant("BOOLEAN", output.words().dtype() == DType::Bool)
            .space("element", output.shape())
            .read_as("before", &before, seen, &[("element", &strides)])
            .read_as("after", &after, seen, &[("element", &strides)])
            .write("result", output, &[("element", &output.words().layout().strides)])
            .invocations(output.numel(), ELEMENTWISE),
    )
}
