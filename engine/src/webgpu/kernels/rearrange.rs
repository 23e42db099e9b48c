//! Other shapes, repetitions and orders of one tensor's elements: copies of boxes, read along strides that may be 0 or negative.

use super::movement::copy;
use crate::graph::signatures::rearrange::{flipped, repetitions, rolled};
use crate::graph::views::view_strides;
use crate::graph::{Call, wrap_dim};
use crate::operators;
use crate::tensor::Layout;
use crate::webgpu::dispatch::{Dispatch, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::run::metas;
use crate::webgpu::{GpuError, GpuTensor, shaders};

type Tensors = Result<Vec<GpuTensor>, GpuError>;

/// `reshape`, `flatten`, `contiguous`: the same memory where strides can express the result, a copy elsewhere, as in PyTorch.
///
/// # Errors
/// When memory runs out.
pub fn reshape(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let shape = operators::infer(&metas(call))?.pop().map(|meta| meta.shape).unwrap_or_default();
    let layout = input.layout();
    let wanted = call.op() != "contiguous" || layout.is_contiguous();
    if let Some(strides) = view_strides(layout, &shape).filter(|_| wanted) {
        return Ok(vec![input.with_layout(Layout { shape, strides, offset: layout.offset })?]);
    }
    let output = pass.result()?;
    copy(pass, input, &output.part(Layout::contiguous(input.shape()))?)?;
    pass.finish(output)
}

/// `repeat` and `tile`: each dimension of the result is one of repetitions, which the input does not step along, and its own.
///
/// # Errors
/// When memory runs out.
pub fn repeat(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let repeats = repetitions(call, input.shape().len())?;
    let added = repeats.len() - input.shape().len();
    let (mut from, mut to, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for (dim, (&count, &step)) in repeats.iter().zip(&output.words().layout().strides).enumerate() {
        let (size, stride) = match dim.checked_sub(added) {
            Some(at) => (input.shape()[at], input.layout().strides[at]),
            None => (1, 0),
        };
        sizes.extend([count, size]);
        from.extend([0, signed(stride)]);
        to.extend([size * step, step]);
    }
    copy_box(pass, input, &Steps { offset: input.layout().offset, strides: from }, &output, &to, &sizes)?;
    pass.finish(output)
}

/// `torch.repeat_interleave(input, repeats, dim)` with a number of repeats.
///
/// # Errors
/// When memory runs out.
pub fn repeat_interleave(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let repeats = usize::try_from(call.required_int("repeats")?).unwrap_or(0);
    let layout = input.layout();
    let mut sizes = layout.shape.clone();
    let mut from: Vec<isize> = layout.strides.iter().map(|&stride| signed(stride)).collect();
    // Without a dimension each single element is repeated: after the last dimension.
    let at = match call.opt_int("dim")? {
        Some(dim) if !sizes.is_empty() => wrap_dim(dim, sizes.len()).unwrap_or(0) + 1,
        _ => sizes.len(),
    };
    sizes.insert(at, repeats);
    from.insert(at, 0);
    let to = Layout::contiguous(&sizes).strides;
    copy_box(pass, input, &Steps { offset: layout.offset, strides: from }, &output, &to, &sizes)?;
    pass.finish(output)
}

/// `torch.flip(input, dims)`.
///
/// # Errors
/// When memory runs out.
pub fn flip(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let mut steps = Steps::of(input.layout());
    for dim in flipped(call, input.shape().len())? {
        steps.reverse(dim, input.shape()[dim]);
    }
    copy_box(pass, input, &steps, &output, &output.words().layout().strides, input.shape())?;
    pass.finish(output)
}

/// `torch.roll(input, shifts, dims)`: each dimension that is shifted falls in two parts.
///
/// # Errors
/// When memory runs out.
pub fn roll(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let mut input = call.tensor("input")?.clone();
    let shifts = rolled(call, input.shape())?;
    let mut target = output.words().layout().clone();
    if call.opt_ints("dims")?.unwrap_or_default().is_empty() {
        input = as_row(pass, &input)?;
        target = Layout::contiguous(&[input.numel()]);
    }
    // Parts of the result: where each starts in it and in the input, and its sizes.
    let mut parts = vec![(0, input.layout().offset, Vec::new())];
    for (dim, &shift) in shifts.iter().enumerate() {
        let (size, from, to) = (target.shape[dim], input.layout().strides[dim], target.strides[dim]);
        let cut = |(start, source, sizes): (usize, usize, Vec<usize>)| {
            let with = |size: usize| -> Vec<usize> { sizes.iter().copied().chain([size]).collect() };
            [(start + shift * to, source, with(size - shift)), (start, source + (size - shift) * from, with(shift))]
        };
        parts = parts.into_iter().flat_map(cut).filter(|(_, _, sizes)| sizes.last() != Some(&0)).collect();
    }
    let strides: Vec<isize> = input.layout().strides.iter().map(|&stride| signed(stride)).collect();
    for (start, offset, sizes) in parts {
        let place = Output::part(&output, Layout { shape: Vec::new(), strides: Vec::new(), offset: start })?;
        copy_box(pass, &input, &Steps { offset, strides: strides.clone() }, &place, &target.strides, &sizes)?;
    }
    pass.finish(output)
}

/// A tensor's elements in a row: a view where there is one.
fn as_row(pass: &mut Pass<'_>, input: &GpuTensor) -> Result<GpuTensor, GpuError> {
    let row = [input.numel()];
    if let Some(strides) = view_strides(input.layout(), &row) {
        return input.with_layout(Layout { shape: row.to_vec(), strides, offset: input.layout().offset });
    }
    let scratch = pass.scratch_output(input.dtype(), input.shape())?;
    copy(pass, input, &scratch)?;
    scratch.words().with_layout(Layout::contiguous(&row))
}

/// Where a box of elements is read: strides may be negative.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub(super) offset: usize,
    pub(super) strides: Vec<isize>,
}

impl Steps {
    /// Those of a view.
    pub(super) fn of(layout: &Layout) -> Self {
        Steps { offset: layout.offset, strides: layout.strides.iter().map(|&stride| signed(stride)).collect() }
    }

    /// Walks dimension `dim` of `size` elements from its end.
    pub(super) fn reverse(&mut self, dim: usize, size: usize) {
        let stride = self.strides[dim];
        self.offset = self.offset.wrapping_add_signed(stride.wrapping_mul(size.saturating_sub(1) as isize));
        self.strides[dim] = -stride;
    }
}

/// Copies a box of `sizes` elements from where `from` reads `input` to where `output` begins, along strides `to`.
pub(super) fn copy_box(
    pass: &mut Pass<'_>,
    input: &GpuTensor,
    from: &Steps,
    output: &Output,
    to: &[usize],
    sizes: &[usize],
) -> Result<(), GpuError> {
    let count = sizes.iter().product();
    if count == 0 {
        return Ok(());
    }
    let start = input.with_layout(Layout { shape: Vec::new(), strides: Vec::new(), offset: from.offset })?;
    // Positions are computed in 32-bit words, which wrap, so that a negative stride is the word that wraps to it.
    let strides: Vec<usize> = from.strides.iter().map(|&stride| stride as u32 as usize).collect();
    let seen = if output.words().dtype().is_float() { Seen::Float } else { Seen::Integer };
    pass.dispatch(
        Dispatch::new(&shaders::COPY, ELEMENTWISE)
            .space("element", sizes)
            .read_as("input", &start, seen, &[("element", &strides)])
            .write("result", output, &[("element", to)])
            .invocations(count, ELEMENTWISE),
    )
}

/// A stride inside a buffer, which is far below half of what an address holds.
fn signed(stride: usize) -> isize {
    isize::try_from(stride).unwrap_or(isize::MAX)
}
