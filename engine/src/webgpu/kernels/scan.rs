//! Scans: running sums, products and extrema along a dimension.

use super::extremum::keyed;
use super::reduction::{Split, as_numbers, seen};
use crate::graph::Call;
use crate::graph::signatures::scan::line_dim;
use crate::webgpu::dispatch::{Dispatch, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::shaders::{self, Shader};
use crate::webgpu::{GpuError, GpuTensor};

type Tensors = Result<Vec<GpuTensor>, GpuError>;

/// `cumsum` and `cumprod`.
///
/// # Errors
/// When memory runs out.
pub fn cumsum(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let output = pass.result()?;
    let dtype = output.words().dtype();
    let input = &as_numbers(pass, call.tensor("input")?, dtype)?;
    let lines = Lines::new(input, line_dim(call, None, input.layout().rank())?);
    let (shader, seen): (&'static Shader, _) =
        if dtype.is_float() { (&shaders::SCAN, Seen::Float) } else { (&shaders::SCAN_INTEGER, Seen::Integer) };
    let dispatch = lines.write("result", lines.read(shader, input, seen), &output);
    pass.dispatch(dispatch.constant("PRODUCT", call.op() == "cumprod").guard(&output))?;
    pass.finish(output)
}

/// `cummax` and `cummin`: the last of equal ones; NaN counts as larger, and as smaller, than all.
///
/// # Errors
/// When memory runs out.
pub fn cummax(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let (values, indices) = (pass.result()?, pass.result_at(1)?);
    let lines = Lines::new(input, line_dim(call, None, input.layout().rank())?);
    let mut dispatch = lines.read(&shaders::SCAN_EXTREMUM, input, seen(input));
    for (name, output) in [("values", &values), ("indices", &indices)] {
        dispatch = lines.write(name, dispatch, output);
    }
    pass.dispatch(keyed(dispatch, input, call.op() == "cummax"))?;
    pass.finish_all([values, indices])
}

/// A tensor as lines along one dimension.
struct Lines {
    dim: Option<usize>,
    split: Split,
}

impl Lines {
    fn new(input: &GpuTensor, dim: usize) -> Self {
        // A tensor of rank 0 is a line of one.
        let dim = (dim < input.layout().rank()).then_some(dim);
        Lines { split: Split::of(input, dim.as_slice()), dim }
    }

    /// Neighbouring invocations share a line where that lets them read neighbouring elements and it is long enough.
    fn lanes(&self) -> u32 {
        let (places, lines) = (&self.split.reduced, self.split.kept.numel());
        let across = places.strides.iter().any(|&stride| stride != 1) && lines >= ELEMENTWISE as usize;
        match places.numel() {
            _ if across => 1,
            0..=8 => 1,
            9..=64 => 16,
            65..=512 => 64,
            _ => ELEMENTWISE,
        }
    }

    fn read(&self, shader: &'static Shader, input: &GpuTensor, seen: Seen) -> Dispatch {
        let Split { kept, reduced } = &self.split;
        let (lanes, lines) = (self.lanes(), kept.numel());
        let groups = if reduced.numel() == 0 { 0 } else { lines.div_ceil((ELEMENTWISE / lanes) as usize) };
        Dispatch::new(shader, ELEMENTWISE)
            .constant("LANES", format!("{lanes}u"))
            .space("line", &kept.shape)
            .space("place", &reduced.shape)
            .read_as("input", input, seen, &[("line", &kept.strides), ("place", &reduced.strides)])
            .size("lines", lines)
            .size("places", reduced.numel())
            .groups(groups)
    }

    fn write(&self, name: &'static str, dispatch: Dispatch, output: &Output) -> Dispatch {
        let Split { kept, reduced } = Split::of(output.words(), self.dim.as_slice());
        dispatch.write(name, output, &[("line", &kept.strides), ("place", &reduced.strides)])
    }
}
