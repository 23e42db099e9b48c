//! Matrix products of fixed ranks, with and without something added. They run the kernels of the file `matmul`.

use super::matrix_product::{Added, Factor, Product, split, with_dimension};
use super::movement::copy;
use crate::graph::Call;
use crate::graph::signatures::products::{Form, form};
use crate::tensor::{DType, Layout};
use crate::webgpu::pass::{Output, Pass};
use crate::webgpu::space::broadcast_strides;
use crate::webgpu::{GpuError, GpuTensor};

/// `mm`, `bmm`, `mv`, `dot`, `addmm`, `addmv`, `baddbmm`, `addbmm`.
///
/// # Errors
/// When memory runs out.
pub fn product(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let form = form(call)?;
    let output = pass.result()?;
    let integers = !output.words().dtype().is_float();
    // A vector on the left is a row, on the right a column.
    let mut left = with_dimension(call.tensor(form.left)?, 0)?;
    let mut right = with_dimension(call.tensor(form.right)?, 1)?;
    if form.summed {
        (left, right) = side_by_side(pass, &left, &right)?;
    }
    let (batch, [rows, depth], left_batch, [row, left_k]) = split(&left, 2);
    let (_, [_, columns], right_batch, [right_k, column]) = split(&right, 2);
    let product = Product {
        input: (&left, left_batch, vec![row], left_k),
        other: (&right, right_batch, right_k, column),
        added: added(call, form, &output)?,
        alpha: if form.added { Factor::of(call, "alpha", integers)? } else { Factor::ONE },
        batch,
        rows: vec![rows],
        depth,
        columns,
    };
    product.run(pass, &output)?;
    pass.finish(output)
}

/// beta · input; nothing where beta is 0, so that input's NaN and infinity do not count.
fn added<'a>(call: &'a Call<GpuTensor>, form: &Form, output: &Output) -> Result<Option<Added<'a>>, GpuError> {
    if !form.added {
        return Ok(None);
    }
    let beta = Factor::of(call, "beta", !output.words().dtype().is_float())?;
    if beta.is_zero() {
        return Ok(None);
    }
    let tensor = call.tensor("input")?;
    let Layout { shape, strides, .. } = tensor.layout();
    let mut strides = broadcast_strides(shape, strides, output.shape());
    if output.shape().len() == 1 {
        strides.push(0); // addmv: rows of one column
    }
    Ok(Some(Added { tensor, strides, beta }))
}

/// Σ over b of `[b, m, k]` · `[b, k, n]` as one product `[m, b · k]` · `[b · k, n]`.
fn side_by_side(pass: &mut Pass<'_>, left: &GpuTensor, right: &GpuTensor) -> Result<(GpuTensor, GpuTensor), GpuError> {
    // The signature has checked that both have three dimensions, and equal batches and depths.
    let &[batch, rows, depth] = left.shape() else { return Ok((left.clone(), right.clone())) };
    let columns = right.shape().last().copied().unwrap_or(1);
    let &[left_batch, left_row, left_k] = left.layout().strides.as_slice() else {
        return Ok((left.clone(), right.clone()));
    };
    let strides = vec![left_row, left_batch, left_k];
    let turned = Layout { shape: vec![rows, batch, depth], strides, offset: left.layout().offset };
    let left = copied(pass, &left.with_layout(turned)?, &[rows, batch * depth])?;
    let right = copied(pass, right, &[batch * depth, columns])?;
    Ok((left, right))
}

/// A copy, floats in f32, contiguous, in another shape of as many elements.
fn copied(pass: &mut Pass<'_>, tensor: &GpuTensor, shape: &[usize]) -> Result<GpuTensor, GpuError> {
    let dtype = if tensor.dtype().is_float() { DType::F32 } else { tensor.dtype() };
    let target = pass.scratch_output(dtype, tensor.shape())?;
    copy(pass, tensor, &target)?;
    target.words().with_layout(Layout::contiguous(shape))
}
