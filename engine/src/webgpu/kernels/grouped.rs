//! Products of groups of matrices.

use super::matrix_product::{Factor, Product, split};
use crate::graph::Call;
use crate::graph::signatures::grouped::{Divided, Groups, factors};
use crate::webgpu::dispatch::{Dispatch, Seen};
use crate::webgpu::pass::{Output, Pass};
use crate::webgpu::{GpuError, GpuTensor, shaders};

/// Invocations per workgroup.
const WORKGROUP: u32 = 256;

/// `grouped_mm`, `_grouped_mm`. The ends of the groups are read on the GPU: where they do not rise or leave the tensor,
/// every result is NaN, which no comparison passes.
///
/// # Errors
/// When memory runs out.
pub fn grouped_mm(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let [left, right] = factors(call).map(|name| call.tensor(name));
    let (left, right, offs) = (left?, right?, call.opt_tensor("offs")?);
    let output = pass.result()?;
    // The signature has checked the ranks.
    let Some(groups) = Groups::of(left.shape(), right.shape(), offs.map_or(0, GpuTensor::numel)) else {
        return pass.finish(output);
    };
    match offs {
        Some(offs) => {
            let sides = Sides::of(groups, left, right, &output);
            pass.dispatch(sides.dispatch(groups, offs, &output))?;
        }
        None => each(groups, left, right).run(pass, &output)?,
    }
    pass.finish(output)
}

/// A matrix per group on both sides: an ordinary batch.
fn each<'a>(groups: Groups, left: &'a GpuTensor, right: &'a GpuTensor) -> Product<'a> {
    let (batch, _, left_batch, [row, left_k]) = split(left, 2);
    let (_, _, right_batch, [right_k, column]) = split(right, 2);
    Product {
        input: (left, left_batch, vec![row], left_k),
        other: (right, right_batch, right_k, column),
        added: None,
        alpha: Factor::ONE,
        batch,
        rows: vec![groups.rows],
        depth: groups.depth,
        columns: groups.columns,
    }
}

/// The two factors and the result, turned so that the groups divide rows or the depth: strides over groups, along the dimension
/// that the product keeps, and along K (of the result: over groups, rows, columns).
struct Sides<'a> {
    input: (&'a GpuTensor, [usize; 3]),
    other: (&'a GpuTensor, [usize; 3]),
    result: [usize; 3],
    rows: usize,
    columns: usize,
}

impl<'a> Sides<'a> {
    fn of(groups: Groups, left: &'a GpuTensor, right: &'a GpuTensor, output: &Output) -> Self {
        let group = |batch: &[usize]| batch.first().copied().unwrap_or(0);
        let (_, _, left_batch, [row, left_k]) = split(left, 2);
        let (_, _, right_batch, [right_k, column]) = split(right, 2);
        let (_, _, result_batch, [result_row, result_column]) = split(output.words(), 2);
        let input = (left, [group(&left_batch), row, left_k]);
        let other = (right, [group(&right_batch), column, right_k]);
        let result = [group(&result_batch), result_row, result_column];
        let Groups { rows, columns, .. } = groups;
        if groups.divided == Divided::Columns {
            let result = [result[0], result[2], result[1]];
            return Sides { input: other, other: input, result, rows: columns, columns: rows };
        }
        Sides { input, other, result, rows, columns }
    }

    fn dispatch(&self, groups: Groups, offs: &GpuTensor, output: &Output) -> Dispatch {
        let (input, [input_group, input_row, input_k]) = self.input;
        let (other, [other_group, other_column, other_k]) = self.other;
        let depth_divided = groups.divided == Divided::Depth;
        // As many rows per tile as a group has on average.
        let share = if depth_divided { self.rows } else { self.rows.div_ceil(groups.count.max(1)) };
        let rows_each = share.div_ceil(16).clamp(1, 4);
        let row_tiles = self.rows.div_ceil(16 * rows_each);
        // Each group, and what is behind them, can begin a tile of its own.
        let tiles = if depth_divided { row_tiles.saturating_mul(groups.count) } else { row_tiles + groups.count };
        let workgroups = tiles.saturating_mul(self.columns.div_ceil(64));
        Dispatch::new(&shaders::GROUPED_MM, WORKGROUP)
            .constant("ROWS", format!("{rows_each}u"))
            .constant("DEPTH", depth_divided)
            .constant("INPUT_K_FIRST", input_k <= input_row)
            .constant("OTHER_K_FIRST", other_k <= other_column)
            .space("group", offs.shape())
            .read_as("input", input, Seen::Float, &[])
            .read_as("other", other, Seen::Float, &[])
            .read("offs", offs, &[("group", &offs.layout().strides)])
            .write("result", output, &[])
            .size("groups", groups.count)
            .size("workgroups", workgroups)
            .size("length", groups.length())
            .size("rows", self.rows)
            .size("columns", self.columns)
            .size("depth", groups.depth)
            .size("input_group_stride", input_group)
            .size("input_row_stride", input_row)
            .size("input_k_stride", input_k)
            .size("other_group_stride", other_group)
            .size("other_column_stride", other_column)
            .size("other_k_stride", other_k)
            .size("result_group_stride", self.result[0])
            .size("result_row_stride", self.result[1])
            .size("result_column_stride", self.result[2])
            .groups(workgroups)
    }
}
