//! Sorting, the k largest elements, histograms.
//!
//! Lines are sorted in blocks in workgroup memory, then sorted blocks are merged, twice as long each time: every element finds its
//! place in the merged block by itself, by a binary search in the other. Elements are represented by keys (keys.wgsl) and
//! by their places in the line, which also make it stable; the elements themselves are taken last.

use super::reduction::{Split, seen};
use crate::graph::signatures::scan::line_dim;
use crate::graph::signatures::sort::histogram_range;
use crate::graph::{Call, OpError};
use crate::tensor::DType;
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::{GpuError, GpuTensor, shaders};

type Tensors = Result<Vec<GpuTensor>, GpuError>;

/// Elements that a workgroup sorts: a key and a place each, 8 KiB of the 16 that there are.
const TILE: usize = 1024;

/// `torch.sort(input, dim, descending, stable)`.
///
/// # Errors
/// When memory runs out.
pub fn sort(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    first(pass, call, call.bool("descending", false)?)
}

/// `torch.topk(input, k, dim, largest, sorted)`.
///
/// # Errors
/// When memory runs out.
pub fn topk(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    first(pass, call, call.bool("largest", true)?)
}

/// `torch.argsort(input, dim, descending, stable)`.
///
/// # Errors
/// When memory runs out.
pub fn argsort(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let indices = pass.result()?;
    let lines = Lines::new(call, input)?;
    let places = lines.sort(pass, input, call.bool("descending", false)?)?;
    let Split { kept, reduced } = Split::of(indices.words(), lines.dim.as_slice());
    pass.dispatch(
        Dispatch::new(&shaders::SORT_PLACES, ELEMENTWISE)
            .space("line", &kept.shape)
            .space("place", &reduced.shape)
            .read("places", &places, &[])
            .write("result", &indices, &[("line", &kept.strides), ("place", &reduced.strides)])
            .size("size", lines.size)
            .invocations(indices.numel(), ELEMENTWISE),
    )?;
    pass.finish(indices)
}

/// Sorts, and takes as many elements of each line as the results have room for.
fn first(pass: &mut Pass<'_>, call: &Call<GpuTensor>, descending: bool) -> Tensors {
    let input = call.tensor("input")?;
    let (values, indices) = (pass.result()?, pass.result_at(1)?);
    let lines = Lines::new(call, input)?;
    let places = lines.sort(pass, input, descending)?;
    let Split { kept, reduced } = Split::of(input, lines.dim.as_slice());
    let taken = Split::of(values.words(), lines.dim.as_slice());
    let mut dispatch = Dispatch::new(&shaders::SORT_TAKE, ELEMENTWISE)
        .space("line", &kept.shape)
        .space("place", &reduced.shape)
        .space("rank", &taken.reduced.shape)
        .read("input", input, &[("line", &kept.strides), ("place", &reduced.strides)])
        .read("places", &places, &[]);
    for (name, output) in [("values", &values), ("indices", &indices)] {
        let Split { kept, reduced } = Split::of(output.words(), lines.dim.as_slice());
        dispatch = dispatch.write(name, output, &[("line", &kept.strides), ("rank", &reduced.strides)]);
    }
    pass.dispatch(
        dispatch.size("size", lines.size).size("taken", taken.reduced.numel()).invocations(values.numel(), ELEMENTWISE),
    )?;
    pass.finish_all([values, indices])
}

/// A tensor as lines along one dimension.
struct Lines {
    dim: Option<usize>,
    count: usize,
    size: usize,
}

impl Lines {
    fn new(call: &Call<GpuTensor>, input: &GpuTensor) -> Result<Self, OpError> {
        let rank = input.layout().rank();
        let dim = line_dim(call, Some(-1), rank)?;
        let size = input.shape().get(dim).copied().unwrap_or(1);
        // A tensor of rank 0 is a line of one.
        let dim = (dim < rank).then_some(dim);
        Ok(Lines { dim, count: input.numel().checked_div(size).unwrap_or(0), size })
    }

