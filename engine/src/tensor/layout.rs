//! How the elements of a view lie in the tensor it looks into.

use serde::{Deserialize, Serialize};

/// The highest rank a trace may hold: what the WGSL kernels' index arithmetic is written for.
pub const MAX_RANK: usize = 8;

/// A strided view, in elements: element `i` of the view stands at `offset + Σ i[d]·strides[d]` of its base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Size of each dimension.
    pub shape: Vec<usize>,
    /// Elements between neighbours along each dimension; 0 where a dimension is expanded.
    pub strides: Vec<usize>,
    /// Element at which the view begins.
    pub offset: usize,
}

/// Why a layout or a view operator does not fit its tensor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// The shape and the strides differ in length, or the rank is over [`MAX_RANK`].
    #[error("rank {shape} with {strides} strides; both must be equal and at most {MAX_RANK}")]
    Rank {
        /// Length of the shape.
        shape: usize,
        /// Length of the strides.
        strides: usize,
    },
    /// The view reaches past the end of its base.
    #[error("the view reaches element {reach}, but its base has {base} elements")]
    OutOfBounds {
        /// Highest element index that the view touches, plus one.
        reach: usize,
        /// Elements in the base.
        base: usize,
    },
    /// Sizes multiply to more than an address can hold.
    #[error("the shape {0:?} overflows")]
    Overflow(Vec<usize>),
}

impl Layout {
    /// The row-major layout of `shape`.
    pub fn contiguous(shape: &[usize]) -> Self {
        let mut strides = vec![1; shape.len()];
        let mut step = 1usize;
        for (stride, &size) in strides.iter_mut().zip(shape).rev() {
            *stride = step;
            step = step.saturating_mul(size.max(1));
        }
        Layout { shape: shape.to_vec(), strides, offset: 0 }
    }

    /// Number of elements of the view.
    pub fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether the elements lie row-major without gaps (dimensions of size 1 may have any stride).
    pub fn is_contiguous(&self) -> bool {
        let mut expected = 1usize;
        for (&size, &stride) in self.shape.iter().zip(&self.strides).rev() {
            if size != 1 && stride != expected {
                return self.numel() == 0;
            }
            expected = expected.saturating_mul(size);
        }
        true
    }

    /// Checks the view against a base of `base` elements.
    ///
    /// # Errors
    /// When ranks differ or exceed [`MAX_RANK`], sizes overflow, or an element lies outside the base.
    pub fn check(&self, base: usize) -> Result<(), LayoutError> {
        let (shape, strides) = (self.shape.len(), self.strides.len());
        if shape != strides || shape > MAX_RANK {
            return Err(LayoutError::Rank { shape, strides });
        }
        let overflow = || LayoutError::Overflow(self.shape.clone());
        self.shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size)).ok_or_else(overflow)?;
        if self.shape.contains(&0) {
            return Ok(());
        }
        let mut reach = self.offset;
        for (&size, &stride) in self.shape.iter().zip(&self.strides) {
            reach = (size - 1).checked_mul(stride).and_then(|span| reach.checked_add(span)).ok_or_else(overflow)?;
        }
        let reach = reach.checked_add(1).ok_or_else(overflow)?;
        if reach > base {
            return Err(LayoutError::OutOfBounds { reach, base });
        }
        Ok(())
    }

    /// Base positions of the view's elements, in row-major order of the view.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        let mut index = vec![0usize; self.shape.len()];
        let mut position = self.offset;
        (0..self.numel()).map(move |_| {
            let here = position;
            for dim in (0..index.len()).rev() {
                index[dim] += 1;
                position += self.strides[dim];
                if index[dim] < self.shape[dim] {
                    break;
                }
                position -= self.strides[dim] * self.shape[dim];
                index[dim] = 0;
            }
            here
        })
    }
}
