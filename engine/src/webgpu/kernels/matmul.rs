//! Matrix products of any rank.

use super::matrix_product::{Added, Factor, Product, split, with_dimension};
use crate::graph::Call;
use crate::graph::signatures::broadcast;
use crate::webgpu::pass::Pass;
use crate::webgpu::space::broadcast_strides;
use crate::webgpu::{GpuError, GpuTensor};

/// `torch.nn.functional.linear(input, weight, bias)`; the weight is read in its stored form.
///
/// # Errors
/// When memory runs out.
pub fn linear(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
    let output = pass.result()?;
    let (rows, [_, depth], row_strides, [_, input_k]) = split(input, 1);
    let (_, [columns, _], _, [other_column, other_k]) = split(weight, 2);
    // All dimensions of the input but the last are rows of one matrix.
    let product = Product {
        input: (input, vec![], row_strides, input_k),
        other: (weight, vec![], other_k, other_column),
        added: call.opt_tensor("bias")?.map(Added::once),
        alpha: Factor::ONE,
        batch: vec![],
        rows,
        depth,
        columns,
    };
    product.run(pass, &output)?;
    pass.finish(output)
}

/// `torch.matmul(input, other)`.
///
/// # Errors
/// When memory runs out.
pub fn matmul(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let output = pass.result()?;
    // A vector on the left is a row, on the right a column.
    let input = &with_dimension(call.tensor("input")?, 0)?;
    let other = &with_dimension(call.tensor("other")?, 1)?;
    let (input_batch, [rows, depth], input_strides, [input_row, input_k]) = split(input, 2);
    let (other_batch, [_, columns], other_strides, [other_k, other_column]) = split(other, 2);
    // The signature has checked that the batches broadcast.
    let batch = broadcast(&input_batch, &other_batch).unwrap_or_default();
    let product = Product {
        input: (input, broadcast_strides(&input_batch, &input_strides, &batch), vec![input_row], input_k),
        other: (other, broadcast_strides(&other_batch, &other_strides, &batch), other_k, other_column),
        added: None,
        alpha: Factor::ONE,
        batch,
        rows: vec![rows],
        depth,
        columns,
    };
    product.run(pass, &output)?;
    pass.finish(output)
}
