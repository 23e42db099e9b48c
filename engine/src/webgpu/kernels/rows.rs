//! Tensors as rows that a kernel takes one at a time, each shared by the lanes of a workgroup.

use crate::tensor::Layout;
use crate::webgpu::GpuTensor;
use crate::webgpu::dispatch::{Dispatch, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output};
use crate::webgpu::shaders::Shader;

/// The dimensions of a layout that tell rows apart, and those along which a row runs.
pub(super) struct Rows<'a> {
    layout: &'a Layout,
    columns: &'a [usize],
}

impl<'a> Rows<'a> {
    /// Rows that run along the dimensions `columns`, ascending.
    pub(super) fn new(layout: &'a Layout, columns: &'a [usize]) -> Self {
        Rows { layout, columns }
    }

    /// Values per dimension, those of the rows and those of the columns.
    pub(super) fn split(&self, values: &[usize]) -> [Vec<usize>; 2] {
        [false, true].map(|column| {
            let chosen = values.iter().enumerate().filter(|(dim, _)| self.columns.contains(dim) == column);
            chosen.map(|(_, &value)| value).collect()
        })
    }

    /// Number of rows.
    pub(super) fn count(&self) -> usize {
        let [rows, _] = self.split(&self.layout.shape);
        rows.iter().product()
    }

    /// A kernel that reads `input`, whose strides are the layout's, without results yet.
    pub(super) fn read(&self, shader: &'static Shader, input: &GpuTensor) -> Dispatch {
        let [row, column] = self.split(&self.layout.shape);
        let [row_strides, column_strides] = self.split(&self.layout.strides);
        let columns: usize = column.iter().product();
        // Short rows share a workgroup; a long one has it for itself.
        let lanes = [4, 16, 64].into_iter().find(|&lanes| columns <= lanes as usize * 4).unwrap_or(ELEMENTWISE);
        Dispatch::new(shader, ELEMENTWISE)
            .constant("LANES", format!("{lanes}u"))
            .space("row", &row)
            .space("column", &column)
            .read_as("input", input, Seen::Float, &[("row", &row_strides), ("column", &column_strides)])
            .size("rows", self.count())
            .size("columns", columns)
            .groups(self.count().div_ceil((ELEMENTWISE / lanes) as usize))
    }

    /// A result with an element for each of the layout's.
    pub(super) fn write(&self, name: &'static str, dispatch: Dispatch, output: &Output) -> Dispatch {
        let [row, column] = self.split(&Layout::contiguous(&self.layout.shape).strides);
        dispatch.write(name, output, &[("row", &row), ("column", &column)])
    }

    /// A result with an element per row.
    pub(super) fn write_one(&self, name: &'static str, dispatch: Dispatch, output: &Output) -> Dispatch {
        let [row, _] = self.split(&self.layout.shape);
        dispatch.write(name, output, &[("row", &Layout::contiguous(&row).strides)])
    }
}
