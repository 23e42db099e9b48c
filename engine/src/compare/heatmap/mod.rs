//! The engine's side of the heatmap: a plane of a result, reduced to as many cells as there is room for. No pixels, no colours.

mod element;
mod plane;
mod quantity;

pub use element::{Element, Number, element};
pub use plane::{Plane, Region, unravel};
pub use quantity::Quantity;

use super::Kind;
use crate::oracle::Array;
use crate::tensor::{HostTensor, TensorError};
use quantity::Pair;
use serde::{Deserialize, Serialize};

/// Bit of [`Grid::nonfinite`]: a NaN is in the cell.
pub const NAN: u8 = 1;
/// Bit of [`Grid::nonfinite`]: +∞ is in the cell.
pub const POSITIVE_INFINITY: u8 = 2;
/// Bit of [`Grid::nonfinite`]: −∞ is in the cell.
pub const NEGATIVE_INFINITY: u8 = 4;

/// A result as the source recorded it and, where they are known, as target and oracle computed it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Recorded.
    pub expected: &'a HostTensor,
    /// By the target.
    pub actual: Option<&'a HostTensor>,
    /// By the oracle.
    pub oracle: Option<&'a Array>,
}

/// Why there is nothing to show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeatmapError {
    /// The plane or the index does not fit.
    #[error("{what} does not fit a tensor of shape {shape:?}")]
    Outside {
        /// What was asked for.
        what: String,
        /// Shape of the tensor.
        shape: Vec<usize>,
    },
    /// The quantity needs what the target has not computed.
    #[error("the target has not computed this result yet; run the operator first")]
    NoActual,
    /// Target and source cannot be laid side by side.
    #[error("the target's result has shape {actual:?}, the recorded one {expected:?}")]
    Shapes {
        /// The target's.
        actual: Vec<usize>,
        /// The source's.
        expected: Vec<usize>,
    },
    /// A tensor could not be read.
    #[error(transparent)]
    Tensor(#[from] TensorError),
}

/// Cells of a region of a plane, row by row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// Cells per row.
    pub width: usize,
    /// Rows of cells.
    pub height: usize,
    /// For each cell the finite value of largest magnitude in it, so that an outlier stays visible; 0 where none is finite.
    pub values: Vec<f32>,
    /// For each cell which of [`NAN`], [`POSITIVE_INFINITY`] and [`NEGATIVE_INFINITY`] are in it.
    pub nonfinite: Vec<u8>,
    /// The part of the plane that is shown, cut to what exists.
    pub region: Region,
    /// Rows of the whole plane.
    pub plane_rows: usize,
    /// Columns of the whole plane.
    pub plane_cols: usize,
    /// Smallest finite value of the whole plane; 0 where there is none.
    pub min: f32,
    /// Largest finite value of the whole plane; 0 where there is none.
    pub max: f32,
    /// Largest finite magnitude of the whole plane; 0 where there is none.
    pub max_abs: f32,
}

impl Grid {
    /// Rows of the plane that a row of cells covers.
    pub fn rows_of(&self, cell: usize) -> std::ops::Range<usize> {
        extent(self.region.row, self.region.rows, self.height, cell)
    }

    /// Columns of the plane that a column of cells covers.
    pub fn cols_of(&self, cell: usize) -> std::ops::Range<usize> {
        extent(self.region.col, self.region.cols, self.width, cell)
    }
}

/// Part `cell` of `size` elements cut into `cells` parts that differ by one element at most.
fn extent(start: usize, size: usize, cells: usize, cell: usize) -> std::ops::Range<usize> {
    let cells = cells.max(1);
    start + cell * size / cells..start + (cell + 1) * size / cells
}

/// Reduces a region of a plane to at most `max_width` × `max_height` cells (at least 1 × 1).
///
/// `region` None is the whole plane; one that reaches outside is cut.
///
/// # Errors
/// When the plane does not fit the tensor, the quantity needs a target that is missing, or shapes differ.
pub fn grid(
    subject: &Subject<'_>,
    quantity: Quantity,
    plane: &Plane,
    region: Option<Region>,
    max_width: usize,
    max_height: usize,
) -> Result<Grid, HeatmapError> {
    let layout = plane.layout(subject.expected.shape())?;
    let (rows, cols) = (layout.shape[0], layout.shape[1]);
    let region = region.unwrap_or(Region { row: 0, col: 0, rows, cols }).cut(rows, cols);
    let pair = Pair::new(subject, quantity, &layout)?;
    let (width, height) = (region.cols.min(max_width.max(1)), region.rows.min(max_height.max(1)));
    let mut grid = Grid {
        width,
        height,
        values: Vec::with_capacity(width * height),
        nonfinite: Vec::with_capacity(width * height),
        region,
        plane_rows: rows,
        plane_cols: cols,
        min: 0.0,
        max: 0.0,
        max_abs: 0.0,
    };
    measure_plane(&mut grid, &pair);
    for (row, col) in (0..height).flat_map(|row| (0..width).map(move |col| (row, col))) {
        let (value, flags) = reduce(&pair, grid.rows_of(row), grid.cols_of(col), cols);
        grid.values.push(value);
        grid.nonfinite.push(flags);
    }
    Ok(grid)
}

fn measure_plane(grid: &mut Grid, pair: &Pair) {
    let finite = (0..grid.plane_rows * grid.plane_cols).filter_map(|at| pair.value(at).ok());
    let (min, max) = finite.fold((f32::INFINITY, f32::NEG_INFINITY), |(min, max), v| (min.min(v), max.max(v)));
    if min <= max {
        (grid.min, grid.max, grid.max_abs) = (min, max, min.abs().max(max.abs()));
    }
}

fn reduce(pair: &Pair, rows: std::ops::Range<usize>, cols: std::ops::Range<usize>, stride: usize) -> (f32, u8) {
    let (mut largest, mut flags) = (0f32, 0u8);
    for at in rows.flat_map(|row| cols.clone().map(move |col| row * stride + col)) {
        match pair.value(at) {
            Ok(value) if value.abs() > largest.abs() => largest = value,
            Ok(_) => {}
            Err(kind) => flags |= flag(kind),
        }
    }
    (largest, flags)
}

fn flag(kind: Kind) -> u8 {
    match kind {
        Kind::Finite => 0,
        Kind::NaN => NAN,
        Kind::PositiveInfinity => POSITIVE_INFINITY,
        Kind::NegativeInfinity => NEGATIVE_INFINITY,
    }
}
