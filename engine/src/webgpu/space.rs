//! Index spaces: the dimensions that a kernel walks over with one linear index.

use super::dispatch::Operand;

/// Dimensions walked over in row-major order.
#[derive(Debug)]
pub(crate) struct Space {
    pub(crate) name: &'static str,
    pub(crate) sizes: Vec<usize>,
}

/// Drops dimensions of size 1 and merges neighbours that every operand steps through evenly, so that most tensors need no
/// division on the GPU. A stride may be negative as a 32-bit word, so their products must not stop at the largest number.
pub(crate) fn collapse(space: &mut Space, operands: &mut [Operand]) {
    let mut strides: Vec<&mut Vec<usize>> = operands
        .iter_mut()
        .flat_map(|operand| operand.access.iter_mut())
        .filter(|(name, _)| *name == space.name)
        .map(|(_, strides)| strides)
        .collect();
    let mut dim = space.sizes.len();
    while dim > 0 {
        dim -= 1;
        if space.sizes[dim] == 1 {
            space.sizes.remove(dim);
            for strides in &mut strides {
                strides.remove(dim);
            }
            continue;
        }
        let next = dim + 1;
        let Some(&inner) = space.sizes.get(next) else { continue };
        if strides.iter().all(|strides| strides[dim] == strides[next].wrapping_mul(inner)) {
            space.sizes[dim] = space.sizes[dim].saturating_mul(inner);
            space.sizes.remove(next);
            for strides in &mut strides {
                strides.remove(dim);
            }
        }
    }
}

/// Strides that read a tensor of `shape` and `strides` as if it had the broadcast shape `target`.
pub(crate) fn broadcast_strides(shape: &[usize], strides: &[usize], target: &[usize]) -> Vec<usize> {
    let added = target.len().saturating_sub(shape.len());
    let own = shape.iter().zip(strides).map(|(&size, &stride)| if size == 1 { 0 } else { stride });
    std::iter::repeat_n(0, added).chain(own).collect()
}

#[cfg(test)]
mod tests {
    use super::super::dispatch::{Operand, Seen, Source};
    use super::*;

    fn operand(strides: &[usize]) -> Operand {
        Operand { name: "a", source: Source::Scalar, seen: Seen::Float, access: vec![("element", strides.to_vec())] }
    }

    fn collapsed(sizes: &[usize], strides: &[&[usize]]) -> (Vec<usize>, Vec<Vec<usize>>) {
        let mut space = Space { name: "element", sizes: sizes.to_vec() };
        let mut operands: Vec<_> = strides.iter().map(|strides| operand(strides)).collect();
        collapse(&mut space, &mut operands);
        (space.sizes, operands.into_iter().map(|mut operand| operand.access.remove(0).1).collect())
    }

    #[test]
    fn contiguous_operands_merge_to_one_dimension() {
        assert_eq!(collapsed(&[2, 3, 4], &[&[12, 4, 1], &[12, 4, 1]]), (vec![24], vec![vec![1], vec![1]]));
    }

    #[test]
    fn a_broadcast_row_keeps_two_dimensions() {
        assert_eq!(collapsed(&[2, 3, 4], &[&[12, 4, 1], &[0, 0, 1]]), (vec![6, 4], vec![vec![4, 1], vec![0, 1]]));
    }

    #[test]
    fn a_transposed_operand_merges_nothing() {
        assert_eq!(collapsed(&[3, 2], &[&[1, 3]]), (vec![3, 2], vec![vec![1, 3]]));
    }

    #[test]
    fn sizes_of_one_vanish() {
        assert_eq!(collapsed(&[1, 5, 1], &[&[9, 2, 7]]), (vec![5], vec![vec![2]]));
        assert_eq!(collapsed(&[1, 1], &[&[9, 9]]), (vec![], vec![vec![]]));
    }

    #[test]
    fn broadcasting_zeroes_strides_of_ones_and_of_missing_dimensions() {
        assert_eq!(broadcast_strides(&[1, 4], &[4, 1], &[2, 3, 4]), [0, 0, 1]);
        assert_eq!(broadcast_strides(&[], &[], &[2]), [0]);
    }
}
