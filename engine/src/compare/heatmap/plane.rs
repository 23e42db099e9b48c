//! A two-dimensional slice of a tensor of any rank.

use super::HeatmapError;
use crate::tensor::Layout;
use serde::{Deserialize, Serialize};

/// Which dimensions run down and across, and where the others stand still.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plane {
    /// Dimension that runs down; None for a plane one row high.
    pub rows_dim: Option<usize>,
    /// Dimension that runs across; None for a plane one column wide.
    pub cols_dim: Option<usize>,
    /// Position along every dimension of the tensor; those of the two above are ignored.
    pub index: Vec<usize>,
}

/// A rectangle of a plane, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// First row.
    pub row: usize,
    /// First column.
    pub col: usize,
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
}

impl Plane {
    /// The last two dimensions, at the start of the others; a vector lies across, a rank-0 tensor is one element.
    pub fn of(shape: &[usize]) -> Self {
        Self::through(vec![0; shape.len()])
    }

    /// The last two dimensions, through the element at `index`.
    pub fn through(index: Vec<usize>) -> Self {
        let rank = index.len();
        Plane { rows_dim: rank.checked_sub(2), cols_dim: rank.checked_sub(1), index }
    }

    /// Index in the tensor of an element of the plane.
    pub fn index_of(&self, row: usize, col: usize) -> Vec<usize> {
        let mut index = self.index.clone();
        for (dim, position) in [(self.rows_dim, row), (self.cols_dim, col)] {
            if let Some(place) = dim.and_then(|dim| index.get_mut(dim)) {
                *place = position;
            }
        }
        index
    }

    /// The plane as a view `[rows, cols]` of a contiguous tensor.
    ///
    /// # Errors
    /// When a dimension is none of the tensor's, both are the same, or the index lies outside.
    pub fn layout(&self, shape: &[usize]) -> Result<Layout, HeatmapError> {
        let outside = || HeatmapError::Outside { what: format!("the plane {self:?}"), shape: shape.to_vec() };
        let named = [self.rows_dim, self.cols_dim];
        let distinct = self.rows_dim.is_none() || self.rows_dim != self.cols_dim;
        if !distinct || self.index.len() != shape.len() || named.iter().flatten().any(|&dim| dim >= shape.len()) {
            return Err(outside());
        }
        let base = Layout::contiguous(shape);
        let mut layout = Layout { shape: vec![1, 1], strides: vec![0, 0], offset: 0 };
        // Dimensions are below the rank, checked above; index, shape and strides have that length.
        for (at, dim) in named.into_iter().enumerate() {
            if let Some(dim) = dim {
                (layout.shape[at], layout.strides[at]) = (shape[dim], base.strides[dim]);
            }
        }
        for (dim, &position) in self.index.iter().enumerate().filter(|(dim, _)| !named.contains(&Some(*dim))) {
            if position >= shape[dim] {
                return Err(outside());
            }
            layout.offset += position * base.strides[dim];
        }
        Ok(layout)
    }
}

impl Region {
    /// The part that lies within a plane of `rows` × `cols`.
    pub fn cut(self, rows: usize, cols: usize) -> Region {
        let (row, col) = (self.row.min(rows), self.col.min(cols));
        Region { row, col, rows: self.rows.min(rows - row), cols: self.cols.min(cols - col) }
    }
}

/// Index along every dimension of the element at a position in row-major order; `None` where there is none.
pub fn unravel(position: usize, shape: &[usize]) -> Option<Vec<usize>> {
    let mut rest = position;
    let mut index = vec![0; shape.len()];
    for (place, &size) in index.iter_mut().zip(shape).rev() {
        *place = rest.checked_rem(size)?;
        rest /= size;
    }
    (rest == 0).then_some(index)
}
