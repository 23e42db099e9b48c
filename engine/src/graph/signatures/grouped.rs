//! Products of groups of matrices: `grouped_mm`, the product of the experts in a mixture of experts.

use super::{Family, Signature, require, sized};
use crate::graph::{Call, Meta, OpError};
use crate::tensor::DType;

/// `torch.nn.functional.grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None)`: a matrix product per group.
///
/// | mat_a | mat_b | result of group g | result |
/// |---|---|---|---|
/// | `[M, K]` | `[G, K, N]` | rows g of mat_a · mat_b\[g\] | `[M, N]` |
/// | `[G, M, K]` | `[K, N]` | mat_a\[g\] · columns g of mat_b | `[M, N]` |
/// | `[M, K]` | `[K, N]` | columns g of mat_a · rows g of mat_b | `[G, M, N]` |
/// | `[G, M, K]` | `[G, K, N]` | mat_a\[g\] · mat_b\[g\] | `[G, M, N]` |
///
/// `offs` (i32 `[G]`) holds where each group ends along the dimension that the groups share; a group begins where the one before
/// ends. It is given just where a factor has 2 dimensions. What lies behind the last group belongs to none: PyTorch leaves
/// those results unset, here they are 0. `out_dtype` may be the factors' or f32; `bias` is in PyTorch's signature and refused by
/// it.
pub static GROUPED_MM: Signature = Signature {
    name: "grouped_mm",
    family: Family::Matmul,
    params: &["mat_a", "mat_b", "offs", "bias", "out_dtype"],
    infer,
};

/// `aten::_grouped_mm(self, mat2, offs=None, bias=None, out_dtype=None)`: what `grouped_mm` calls.
pub static GROUPED_MM_CORE: Signature = Signature {
    name: "_grouped_mm",
    family: Family::Matmul,
    params: &["input", "mat2", "offs", "bias", "out_dtype"],
    infer,
};

/// The names of the two factors of this call.
pub fn factors<T>(call: &Call<T>) -> [&'static str; 2] {
    if call.op() == "_grouped_mm" { ["input", "mat2"] } else { ["mat_a", "mat_b"] }
}

/// What the groups divide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divided {
    /// The rows of the left factor, and of the result.
    Rows,
    /// The columns of the right factor, and of the result.
    Columns,
    /// The columns of the left factor and the rows of the right one.
    Depth,
    /// Nothing: both factors have a matrix per group.
    Nothing,
}

/// Sizes of a call that has been checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// What they divide.
    pub divided: Divided,
    /// Groups.
    pub count: usize,
    /// Rows of the left factor.
    pub rows: usize,
    /// Columns of the left factor.
    pub depth: usize,
    /// Columns of the right factor.
    pub columns: usize,
}

impl Groups {
    /// Of factors of these shapes, which have 2 or 3 dimensions, and so many offsets.
    pub fn of(left: &[usize], right: &[usize], offsets: usize) -> Option<Self> {
        let (divided, count) = match (left, right) {
            ([_, _], &[count, _, _]) => (Divided::Rows, count),
            (&[count, _, _], [_, _]) => (Divided::Columns, count),
            ([_, _], [_, _]) => (Divided::Depth, offsets),
            (&[count, _, _], [_, _, _]) => (Divided::Nothing, count),
            _ => return None,
        };
        let (&[.., rows, depth], &[.., columns]) = (left, right) else { return None };
        Some(Groups { divided, count, rows, depth, columns })
    }

    /// The size that the offsets divide.
    pub fn length(&self) -> usize {
        match self.divided {
            Divided::Rows => self.rows,
            Divided::Columns => self.columns,
            Divided::Depth | Divided::Nothing => self.depth,
        }
    }
}

fn infer(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let [left_name, right_name] = factors(call);
    let (left, right) = (call.tensor(left_name)?, call.tensor(right_name)?);
    for (name, tensor) in [(left_name, left), (right_name, right)] {
        require([2, 3].contains(&tensor.rank()), call, name, || {
            format!("must have 2 or 3 dimensions, not shape {:?}", tensor.shape)
        })?;
    }
    require(matches!(left.dtype, DType::F32 | DType::F16 | DType::BF16), call, left_name, || {
        format!("must be f32, f16 or bf16, not {}", left.dtype)
    })?;
    require(right.dtype == left.dtype, call, right_name, || {
        format!("must be of {left_name}'s dtype {}, not {}", left.dtype, right.dtype)
    })?;
    let inner = right.shape[right.rank() - 2]; // its rank has been checked
    require(left.shape.last() == Some(&inner), call, right_name, || {
        format!("of shape {:?} does not fit {left_name}'s {:?}: it has {inner} rows", right.shape, left.shape)
    })?;
    let offs = call.opt_tensor("offs")?;
    check_offs(call, left, right, offs)?;
    let offsets = offs.map_or(0, |offs| offs.shape.first().copied().unwrap_or(0));
    let groups = Groups::of(&left.shape, &right.shape, offsets)
        .ok_or_else(|| call.error(left_name, format!("of shape {:?} has no matrices", left.shape)))?;
    let bias = call.opt_tensor("bias")?;
    require(bias.is_none(), call, "bias", || "must be None: PyTorch does not support it yet".to_owned())?;
    let dtype = call.opt_dtype("out_dtype")?.unwrap_or(left.dtype);
    require(dtype == left.dtype || dtype == DType::F32, call, "out_dtype", || {
        format!("must be {left_name}'s dtype {} or f32, not {dtype}", left.dtype)
    })?;
    let matrix = [groups.rows, groups.columns];
    let shape = match groups.divided {
        Divided::Rows | Divided::Columns => matrix.to_vec(),
        Divided::Depth | Divided::Nothing => [&[groups.count], matrix.as_slice()].concat(),
    };
    Ok(vec![sized(call, right_name, dtype, &shape)?])
}

