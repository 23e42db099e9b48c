//! Look-ups by tensors of indices, and their inverse. First the indices become positions; then elements are taken from them, or
//! written to them.
//!
//! An index out of range reads and writes nothing outside the tensor and never passes: the oracle refuses the call, and the result
//! holds NaN, or an integer that is far off, where it should have pointed.

use super::movement::copy;
use super::pad::{fill, number};
use crate::graph::signatures::index::{at_least_1, dimension, indexed, mask, reduction};
use crate::graph::{Call, OpError, Operand};
use crate::tensor::{DType, Layout};
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::run::metas;
use crate::webgpu::space::broadcast_strides;
use crate::webgpu::{GpuError, GpuTensor, shaders};

type Tensors = Result<Vec<GpuTensor>, GpuError>;

/// What `OPERATION` can be in scatter_reduce.wgsl.
const REDUCTIONS: &[&str] = &["SUM", "PROD"];

/// `torch.gather(input, dim, index)`.
///
/// # Errors
/// When memory runs out.
pub fn gather(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let (input, index) = (call.tensor("input")?, call.tensor("index")?);
    let dim = dimension(call, input.shape().len())?;
    let output = pass.result()?;
    let (sizes, mut strides) = (at_least_1(input.shape()).to_vec(), steps(input.layout()));
    let block = at_least_1(index.shape()).to_vec();
    let one = Index { tensor: index, strides: steps(index.layout()), size: sizes[dim], stride: strides[dim] };
    let positions = positions(pass, &block, &[one], false)?;
    strides[dim] = 0;
    take(pass, input, &strides, &positions, &Layout::contiguous(&block).strides, &block, &output)?;
    pass.finish(output)
}

/// `torch.index_select(input, dim, index)`.
///
/// # Errors
/// When memory runs out.
pub fn index_select(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let (input, index) = (call.tensor("input")?, call.tensor("index")?);
    let dim = dimension(call, input.shape().len())?;
    let output = pass.result()?;
    let (sizes, mut strides) = (at_least_1(input.shape()).to_vec(), steps(input.layout()));
    let one = Index { tensor: index, strides: steps(index.layout()), size: sizes[dim], stride: strides[dim] };
    let positions = positions(pass, at_least_1(index.shape()), &[one], false)?;
    strides[dim] = 0;
    let mut along = vec![0; strides.len()];
    along[dim] = 1;
    let shape = at_least_1(output.shape()).to_vec();
    take(pass, input, &strides, &positions, &along, &shape, &output)?;
    pass.finish(output)
}

/// `input[indices]` with tensors of integers.
///
/// # Errors
/// When memory runs out.
pub fn index(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let listed = Listed::new(pass, call, &input.layout().strides)?;
    take(pass, input, &listed.rest, &listed.positions, &listed.along, &listed.shape, &output)?;
    pass.finish(output)
}

/// Strides in which rank 0 is one dimension.
fn steps(layout: &Layout) -> Vec<usize> {
    if layout.strides.is_empty() { vec![0] } else { layout.strides.clone() }
}

/// An index tensor over a block of positions, into `size` elements that are `stride` apart.
struct Index<'a> {
    tensor: &'a GpuTensor,
    strides: Vec<usize>,
    size: usize,
    stride: usize,
}

