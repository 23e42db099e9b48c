//! One matrix product: in tiles, and row by row where there are few rows; of integers exactly.

use crate::graph::{Call, OpError};
use crate::tensor::{DType, Layout};
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{Output, Pass};
use crate::webgpu::shaders::{self, Shader};
use crate::webgpu::{GpuError, GpuTensor};

/// Invocations per workgroup of every kernel.
const WORKGROUP: u32 = 256;
/// With at most this many rows, tiles would be mostly empty.
const FEW_ROWS: usize = 8;
/// With at least this many rows and columns, an invocation has work for a block of sums.
const LARGE: usize = 64;
/// Workgroups that keep a large GPU busy (the largest have some 130 processors).
const WORKGROUPS: usize = 128;

/// alpha · input `[batch…, rows…, K]` · other `[batch…, K, N]` + beta · a tensor that broadcasts to the result.
pub(super) struct Product<'a> {
    /// Strides over the batch, over the rows, and along K.
    pub(super) input: (&'a GpuTensor, Vec<usize>, Vec<usize>, usize),
    /// Strides over the batch, along K, and along N.
    pub(super) other: (&'a GpuTensor, Vec<usize>, usize, usize),
    pub(super) added: Option<Added<'a>>,
    pub(super) alpha: Factor,
    pub(super) batch: Vec<usize>,
    pub(super) rows: Vec<usize>,
    pub(super) depth: usize,
    pub(super) columns: usize,
}

/// A number that a product is multiplied by.
#[derive(Clone, Copy)]
pub(super) struct Factor {
    float: f32,
    integer: i64,
}

impl Factor {
    pub(super) const ONE: Factor = Factor { float: 1.0, integer: 1 };

    /// The argument of this name, 1 where it is left out: an integer where the tensors are of integers, as their signature says.
    pub(super) fn of(call: &Call<GpuTensor>, name: &str, integers: bool) -> Result<Self, OpError> {
        Ok(Factor { float: call.float(name, 1.0)? as f32, integer: if integers { call.int(name, 1)? } else { 0 } })
    }

    pub(super) fn is_zero(self) -> bool {
        self.float == 0.0 && self.integer == 0
    }
}

/// What is added to a product: `beta` times a tensor, with its strides over the dimensions `[batch…, rows…, N]`, or over the last
/// of them.
pub(super) struct Added<'a> {
    pub(super) tensor: &'a GpuTensor,
    pub(super) strides: Vec<usize>,
    pub(super) beta: Factor,
}

impl<'a> Added<'a> {
    pub(super) fn once(tensor: &'a GpuTensor) -> Self {
        Added { tensor, strides: tensor.layout().strides.clone(), beta: Factor::ONE }
    }
}