/// `offs` is given just where something is divided, and says so for each matrix.
fn check_offs(call: &Call<Meta>, left: &Meta, right: &Meta, offs: Option<&Meta>) -> Result<(), OpError> {
    let both = (left.rank(), right.rank()) == (3, 3);
    let Some(offs) = offs else {
        let rule = || "is missing: a factor of 2 dimensions needs the groups' ends".to_owned();
        require(both, call, "offs", rule)?;
        let rule = || format!("must have as many matrices as the other: {} against {}", right.shape[0], left.shape[0]);
        return require(left.shape[0] == right.shape[0], call, factors(call)[1], rule);
    };
    require(!both, call, "offs", || "must be None where both factors have 3 dimensions".to_owned())?;
    require(offs.dtype == DType::I32, call, "offs", || format!("must be i32, not {}", offs.dtype))?;
    require(offs.rank() == 1, call, "offs", || format!("must have 1 dimension, not shape {:?}", offs.shape))?;
    for (name, factor) in factors(call).into_iter().zip([left, right]) {
        require(factor.rank() != 3 || factor.shape.first() == offs.shape.first(), call, "offs", || {
            format!("of shape {:?} must have an end for each matrix of {name}'s {:?}", offs.shape, factor.shape)
        })?;
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::graph::Arg;
    use crate::operators;

    fn call(left: &[usize], right: &[usize], offs: Option<(DType, &[usize])>) -> Call<Meta> {
        let call = Call::new("grouped_mm")
            .tensor_arg("mat_a", Meta::new(DType::BF16, left))
            .tensor_arg("mat_b", Meta::new(DType::BF16, right));
        match offs {
            Some((dtype, shape)) => call.tensor_arg("offs", Meta::new(dtype, shape)),
            None => call,
        }
    }

    #[test]
    fn bad_arguments_are_named() {
        let ends = |count: &'static [usize]| Some((DType::I32, count));
        let moe = || call(&[5, 4], &[2, 4, 3], ends(&[2]));
        let cases = [
            (Call::new("grouped_mm"), "'mat_a' is missing"),
            (call(&[4], &[2, 4, 3], ends(&[2])), "mat_a' must have 2 or 3 dimensions, not shape [4]"),
            (call(&[5, 4], &[2, 5, 3], ends(&[2])), "mat_b' of shape [2, 5, 3] does not fit mat_a's [5, 4]"),
            (call(&[5, 4], &[2, 4, 3], None), "'offs' is missing"),
            (call(&[2, 5, 4], &[2, 4, 3], ends(&[2])), "'offs' must be None"),
            (call(&[2, 5, 4], &[3, 4, 3], None), "as many matrices as the other: 3 against 2"),
            (call(&[5, 4], &[2, 4, 3], Some((DType::I64, &[2]))), "'offs' must be i32, not i64"),
            (call(&[5, 4], &[2, 4, 3], ends(&[2, 1])), "'offs' must have 1 dimension"),
            (call(&[5, 4], &[2, 4, 3], ends(&[3])), "'offs' of shape [3] must have an end for each matrix of mat_b's"),
            (call(&[3, 5, 4], &[4, 3], ends(&[2])), "an end for each matrix of mat_a's [3, 5, 4]"),
            (call(&[1 << 20, 0], &[0, 1 << 20], ends(&[1])), "too large"),
            (moe().tensor_arg("bias", Meta::new(DType::BF16, &[3])), "'bias' must be None"),
            (moe().arg("out_dtype", Arg::Str("f16".to_owned())), "'out_dtype' must be mat_a's dtype bf16 or f32"),
            (moe().tensor_arg("mat_a", Meta::new(DType::F64, &[5, 4])), "f32, f16 or bf16, not f64"),
            (moe().tensor_arg("mat_b", Meta::new(DType::F32, &[2, 4, 3])), "mat_a's dtype bf16, not f32"),
        ];
        for (call, what) in cases {
            let error = operators::infer(&call).expect_err(what).to_string();
            assert!(error.contains(call.op()) && error.contains(what), "{error}: no '{what}'");
        }
    }
}
