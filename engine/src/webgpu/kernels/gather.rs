//! Look-ups by index.

use crate::graph::Call;
use crate::webgpu::dispatch::{Dispatch, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Pass};
use crate::webgpu::{GpuError, GpuTensor, shaders};

/// `torch.nn.functional.embedding(weight, indices)`: weight `[rows, dim]` in any stored form, indices of any shape.
///
/// An index outside the table gives a row of NaN, which no comparison passes.
///
/// # Errors
/// When memory runs out.
pub fn embedding(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let weight = call.tensor("weight")?;
    let indices = call.tensor("indices")?;
    let output = pass.result()?;
    // The signature has checked the weight's two dimensions, and that the result ends in one more than the indices.
    let [rows, width] = [weight.shape()[0], weight.shape()[1]];
    let [to_row, to_column] = [weight.layout().strides[0], weight.layout().strides[1]];
    let (last, tokens) = output.words().layout().strides.split_last().map_or((1, vec![]), |(l, t)| (*l, t.to_vec()));
    let dispatch = Dispatch::new(&shaders::EMBEDDING, ELEMENTWISE)
        .space("token", indices.shape())
        .space("row", &[rows])
        .space("column", &[width])
        .read_as("indices", indices, Seen::Integer, &[("token", &indices.layout().strides)])
        .read_as("weight", weight, Seen::Float, &[("row", &[to_row]), ("column", &[to_column])])
        .write("result", &output, &[("token", &tokens), ("column", &[last])])
        .size("rows", rows)
        .size("width", width)
        .invocations(output.numel(), ELEMENTWISE);
    pass.dispatch(dispatch)?;
    pass.finish(output)
}
