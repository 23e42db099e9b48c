//! Matrix products: in tiles, and row by row where there are few rows.

use crate::graph::signatures::broadcast;
use crate::graph::{Call, OpError};
use crate::tensor::Layout;
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{Output, Pass};
use crate::webgpu::shaders::{self, Shader};
use crate::webgpu::space::broadcast_strides;
use crate::webgpu::{GpuError, GpuTensor};

/// Invocations per workgroup of both kernels.
const WORKGROUP: u32 = 256;
/// With at most this many rows, tiles would be mostly empty.
const FEW_ROWS: usize = 8;

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
        bias: call.opt_tensor("bias")?,
        batch: vec![],
        rows,
        depth,
        columns,
    };
    pass.dispatch(product.dispatch(&output))?;
    pass.finish(output)
}

/// `torch.matmul(input, other)`.
///
/// # Errors
/// When an operand holds integers, or memory runs out.
pub fn matmul(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let output = pass.result()?;
    if !output.words().dtype().is_float() {
        let what = format!("a product of {} matrices", output.words().dtype());
        return Err(OpError::Unsupported { op: call.op().to_owned(), what, by: "WebGPU" }.into());
    }
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
        bias: None,
        batch,
        rows: vec![rows],
        depth,
        columns,
    };
    pass.dispatch(product.dispatch(&output))?;
    pass.finish(output)
}

/// input `[batch…, rows…, K]` · other `[batch…, K, N]` + bias `[N]`.
struct Product<'a> {
    /// Strides over the batch, over the rows, and along K.
    input: (&'a GpuTensor, Vec<usize>, Vec<usize>, usize),
    /// Strides over the batch, along K, and along N.
    other: (&'a GpuTensor, Vec<usize>, usize, usize),
    bias: Option<&'a GpuTensor>,
    batch: Vec<usize>,
    rows: Vec<usize>,
    depth: usize,
    columns: usize,
}

impl Product<'_> {
    fn dispatch(&self, output: &Output) -> Dispatch {
        let (input, input_batch, input_rows, input_k) = &self.input;
        let (other, other_batch, other_k, other_column) = &self.other;
        let rows: usize = self.rows.iter().product();
        let other_k_first = other_k <= other_column;
        let input_k_first = input_rows.last().is_none_or(|row| input_k <= row);
        let (shader, rows_each, tile): (&'static Shader, _, _) = if rows <= FEW_ROWS && other_k_first {
            let rows_each = rows.clamp(1, 4);
            (&shaders::MATMUL_ROWS, rows_each, [rows_each, 8])
        } else {
            let rows_each = rows.div_ceil(16).clamp(1, 4);
            (&shaders::MATMUL, rows_each, [16 * rows_each, 64])
        };
        let tiles = rows.div_ceil(tile[0]) * self.columns.div_ceil(tile[1]);
        let groups = self.batch.iter().product::<usize>() * tiles;
        let dispatch = Dispatch::new(shader, WORKGROUP)
            .constant("ROWS", format!("{rows_each}u"))
            .constant("INPUT_K_FIRST", input_k_first)
            .constant("OTHER_K_FIRST", other_k_first)
            .space("batch", &self.batch)
            .space("row", &self.rows)
            .space("column", &[self.columns])
            .read_as("input", input, Seen::Float, &[("batch", input_batch), ("row", input_rows)])
            .read_as("other", other, Seen::Float, &[("batch", other_batch)])
            .write("result", output, &[])
            .size("rows", rows)
            .size("columns", self.columns)
            .size("depth", self.depth)
            .size("input_k_stride", *input_k)
            .size("other_k_stride", *other_k)
            .size("other_column_stride", *other_column)
            .size("groups", groups)
            .groups(groups);
        match self.bias {
            Some(bias) => dispatch.read_as("bias", bias, Seen::Float, &[("column", &bias.layout().strides)]),
            None => dispatch.constant_operand("bias", Scalar::Float(0.0)),
        }
    }
}

/// Splits a tensor before its last `dims` dimensions (1 or 2): sizes before, the last two sizes, strides before, the last
/// two strides. With one dimension, the first of each pair means nothing.
fn split(tensor: &GpuTensor, dims: usize) -> (Vec<usize>, [usize; 2], Vec<usize>, [usize; 2]) {
    let Layout { shape, strides, .. } = tensor.layout();
    // The signatures have checked that the tensor has as many dimensions.
    let at = shape.len().saturating_sub(dims);
    let pair = |values: &[usize]| match *values {
        [.., a, b] => [a, b],
        [b] => [1, b],
        [] => [1, 1],
    };
    (shape[..at].to_vec(), pair(shape), strides[..at].to_vec(), pair(strides))
}

/// A vector as a matrix, with a dimension of size 1 at `at`.
fn with_dimension(tensor: &GpuTensor, at: usize) -> Result<GpuTensor, GpuError> {
    let mut layout = tensor.layout().clone();
    if layout.rank() == 1 {
        layout.shape.insert(at, 1);
        layout.strides.insert(at, 0);
    }
    tensor.with_layout(layout)
}
