//! Matrix products of fixed ranks, with and without something added.

use super::broadcast::expand;
use super::elementwise::{array, is_int, wrap};
use super::matmul::{floats, integers};
use super::{Array, Data, unsupported};
use crate::graph::signatures::products::{Form, Sizes, form};
use crate::graph::{Call, Meta, OpError};
use crate::operators;

/// `mm`, `bmm`, `mv`, `dot`: the products themselves; `addmm`, `addmv`, `baddbmm`: beta · input + alpha · product; `addbmm`: the
/// same with the products of the batch added up.
///
/// Where beta is 0, NaN and infinity in input count for nothing, as PyTorch documents. Integers wrap around.
pub fn product(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    let (form, meta) = (form(call)?, meta(call)?);
    let (left, right) = (call.tensor(form.left)?, call.tensor(form.right)?);
    let sizes = form.sizes(&left.shape, &right.shape);
    let data = if is_int(meta.dtype) {
        let (left, right) = (left.ints(), right.ints());
        let matrices = each(sizes, |at, bt| integers(&left[at.0..at.1], &right[bt.0..bt.1], sizes.of_one()));
        let mut values = gather(form, sizes, matrices, i64::wrapping_add);
        if form.added {
            let (beta, alpha) = (call.int("beta", 1)?, call.int("alpha", 1)?);
            let input = call.tensor("input")?;
            for (value, added) in values.iter_mut().zip(expand(&input.ints(), &input.shape, &meta.shape)) {
                *value = alpha.wrapping_mul(*value).wrapping_add(beta.wrapping_mul(added));
            }
        }
        Data::Int(values.into_iter().map(|value| wrap(meta.dtype, value)).collect())
    } else {
        let (left, right) = (left.floats(), right.floats());
        let matrices = each(sizes, |at, bt| floats(&left[at.0..at.1], &right[bt.0..bt.1], sizes.of_one()));
        let mut values = gather(form, sizes, matrices, |a, b| a + b);
        if form.added {
            let (beta, alpha) = (call.float("beta", 1.0)?, call.float("alpha", 1.0)?);
            let input = call.tensor("input")?;
            for (value, added) in values.iter_mut().zip(expand(&input.floats(), &input.shape, &meta.shape)) {
                *value = alpha * *value + if beta == 0.0 { 0.0 } else { beta * added };
            }
        }
        Data::Float(values)
    };
    Ok(vec![array(meta, data)])
}

/// dtype and shape of the result, by the operator's signature.
fn meta(call: &Call<Array>) -> Result<Meta, OpError> {
    let metas = operators::infer(&call.map_tensors(Array::meta))?;
    metas.into_iter().next().ok_or_else(|| unsupported(call, "a call without results"))
}

impl Sizes {
    fn of_one(self) -> [usize; 3] {
        [self.rows, self.depth, self.columns]
    }
}

type Range = (usize, usize);

/// The product of each matrix of the batch; `multiply` gets the ranges of its factors' elements, which are in range because the
/// signature has checked the shapes.
fn each<T>(sizes: Sizes, multiply: impl Fn(Range, Range) -> Vec<T>) -> Vec<Vec<T>> {
    let (left, right) = (sizes.rows * sizes.depth, sizes.depth * sizes.columns);
    (0..sizes.batch).map(|b| multiply((b * left, (b + 1) * left), (b * right, (b + 1) * right))).collect()
}

/// The matrices one after another, or their sum.
fn gather<T: Copy + Default>(form: &Form, sizes: Sizes, matrices: Vec<Vec<T>>, add: impl Fn(T, T) -> T) -> Vec<T> {
    if !form.summed {
        return matrices.concat();
    }
    let mut sums = vec![T::default(); sizes.rows * sizes.columns];
    for matrix in matrices {
        for (sum, value) in sums.iter_mut().zip(matrix) {
            *sum = add(*sum, value);
        }
    }
    sums
}