/// The sum of what several indices point to, for each element of a block.
fn positions(
    pass: &mut Pass<'_>,
    block: &[usize],
    indices: &[Index<'_>],
    from_end: bool,
) -> Result<GpuTensor, GpuError> {
    let positions = pass.scratch_output(DType::I32, block)?;
    for (at, index) in indices.iter().enumerate() {
        let dispatch = Dispatch::new(&shaders::INDEX_POSITIONS, ELEMENTWISE)
            .constant("FIRST", at == 0)
            .constant("FROM_END", from_end)
            .space("element", block)
            .read_as("indices", index.tensor, Seen::Integer, &[("element", &index.strides)])
            .write("positions", &positions, &[])
            .size("size", index.size)
            .size("stride", index.stride)
            .invocations(positions.numel(), ELEMENTWISE);
        pass.dispatch(dispatch)?;
    }
    Ok(positions.words().clone())
}

/// Takes an element of `input` for each of `shape`: along `strides` from its start, and from there as the positions say.
fn take(
    pass: &mut Pass<'_>,
    input: &GpuTensor,
    strides: &[usize],
    positions: &GpuTensor,
    along: &[usize],
    shape: &[usize],
    output: &Output,
) -> Result<(), GpuError> {
    let floats = output.words().dtype().is_float();
    let contiguous = Layout::contiguous(shape).strides;
    pass.dispatch(
        Dispatch::new(&shaders::GATHER, ELEMENTWISE)
            .constant("FLOATS", floats)
            .space("element", shape)
            .read_as("positions", positions, Seen::Integer, &[("element", along)])
            .read_as("input", input, if floats { Seen::Float } else { Seen::Integer }, &[("element", strides)])
            .write("result", output, &[("element", &contiguous)])
            .invocations(output.numel(), ELEMENTWISE),
    )
}

/// A list of index tensors as positions.
struct Listed {
    /// Of each element of the block, in a tensor that steps as `strides` of [`Listed::new`].
    positions: GpuTensor,
    /// The shape of what is indexed.
    shape: Vec<usize>,
    /// Its strides in the positions.
    along: Vec<usize>,
    /// Its strides in the tensor, along dimensions that have no index.
    rest: Vec<usize>,
}

impl Listed {
    fn new(pass: &mut Pass<'_>, call: &Call<GpuTensor>, strides: &[usize]) -> Result<Self, GpuError> {
        let input = call.tensor("input")?;
        let indexed = indexed(&metas(call))?;
        let tensors: Vec<&GpuTensor> = call.some_tensors("indices")?.into_iter().flatten().collect();
        let pairs = tensors.into_iter().zip(&indexed.dims);
        let indices: Vec<Index<'_>> = pairs
            .map(|(tensor, &dim)| {
                let own = broadcast_strides(tensor.shape(), &tensor.layout().strides, &indexed.block);
                Index { tensor, strides: own, size: input.shape()[dim], stride: strides[dim] }
            })
            .collect();
        let positions = positions(pass, &indexed.block, &indices, true)?;
        let within = Layout::contiguous(&indexed.block).strides;
        let dims = 0..indexed.shape.len();
        let along = dims.clone().map(|at| if indexed.source(at).is_some() { 0 } else { within[at - indexed.at] });
        let rest = dims.map(|at| indexed.source(at).map_or(0, |dim| strides[dim]));
        Ok(Listed { positions, along: along.collect(), rest: rest.collect(), shape: indexed.shape })
    }
}

/// `scatter` and `scatter_add`.
///
/// # Errors
/// When the value has no form on the GPU, or memory runs out.
pub fn scatter(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let (input, index) = (call.tensor("input")?, call.tensor("index")?);
    let output = pass.result()?;
    if index.numel() == 0 || output.numel() == 0 {
        copy(pass, input, &output)?;
        return pass.finish(output);
    }
    let dim = dimension(call, input.shape().len())?;
    let shape = at_least_1(index.shape()).to_vec();
    let mut rest = Layout::contiguous(at_least_1(input.shape())).strides;
    let one = Index {
        tensor: index,
        strides: steps(index.layout()),
        size: at_least_1(input.shape())[dim],
        stride: rest[dim],
    };
    let positions = positions(pass, &shape, &[one], false)?;
    rest[dim] = 0;
    let along = Layout::contiguous(&shape).strides;
    let listed = Listed { positions, along, rest, shape };
    let source = match call.opt_tensor("src")? {
        Some(src) => Source::Tensor(src, steps(src.layout())),
        None => match call.tensor_or_scalar("value")? {
            Operand::Float(value) => Source::Value(number(value, input.dtype())?),
            Operand::Int(value) => Source::Value(number(value as f64, input.dtype())?),
            Operand::Tensor(_) => return Err(call.error("value", "must be a number").into()),
        },
    };
    write(pass, input, &listed, source, reduction(call)?, output)
}

/// `torch.index_put(input, indices, values, accumulate)`.
///
/// # Errors
/// When a mask is given and values for single elements of it, or memory runs out.
pub fn index_put(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let (input, values) = (call.tensor("input")?, call.tensor("values")?);
    let output = pass.result()?;
    let accumulate = call.bool("accumulate", false)?;
    let metas = metas(call);
    if let Some(mask) = mask(&metas)? {
        let open = (values.shape().len() + mask.rank()).checked_sub(input.shape().len() + 1);
        if accumulate || open.is_some_and(|at| values.shape().get(at).is_some_and(|&size| size != 1)) {
            let what = "a boolean mask with accumulate or a value for each element".to_owned();
            return Err(OpError::Unsupported { op: call.op().to_owned(), what, by: "WebGPU" }.into());
        }
        return choose(pass, call, mask.rank(), output);
    }
    let listed = Listed::new(pass, call, &Layout::contiguous(input.shape()).strides)?;
    if listed.shape.contains(&0) || output.numel() == 0 {
        copy(pass, input, &output)?;
        return pass.finish(output);
    }
    let strides = broadcast_strides(values.shape(), &values.layout().strides, &listed.shape);
    write(pass, input, &listed, Source::Tensor(values, strides), accumulate.then_some("SUM"), output)
}

/// `values` where the mask over the first `rank` dimensions is true, `input` elsewhere.
fn choose(pass: &mut Pass<'_>, call: &Call<GpuTensor>, rank: usize, output: Output) -> Tensors {
    let (input, values) = (call.tensor("input")?, call.tensor("values")?);
    let mask = call.some_tensors("indices")?.into_iter().flatten().next();
    let mask = mask.ok_or_else(|| call.error("indices", "must not be empty"))?;
    let mut flags = mask.layout().strides.clone();
    flags.resize(input.shape().len(), 0);
    // The dimension of the masked elements, where values have one, is of size 1.
    let (shape, strides) = (values.shape(), &values.layout().strides);
    let own = shape.len().saturating_sub(input.shape().len() - rank);
    let mut strides = broadcast_strides(&shape[own..], &strides[own..], &input.shape()[rank..]);
    strides.splice(0..0, std::iter::repeat_n(0, rank));
    let seen = if output.words().dtype().is_float() { Seen::Float } else { Seen::Integer };
    pass.dispatch(
        Dispatch::new(&shaders::WHERE, ELEMENTWISE)
            .space("element", output.shape())
            .read_as("condition", mask, Seen::Integer, &[("element", &flags)])
            .read_as("input", values, seen, &[("element", &strides)])
            .read_as("other", input, seen, &[("element", &input.layout().strides)])
            .write("result", &output, &[("element", &output.words().layout().strides)])
            .invocations(output.numel(), ELEMENTWISE),
    )?;
    pass.finish(output)
}

/// What is written: elements of a tensor along strides, or one number.
enum Source<'a> {
    Tensor(&'a GpuTensor, Vec<usize>),
    Value(Scalar),
}

impl Source<'_> {
    fn read(&self, dispatch: Dispatch, seen: Seen) -> Dispatch {
        match self {
            Source::Tensor(tensor, strides) => dispatch.read_as("src", tensor, seen, &[("source", strides)]),
            Source::Value(value) => dispatch.constant_operand("src", *value),
        }
    }
}

