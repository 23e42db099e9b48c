//! Weights with a length of their own.

use super::rows::Rows;
use crate::graph::Call;
use crate::graph::signatures::weight_norm::norm_dims;
use crate::webgpu::dispatch::Seen;
use crate::webgpu::pass::Pass;
use crate::webgpu::space::broadcast_strides;
use crate::webgpu::{GpuError, GpuTensor, shaders};

/// `torch._weight_norm(v, g, dim)`.
///
/// # Errors
/// When memory runs out.
pub fn weight_norm(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let (v, g) = (call.tensor("v")?, call.tensor("g")?);
    let output = pass.result()?;
    let dims = norm_dims(call, v.layout().rank())?;
    let rows = Rows::new(v.layout(), &dims);
    let [lengths, _] = rows.split(&broadcast_strides(g.shape(), &g.layout().strides, v.shape()));
    let dispatch = rows.read(&shaders::WEIGHT_NORM, v).read_as("length", g, Seen::Float, &[("row", &lengths)]);
    pass.dispatch(rows.write("result", dispatch, &output))?;
    pass.finish(output)
}
