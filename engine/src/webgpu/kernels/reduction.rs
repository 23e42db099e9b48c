//! Reductions over dimensions.

use crate::graph::signatures::reduction::reduced_dims;
use crate::graph::{Call, OpError};
use crate::tensor::Layout;
use crate::webgpu::dispatch::{Dispatch, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::shaders::{self, Shader};
use crate::webgpu::{GpuError, GpuTensor};

/// What `OPERATION` can be in reduce.wgsl.
const OPERATIONS: &[&str] = &["SUM", "MEAN", "LINALG_VECTOR_NORM"];

/// `sum`, `mean` and `linalg_vector_norm` with ord 2.
///
/// # Errors
/// When another norm is asked for, or memory runs out.
pub fn reduce(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let input = call.tensor("input")?;
    if call.op() == "linalg_vector_norm" && call.float("ord", 2.0)? != 2.0 {
        let what = format!("ord {}", call.float("ord", 2.0)?);
        return Err(OpError::Unsupported { op: call.op().to_owned(), what, by: "WebGPU" }.into());
    }
    let output = pass.result()?;
    let split = Split::new(call, input)?;
    let integers = !output.words().dtype().is_float();
    let shader: &'static Shader = if integers { &shaders::REDUCE_INTEGER } else { &shaders::REDUCE };
    let seen = if integers { Seen::Integer } else { Seen::Float };
    let mut dispatch = split.dispatch(shader, input, seen, &output);
    if !integers {
        dispatch = dispatch.choice("OPERATION", OPERATIONS, &call.op().to_uppercase());
    }
    pass.dispatch(dispatch)?;
    pass.finish(output)
}

/// `torch.argmax(input, dim, keepdim)`: the first of equal maxima; NaN counts as the largest.
///
/// # Errors
/// When memory runs out.
pub fn argmax(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let split = Split::new(call, input)?;
    let floats = input.dtype().is_float();
    let seen = if floats { Seen::Float } else { Seen::Integer };
    pass.dispatch(split.dispatch(&shaders::ARGMAX, input, seen, &output).constant("FLOATS", floats))?;
    pass.finish(output)
}

/// The input's dimensions, those that are kept and those that are reduced.
struct Split {
    kept: Layout,
    reduced: Layout,
}

impl Split {
    fn new(call: &Call<GpuTensor>, input: &GpuTensor) -> Result<Self, OpError> {
        let layout = input.layout();
        let dims = reduced_dims(call, layout.rank())?;
        let part = |reduced: bool| {
            let chosen = || (0..layout.rank()).filter(|at| dims.contains(at) == reduced);
            Layout {
                shape: chosen().map(|at| layout.shape[at]).collect(),
                strides: chosen().map(|at| layout.strides[at]).collect(),
                offset: 0,
            }
        };
        Ok(Split { kept: part(false), reduced: part(true) })
    }

    /// Several lanes work on one element of the result where it has much to reduce; a workgroup holds several elements
    /// where it has little.
    fn lanes(&self) -> u32 {
        [1, 4, 16, 64].into_iter().find(|&lanes| self.reduced.numel() <= lanes as usize * 8).unwrap_or(ELEMENTWISE)
    }

    fn dispatch(&self, shader: &'static Shader, input: &GpuTensor, seen: Seen, output: &Output) -> Dispatch {
        let lanes = self.lanes();
        // Results are written contiguous, so a kept dimension's stride is the product of the kept sizes after it.
        let strides = Layout::contiguous(&self.kept.shape).strides;
        Dispatch::new(shader, ELEMENTWISE)
            .constant("LANES", format!("{lanes}u"))
            .space("kept", &self.kept.shape)
            .space("reduced", &self.reduced.shape)
            .read_as("input", input, seen, &[("kept", &self.kept.strides), ("reduced", &self.reduced.strides)])
            .write("result", output, &[("kept", &strides)])
            .size("count", output.numel())
            .size("reduced", self.reduced.numel())
            .groups(output.numel().div_ceil((ELEMENTWISE / lanes) as usize))
    }
}
