//! Copies that move elements.

use crate::graph::Call;
use crate::webgpu::dispatch::Dispatch;
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

/// Copies `input` into `output`, whose shape it has and whose layout may be strided.
pub(super) fn copy(pass: &mut Pass<'_>, input: &GpuTensor, output: &Output) -> Result<(), GpuError> {
    let strides = &output.words().layout().strides;
    pass.dispatch(
        Dispatch::new(&shaders::COPY, ELEMENTWISE)
            .space("element", input.shape())
            .read("input", input, &[("element", &input.layout().strides)])
            .write("result", output, &[("element", strides)])
            .invocations(input.numel(), ELEMENTWISE),
    )
}
