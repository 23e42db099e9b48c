//! Copies that move elements.

use crate::graph::{Call, wrap_dim};
use crate::tensor::Layout;
use crate::webgpu::dispatch::{Dispatch, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::{GpuError, GpuTensor, shaders};

/// `Tensor.clone`: a row-major copy.
///
/// # Errors
/// When memory runs out.
pub fn clone(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    copy(pass, input, &output)?;
    pass.finish(output)
}

/// `torch.cat(tensors, dim)`: each tensor is copied to its place.
///
/// # Errors
/// When memory runs out.
pub fn cat(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let output = pass.result()?;
    let whole = output.words().layout().clone();
    // The signature has checked the dimension.
    let dim = wrap_dim(call.int("dim", 0)?, whole.rank()).unwrap_or(0);
    let mut offset = 0;
    for tensor in call.tensors("tensors")?.iter().filter(|tensor| tensor.shape() != [0]) {
        let layout = Layout { shape: tensor.shape().to_vec(), strides: whole.strides.clone(), offset };
        offset += tensor.shape()[dim] * whole.strides[dim];
        copy(pass, tensor, &output.part(layout)?)?;
    }
    pass.finish(output)
}

/// `torch.stack(tensors, dim)`: each tensor is copied to its place.
///
/// # Errors
/// When memory runs out.
pub fn stack(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let output = pass.result()?;
    let mut place = output.words().layout().clone();
    // The signature has checked the dimension.
    let dim = wrap_dim(call.int("dim", 0)?, place.rank()).unwrap_or(0);
    let step = place.strides.remove(dim);
    place.shape.remove(dim);
    for tensor in call.tensors("tensors")? {
        copy(pass, tensor, &output.part(place.clone())?)?;
        place.offset += step;
    }
    pass.finish(output)
}

/// Copies `input` into `output`, whose shape it has and whose layout may be strided; integers become floats where the
/// output is one.
pub(super) fn copy(pass: &mut Pass<'_>, input: &GpuTensor, output: &Output) -> Result<(), GpuError> {
    let seen = if output.words().dtype().is_float() { Seen::Float } else { Seen::Integer };
    let strides = &output.words().layout().strides;
    pass.dispatch(
        Dispatch::new(&shaders::COPY, ELEMENTWISE)
            .space("element", input.shape())
            .read_as("input", input, seen, &[("element", &input.layout().strides)])
            .write("result", output, &[("element", strides)])
            .invocations(input.numel(), ELEMENTWISE),
    )
}