impl Product<'_> {
    /// The same with its sides changed where that makes a row of a column: its elements are then computed side by side.
    fn turned(self) -> Self {
        let (&[rows], 1) = (self.rows.as_slice(), self.columns) else { return self };
        let (input, input_batch, input_rows, input_k) = self.input;
        let (other, other_batch, other_k, _) = self.other;
        let mut added = self.added;
        if let Some(added) = &mut added {
            // The rows are now the last dimension, and the only one that can have a stride beside the batch.
            let dims = added.strides.len();
            if dims > 1 {
                added.strides.swap(dims - 1, dims - 2);
            } else {
                added.strides = vec![0];
            }
        }
        Product {
            input: (other, other_batch, vec![0], other_k),
            other: (input, input_batch, input_k, input_rows.first().copied().unwrap_or(0)),
            added,
            rows: vec![1],
            columns: rows,
            ..self
        }
    }

    /// Records the product's kernels; the result is exact where it is of integers.
    pub(super) fn run(self, pass: &mut Pass<'_>, output: &Output) -> Result<(), GpuError> {
        let product = self.turned();
        if output.words().dtype().is_float() {
            product.of_floats(pass, output)
        } else {
            product.of_integers(pass, output)
        }
    }

    fn of_floats(&self, pass: &mut Pass<'_>, output: &Output) -> Result<(), GpuError> {
        let rows: usize = self.rows.iter().product();
        let dispatch =
            |shader: &'static Shader, tile| self.tiled(Dispatch::new(shader, WORKGROUP), output, Seen::Float, tile);
        let dispatch = if rows <= FEW_ROWS && self.other_k_first() {
            let rows_each = rows.clamp(1, 4);
            dispatch(&shaders::MATMUL_ROWS, [rows_each, 8]).constant("ROWS", format!("{rows_each}u"))
        } else if rows.min(self.columns) < LARGE {
            let rows_each = rows.div_ceil(16).clamp(1, 4);
            dispatch(&shaders::MATMUL, [16 * rows_each, 64]).constant("ROWS", format!("{rows_each}u"))
        } else {
            let [down, across] = self.vectors(rows);
            dispatch(&shaders::MATMUL_LARGE, [64 * down, 64 * across])
                .constant("ROW_VECTORS", format!("{down}u"))
                .constant("COLUMN_VECTORS", format!("{across}u"))
        };
        let beta = self.added.as_ref().map_or(1.0, |added| added.beta.float);
        let dispatch = dispatch.scalar("alpha", Scalar::Float(self.alpha.float)).scalar("beta", Scalar::Float(beta));
        pass.dispatch(dispatch)
    }

    /// Vectors of four rows and of four columns that an invocation of the large kernel takes: more of them read less memory per
    /// product, fewer of them make more workgroups, and a GPU wants at least [`WORKGROUPS`].
    fn vectors(&self, rows: usize) -> [usize; 2] {
        let batch: usize = self.batch.iter().product();
        let groups = |[down, across]: [usize; 2]| {
            batch.saturating_mul(rows.div_ceil(64 * down)).saturating_mul(self.columns.div_ceil(64 * across))
        };
        if let Ok(t) = std::env::var("TAPROOT_TILE") {
            let b = t.as_bytes();
            return [(b[0] - b'0') as usize, (b[1] - b'0') as usize];
        }
        [[2, 2], [2, 1]].into_iter().find(|vectors| groups(*vectors) >= WORKGROUPS).unwrap_or([1, 1])
    }

    fn of_integers(&self, pass: &mut Pass<'_>, output: &Output) -> Result<(), GpuError> {
        let wide = output.words().dtype() == DType::I64;
        let words = |value: i64| [value as u32, (value >> 32) as u32].map(Scalar::Word);
        let [alpha, alpha_high] = words(self.alpha.integer);
        let [beta, beta_high] = words(self.added.as_ref().map_or(1, |added| added.beta.integer));
        let dispatch = self
            .tiled(Dispatch::new(&shaders::MATMUL_INTEGER, WORKGROUP), output, Seen::Integer, [16, 64])
            .constant("WIDE", wide)
            .guard(output)
            .scalar("alpha", alpha)
            .scalar("alpha_high", alpha_high)
            .scalar("beta", beta)
            .scalar("beta_high", beta_high);
        pass.dispatch(dispatch)
    }

    fn other_k_first(&self) -> bool {
        self.other.2 <= self.other.3
    }

    /// Adds what every kernel needs, and a workgroup for each tile of so many rows and columns.
    fn tiled(&self, dispatch: Dispatch, output: &Output, seen: Seen, tile: [usize; 2]) -> Dispatch {
        let (input, input_batch, input_rows, input_k) = &self.input;
        let (other, other_batch, other_k, other_column) = &self.other;
        let rows: usize = self.rows.iter().product();
        let input_k_first = input_rows.last().is_none_or(|row| input_k <= row);
        let tiles = rows.div_ceil(tile[0]) * self.columns.div_ceil(tile[1]);
        let groups = self.batch.iter().product::<usize>() * tiles;
        let elements = [self.batch.as_slice(), &self.rows, &[self.columns]].concat();
        let dispatch = dispatch
            .constant("INPUT_K_FIRST", input_k_first)
            .constant("OTHER_K_FIRST", self.other_k_first())
            .space("batch", &self.batch)
            .space("row", &self.rows)
            .space("element", &elements)
            .read_as("input", input, seen, &[("batch", input_batch), ("row", input_rows)])
            .read_as("other", other, seen, &[("batch", other_batch)])
            .write("result", output, &[])
            .size("rows", rows)
            .size("columns", self.columns)
            .size("depth", self.depth)
            .size("input_k_stride", *input_k)
            .size("other_k_stride", *other_k)
            .size("other_column_stride", *other_column)
            .size("groups", groups)
            .groups(groups);
        match &self.added {
            Some(Added { tensor, strides, .. }) => {
                let missing = elements.len().saturating_sub(strides.len());
                let strides = [vec![0; missing], strides.clone()].concat();
                dispatch.read_as("bias", tensor, seen, &[("element", &strides)])
            }
            None if seen == Seen::Float => dispatch.constant_operand("bias", Scalar::Float(0.0)),
            None => dispatch.constant_operand("bias", Scalar::Integer(0)),
        }
    }
}

/// Splits a tensor before its last `dims` dimensions (1 or 2): sizes before, the last two sizes, strides before, the last
/// two strides. With one dimension, the first of each pair means nothing.
pub(super) fn split(tensor: &GpuTensor, dims: usize) -> (Vec<usize>, [usize; 2], Vec<usize>, [usize; 2]) {
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
pub(super) fn with_dimension(tensor: &GpuTensor, at: usize) -> Result<GpuTensor, GpuError> {
    let mut layout = tensor.layout().clone();
    if layout.rank() == 1 {
        layout.shape.insert(at, 1);
        layout.strides.insert(at, 0);
    }
    tensor.with_layout(layout)
}
