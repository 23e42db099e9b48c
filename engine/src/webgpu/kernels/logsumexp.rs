//! Logarithms of sums of exponentials.

use super::rows::Rows;
use crate::graph::Call;
use crate::graph::signatures::reduction::reduced_dims;
use crate::webgpu::pass::Pass;
use crate::webgpu::{GpuError, GpuTensor, shaders};

/// `torch.logsumexp(input, dim, keepdim)`.
///
/// # Errors
/// When memory runs out.
pub fn logsumexp(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let dims = reduced_dims(call, input.layout().rank())?;
    let rows = Rows::new(input.layout(), &dims);
    pass.dispatch(rows.write_one("result", rows.read(&shaders::LOGSUMEXP, input), &output))?;
    pass.finish(output)
}
