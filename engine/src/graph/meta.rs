//! dtype and shape of a tensor, without its elements: what signatures are checked against.

use crate::tensor::DType;

/// dtype and shape of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// Element type.
    pub dtype: DType,
    /// Size of each dimension.
    pub shape: Vec<usize>,
}

impl Meta {
    /// A description.
    pub fn new(dtype: DType, shape: &[usize]) -> Self {
        Meta { dtype, shape: shape.to_vec() }
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }
}

impl std::fmt::Display for Meta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:?}", self.dtype, self.shape)
    }
}