/// `input` with `source` written to the places listed: the last one stays, or all are combined.
fn write(
    pass: &mut Pass<'_>,
    input: &GpuTensor,
    listed: &Listed,
    source: Source<'_>,
    reduction: Option<&'static str>,
    output: Output,
) -> Tensors {
    let dtype = output.words().dtype();
    let (floats, count) = (dtype.is_float(), listed.shape.iter().product());
    let seen = if floats { Seen::Float } else { Seen::Integer };
    let to = output.words().layout().strides.clone();
    let Some(reduction) = reduction else {
        let claims = pass.scratch_output(DType::I32, output.shape())?;
        fill(pass, &claims, Scalar::Integer(0))?;
        pass.dispatch(
            Dispatch::new(&shaders::SCATTER_CLAIM, ELEMENTWISE)
                .space("source", &listed.shape)
                .read_as("positions", &listed.positions, Seen::Integer, &[("source", &listed.along)])
                .atomic("claims", &claims, &[("source", &listed.rest)])
                .invocations(count, ELEMENTWISE),
        )?;
        let dispatch = Dispatch::new(&shaders::SCATTER, ELEMENTWISE)
            .constant("FLOATS", floats)
            .space("element", output.shape())
            .space("source", &listed.shape)
            .read_as("claims", claims.words(), Seen::Integer, &[("element", &to)])
            .read_as("input", input, seen, &[("element", &input.layout().strides)]);
        let dispatch = source.read(dispatch, seen);
        pass.dispatch(dispatch.write("result", &output, &[("element", &to)]).invocations(output.numel(), ELEMENTWISE))?;
        return pass.finish(output);
    };
    // Narrow integers wrap when they are stored, which atomic operations do not do.
    let narrow = !floats && !matches!(dtype, DType::I64 | DType::I32);
    let wide = if narrow { Some(pass.scratch_output(DType::I32, output.shape())?) } else { None };
    let sums = wide.as_ref().unwrap_or(&output);
    copy(pass, input, sums)?;
    let dispatch = Dispatch::new(&shaders::SCATTER_REDUCE, ELEMENTWISE)
        .constant("FLOATS", floats)
        .choice("OPERATION", REDUCTIONS, reduction)
        .space("source", &listed.shape)
        .read_as("positions", &listed.positions, Seen::Integer, &[("source", &listed.along)]);
    let dispatch = source.read(dispatch, seen);
    pass.dispatch(dispatch.atomic("result", sums, &[("source", &listed.rest)]).invocations(count, ELEMENTWISE))?;
    if let Some(wide) = &wide {
        copy(pass, wide.words(), &output)?;
    }
    pass.finish(output)
}
