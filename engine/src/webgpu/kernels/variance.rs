//! Variances and standard deviations over dimensions.

use super::rows::Rows;
use crate::graph::Call;
use crate::graph::signatures::reduction::reduced_dims;
use crate::graph::signatures::variance::divisor;
use crate::tensor::DType;
use crate::webgpu::dispatch::Scalar;
use crate::webgpu::pass::Pass;
use crate::webgpu::{GpuError, GpuTensor, shaders};

/// `var`, `std`, `var_mean` and `std_mean`.
///
/// # Errors
/// When memory runs out.
pub fn variance(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let input = call.tensor("input")?;
    let layout = input.layout();
    let dims = reduced_dims(call, layout.rank())?;
    let rows = Rows::new(layout, &dims);
    let count = dims.iter().filter_map(|&dim| layout.shape.get(dim)).product();
    let both = call.op().ends_with("_mean");
    let variance = pass.result()?;
    let mean = if both { pass.result_at(1)? } else { pass.scratch_output(DType::F32, variance.shape())? };
    let read = rows
        .read(&shaders::VARIANCE, input)
        .constant("ROOT", call.op().starts_with("std"))
        .scalar("divisor", Scalar::Float(divisor(call, count)? as f32));
    let dispatch = rows.write_one("variance", read, &variance);
    pass.dispatch(rows.write_one("mean", dispatch, &mean))?;
    if both { pass.finish_all([variance, mean]) } else { pass.finish(variance) }
}
