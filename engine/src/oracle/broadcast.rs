//! Broadcasting by PyTorch's rule: dimensions are aligned at the end, and a size of 1 stretches.

use crate::tensor::Layout;

/// Elements of an array of shape `from`, repeated to shape `to`, to which it must broadcast.
pub(crate) fn expand<T: Copy>(values: &[T], from: &[usize], to: &[usize]) -> Vec<T> {
    if from == to {
        return values.to_vec();
    }
    // In range: every position is one of a layout that broadcasting derived from `from`.
    layout(from, to).positions().map(|position| values[position]).collect()
}

/// The layout that sees an array of shape `from` as one of shape `to`.
pub(crate) fn layout(from: &[usize], to: &[usize]) -> Layout {
    let strides = Layout::contiguous(from).strides;
    let added = to.len() - from.len().min(to.len());
    let stride = |dim: usize| match dim.checked_sub(added) {
        Some(at) if from[at] != 1 => strides[at],
        _ => 0,
    };
    Layout { shape: to.to_vec(), strides: (0..to.len()).map(stride).collect(), offset: 0 }
}