    /// The place of each element of the sorted lines, line after line.
    fn sort(&self, pass: &mut Pass<'_>, input: &GpuTensor, descending: bool) -> Result<GpuTensor, GpuError> {
        let shape = [self.count, self.size];
        let [mut keys, mut places] = pair(pass, &shape)?;
        let span = self.size.next_power_of_two().min(TILE);
        let blocks = self.size.div_ceil(span);
        let Split { kept, reduced } = Split::of(input, self.dim.as_slice());
        pass.dispatch(
            Dispatch::new(&shaders::SORT_BLOCKS, ELEMENTWISE)
                .constant("TILE", format!("{TILE}u"))
                .constant("SPAN", format!("{span}u"))
                .constant("FLOATS", input.dtype().is_float())
                .constant("LARGEST", true)
                .constant("DESCENDING", descending)
                .space("line", &kept.shape)
                .space("place", &reduced.shape)
                .read_as("input", input, seen(input), &[("line", &kept.strides), ("place", &reduced.strides)])
                .write("keys", &keys, &[])
                .write("places", &places, &[])
                .size("lines", self.count)
                .size("size", self.size)
                .size("blocks", blocks)
                .groups((self.count * blocks).div_ceil(TILE / span)),
        )?;
        if blocks > 1 {
            let [mut next_keys, mut next_places] = pair(pass, &shape)?;
            let mut run = span;
            while run < self.size {
                pass.dispatch(
                    Dispatch::new(&shaders::SORT_MERGE, ELEMENTWISE)
                        .read("keys", keys.words(), &[])
                        .read("places", places.words(), &[])
                        .write("merged_keys", &next_keys, &[])
                        .write("merged_places", &next_places, &[])
                        .size("size", self.size)
                        .size("run", run)
                        .invocations(self.count * self.size, ELEMENTWISE),
                )?;
                std::mem::swap(&mut keys, &mut next_keys);
                std::mem::swap(&mut places, &mut next_places);
                run *= 2;
            }
        }
        Ok(places.words().clone())
    }
}

fn pair(pass: &mut Pass<'_>, shape: &[usize]) -> Result<[Output; 2], GpuError> {
    Ok([pass.scratch_output(DType::I32, shape)?, pass.scratch_output(DType::I32, shape)?])
}

/// `torch.histc(input, bins, min, max)`.
///
/// # Errors
/// When integers have no given range or one too wide for 32-bit arithmetic, or memory runs out.
pub fn histc(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let floats = output.words().dtype().is_float();
    let [min, max] = histogram_range(call)?;
    if !floats && ((max - min) * output.numel() as f64 > f64::from(i32::MAX) || min == max) {
        let what = format!("integers in the range {min} to {max}");
        return Err(OpError::Unsupported { op: call.op().to_owned(), what, by: "WebGPU" }.into());
    }
    let mut dispatch = Dispatch::new(if floats { &shaders::HISTC } else { &shaders::HISTC_INTEGER }, ELEMENTWISE)
        .space("element", input.shape())
        .read("input", input, &[("element", &input.layout().strides)])
        .write("result", &output, &[])
        .size("elements", input.numel())
        .size("bins", output.numel())
        .groups(output.numel());
    for (name, bound, largest) in [("low", min, false), ("high", max, true)] {
        dispatch = if !floats {
            // Within i32: the range was checked above, and the ends of one that i32 cannot hold hold no element that it can.
            dispatch.constant_operand(name, Scalar::Integer(bound as i32))
        } else if min != max || input.numel() == 0 {
            dispatch.constant_operand(name, Scalar::Float(bound as f32))
        } else {
            dispatch.read(name, extremum_of_all(pass, input, largest)?.words(), &[])
        };
    }
    pass.dispatch(dispatch)?;
    pass.finish(output)
}

fn extremum_of_all(pass: &mut Pass<'_>, input: &GpuTensor, largest: bool) -> Result<Output, GpuError> {
    let output = pass.scratch_output(DType::F32, &[])?;
    let every: Vec<usize> = (0..input.layout().rank()).collect();
    let dispatch = Split::of(input, &every).dispatch(&shaders::AMAX, input, Seen::Float, &output);
    let constants = [("FLOATS", true), ("LARGEST", largest), ("MAGNITUDE", false)];
    pass.dispatch(constants.into_iter().fold(dispatch, |dispatch, (name, value)| dispatch.constant(name, value)))?;
    Ok(output)
}
