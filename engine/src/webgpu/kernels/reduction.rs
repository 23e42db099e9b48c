//! Reductions over dimensions.

use super::extremum;
use crate::graph::signatures::reduction::{reduced_dims, truth_dims};
use crate::graph::signatures::vector_norm::as_vector_norm;
use crate::graph::{Call, OpError};
use crate::tensor::{DType, Layout};
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::shaders::{self, Shader};
use crate::webgpu::{GpuError, GpuTensor};

/// What `OPERATION` can be in reduce.wgsl.
const OPERATIONS: &[&str] = &["SUM", "MEAN", "PROD", "NORM_0", "NORM_1", "NORM_2", "NORM_P"];
/// What it can be in count.wgsl.
const COUNTS: &[&str] = &["ANY", "ALL", "COUNT_NONZERO"];

type Tensors = Result<Vec<GpuTensor>, GpuError>;

/// `sum`, `mean` and `prod`.
///
/// # Errors
/// When memory runs out.
pub fn reduce(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    total(pass, call, &call.op().to_uppercase(), 1.0)
}

/// `torch.linalg.vector_norm(input, ord, dim, keepdim, dtype)`.
///
/// # Errors
/// When memory runs out.
pub fn linalg_vector_norm(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let ord = call.float("ord", 2.0)?;
    if ord.is_infinite() {
        return extremum::magnitude(pass, call, ord > 0.0);
    }
    let operation = match ord {
        0.0 => "NORM_0",
        1.0 => "NORM_1",
        2.0 => "NORM_2",
        _ => "NORM_P",
    };
    total(pass, call, operation, ord)
}

/// `norm` and `linalg_norm`, as the vector norms that they are.
///
/// # Errors
/// When memory runs out.
pub fn vector_norm_by_name(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    linalg_vector_norm(pass, &as_vector_norm(call, call.tensor("input")?.layout().rank())?)
}

fn total(pass: &mut Pass<'_>, call: &Call<GpuTensor>, operation: &str, ord: f64) -> Tensors {
    let output = pass.result()?;
    let dtype = output.words().dtype();
    let input = &as_numbers(pass, call.tensor("input")?, dtype)?;
    let split = Split::new(call, input)?;
    let integers = !dtype.is_float();
    let shader: &'static Shader = if integers { &shaders::REDUCE_INTEGER } else { &shaders::REDUCE };
    let seen = if integers { Seen::Integer } else { Seen::Float };
    let dispatch = split.dispatch(shader, input, seen, &output);
    pass.dispatch(if integers {
        dispatch.constant("PRODUCT", operation == "PROD").guard(&output)
    } else {
        let numbers = [("ord", ord), ("inverse_ord", ord.recip())];
        let dispatch = dispatch.choice("OPERATION", OPERATIONS, operation);
        numbers.into_iter().fold(dispatch, |dispatch, (name, value)| dispatch.scalar(name, Scalar::Float(value as f32)))
    })?;
    pass.finish(output)
}

/// `input` as an operator takes it that computes in `dtype`: floats cut to integers where that is one. Integers are made floats where
/// they are loaded.
pub(super) fn as_numbers(pass: &mut Pass<'_>, input: &GpuTensor, dtype: DType) -> Result<GpuTensor, GpuError> {
    if !input.dtype().is_float() || dtype.is_float() {
        return Ok(input.clone());
    }
    let cut = pass.scratch_output(dtype, input.shape())?;
    pass.dispatch(
        Dispatch::new(&shaders::TO, ELEMENTWISE)
            .constant("BOOLEAN", false)
            .space("element", input.shape())
            .read_as("input", input, Seen::Float, &[("element", &input.layout().strides)])
            .write("result", &cut, &[("element", &cut.words().layout().strides)])
            .invocations(input.numel(), ELEMENTWISE)
            .guard(&cut),
    )?;
    Ok(cut.words().clone())
}

/// `any`, `all` and `count_nonzero`.
///
/// # Errors
/// When memory runs out.
pub fn count(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let rank = input.layout().rank();
    let counts = call.op() == "count_nonzero";
    let split = Split::of(input, &if counts { reduced_dims(call, rank)? } else { truth_dims(call, rank)? });
    let dispatch = split.dispatch(&shaders::COUNT, input, seen(input), &output);
    pass.dispatch(dispatch.constant("FLOATS", input.dtype().is_float()).choice(
        "OPERATION",
        COUNTS,
        &call.op().to_uppercase(),
    ))?;
    pass.finish(output)
}

/// Elements as they are: floats as f32, integers as i32.
pub(super) fn seen(input: &GpuTensor) -> Seen {
    if input.dtype().is_float() { Seen::Float } else { Seen::Integer }
}

/// The input's dimensions, those that are kept and those that are reduced.
pub(super) struct Split {
    pub(super) kept: Layout,
    pub(super) reduced: Layout,
}

impl Split {
    /// Over the argument `dim`.
    pub(super) fn new(call: &Call<GpuTensor>, input: &GpuTensor) -> Result<Self, OpError> {
        Ok(Split::of(input, &reduced_dims(call, input.layout().rank())?))
    }

    /// Over `dims`.
    pub(super) fn of(input: &GpuTensor, dims: &[usize]) -> Self {
        let layout = input.layout();
        let part = |reduced: bool| {
            let chosen = || (0..layout.rank()).filter(|at| dims.contains(at) == reduced);
            Layout {
                shape: chosen().map(|at| layout.shape[at]).collect(),
                strides: chosen().map(|at| layout.strides[at]).collect(),
                offset: 0,
            }
        };
        Split { kept: part(false), reduced: part(true) }
    }

    /// Several lanes work on one element of the result where it has much to reduce; a workgroup holds several elements
    /// where it has little.
    fn lanes(&self) -> u32 {
        [1, 4, 16, 64].into_iter().find(|&lanes| self.reduced.numel() <= lanes as usize * 8).unwrap_or(ELEMENTWISE)
    }

    /// A kernel that writes one result.
    pub(super) fn dispatch(&self, shader: &'static Shader, input: &GpuTensor, seen: Seen, output: &Output) -> Dispatch {
        self.write("result", self.read(shader, input, seen, output.numel()), output)
    }

    /// A kernel without results yet, for `count` groups of elements.
    pub(super) fn read(&self, shader: &'static Shader, input: &GpuTensor, seen: Seen, count: usize) -> Dispatch {
        let lanes = self.lanes();
        Dispatch::new(shader, ELEMENTWISE)
            .constant("LANES", format!("{lanes}u"))
            .space("kept", &self.kept.shape)
            .space("reduced", &self.reduced.shape)
            .read_as("input", input, seen, &[("kept", &self.kept.strides), ("reduced", &self.reduced.strides)])
            .size("count", count)
            .size("reduced", self.reduced.numel())
            .groups(count.div_ceil((ELEMENTWISE / lanes) as usize))
    }

    /// A result with an element per group.
    pub(super) fn write(&self, name: &'static str, dispatch: Dispatch, output: &Output) -> Dispatch {
        // Results are written contiguous, so a kept dimension's stride is the product of the kept sizes after it.
        dispatch.write(name, output, &[("kept", &Layout::contiguous(&self.kept.shape).strides)])
    }
}
