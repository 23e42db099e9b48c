//! Matrix products of fixed ranks, with and without something added: `mm`, `bmm`, `mv`, `dot`, `addmm`, `addmv`, `baddbmm`,
//! `addbmm`. Those of any rank are in the file `matmul`.

use super::{Family, Signature, broadcast, float_result, require};
use crate::graph::{Arg, Call, Meta, OpError};
use crate::tensor::DType;

/// How a product is made: the names and ranks of its factors, and what else is done.
#[derive(Debug)]
pub struct Form {
    /// The left factor.
    pub left: &'static str,
    /// The right factor.
    pub right: &'static str,
    /// Their ranks: 1 is a row on the left and a column on the right, 3 is a batch.
    ranks: [usize; 2],
    /// Whether the result is `beta · input + alpha · product`.
    pub added: bool,
    /// Whether the products of the batch are added up.
    pub summed: bool,
}

const fn plain(left: &'static str, right: &'static str, ranks: [usize; 2]) -> Form {
    Form { left, right, ranks, added: false, summed: false }
}

const fn added(left: &'static str, right: &'static str, ranks: [usize; 2], summed: bool) -> Form {
    Form { left, right, ranks, added: true, summed }
}

static MM_FORM: Form = plain("input", "mat2", [2, 2]);
static BMM_FORM: Form = plain("input", "mat2", [3, 3]);
static MV_FORM: Form = plain("input", "vec", [2, 1]);
static DOT_FORM: Form = plain("input", "tensor", [1, 1]);
static ADDMM_FORM: Form = added("mat1", "mat2", [2, 2], false);
static ADDMV_FORM: Form = added("mat", "vec", [2, 1], false);
static BADDBMM_FORM: Form = added("batch1", "batch2", [3, 3], false);
static ADDBMM_FORM: Form = added("batch1", "batch2", [3, 3], true);

macro_rules! products {
    ($($(#[$doc:meta])* $constant:ident $name:literal $params:expr;)*) => { $(
        $(#[$doc])*
        pub static $constant: Signature =
            Signature { name: $name, family: Family::Matmul, params: $params, infer: product };
    )* };
}

products! {
    /// `torch.mm(input, mat2)`: `[m, k]` · `[k, n]`.
    MM "mm" &["input", "mat2"];
    /// `torch.bmm(input, mat2)`: `[b, m, k]` · `[b, k, n]`.
    BMM "bmm" &["input", "mat2"];
    /// `torch.mv(input, vec)`: `[m, k]` · `[k]`.
    MV "mv" &["input", "vec"];
    /// `torch.dot(input, tensor)`: `[k]` · `[k]`, a result without dimensions.
    DOT "dot" &["input", "tensor"];
    /// `torch.addmm(input, mat1, mat2, beta=1, alpha=1)`: beta · input + alpha · (`[m, k]` · `[k, n]`); input broadcasts.
    ADDMM "addmm" &["input", "mat1", "mat2", "beta", "alpha"];
    /// `torch.addmv(input, mat, vec, beta=1, alpha=1)`: beta · input + alpha · (`[m, k]` · `[k]`); input broadcasts.
    ADDMV "addmv" &["input", "mat", "vec", "beta", "alpha"];
    /// `torch.baddbmm(input, batch1, batch2, beta=1, alpha=1)`: beta · input + alpha · (`[b, m, k]` · `[b, k, n]`); input
    /// broadcasts.
    BADDBMM "baddbmm" &["input", "batch1", "batch2", "beta", "alpha"];
    /// `torch.addbmm(input, batch1, batch2, beta=1, alpha=1)`: beta · input + alpha · Σ over b of `[b, m, k]` · `[b, k, n]`;
    /// input broadcasts.
    ADDBMM "addbmm" &["input", "batch1", "batch2", "beta", "alpha"];
}

/// The form of the operator of this call.
///
/// # Errors
/// When it is none of this family.
pub fn form<T>(call: &Call<T>) -> Result<&'static Form, OpError> {
    Ok(match call.op() {
        "mm" => &MM_FORM,
        "bmm" => &BMM_FORM,
        "mv" => &MV_FORM,
        "dot" => &DOT_FORM,
        "addmm" => &ADDMM_FORM,
        "addmv" => &ADDMV_FORM,
        "baddbmm" => &BADDBMM_FORM,
        "addbmm" => &ADDBMM_FORM,
        other => return Err(OpError::Unknown(other.to_owned())),
    })
}

/// Sizes of a product: matrices in the batch, and m, k, n of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Matrices; 1 without a batch.
    pub batch: usize,
    /// Rows of the left factor.
    pub rows: usize,
    /// Columns of the left factor, rows of the right one.
    pub depth: usize,
    /// Columns of the right factor.
    pub columns: usize,
}

impl Form {
    /// Sizes of the factors, whose ranks are those of the form.
    pub fn sizes(&self, left: &[usize], right: &[usize]) -> Sizes {
        let batch = if let [batch, _, _] = *left { batch } else { 1 };
        let (rows, depth) =
            if let [.., rows, depth] = *left { (rows, depth) } else { (1, left.first().map_or(1, |&k| k)) };
        let columns = if let [.., _, columns] = *right { columns } else { 1 };
        Sizes { batch, rows, depth, columns }
    }
}

fn product(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let form = form(call)?;
    let (left, right) = (call.tensor(form.left)?, call.tensor(form.right)?);
    for (name, tensor, rank) in [(form.left, left, form.ranks[0]), (form.right, right, form.ranks[1])] {
        require(tensor.rank() == rank, call, name, || {
            format!("must have {rank} dimension{}, not shape {:?}", if rank == 1 { "" } else { "s" }, tensor.shape)
        })?;
    }
    let dtype = left.dtype;
    require(dtype.is_integer() || float_result(dtype) == dtype, call, form.left, || {
        format!("of dtype {dtype} cannot be multiplied; it must hold integers or be f32, f16, bf16 or f64")
    })?;
    // Weights in blocks and of 8 bits are read in their stored form, as in `linear`.
    let stored = right.dtype.is_quantized() || right.dtype.is_f8();
    require(right.dtype == dtype || (dtype.is_float() && stored), call, form.right, || {
        format!("must be of {}'s dtype {dtype}, not {}", form.left, right.dtype)
    })?;
    // The ranks have been checked: with one dimension k is the first of the right factor, else the last but one.
    let inner = right.shape[right.rank().saturating_sub(2)];
    let sizes = form.sizes(&left.shape, &right.shape);
    require(sizes.depth == inner, call, form.right, || {
        let (depth, left) = (sizes.depth, &left.shape);
        format!(
            "of shape {:?} does not fit {}'s {left:?}: {depth} columns against {inner} rows",
            right.shape, form.left
        )
    })?;
    if form.ranks[0] == 3 {
        require(left.shape[0] == right.shape[0], call, form.right, || {
            format!("must have as many matrices as {}: {} against {}", form.left, right.shape[0], left.shape[0])
        })?;
    }
    let mut shape = Vec::with_capacity(3);
    shape.extend((form.ranks[0] == 3 && !form.summed).then_some(sizes.batch));
    shape.extend((form.ranks[0] > 1).then_some(sizes.rows));
    shape.extend((form.ranks[1] > 1).then_some(sizes.columns));
    require(dtype.byte_len(&shape).is_some(), call, form.right, || {
        format!("makes a result of shape {shape:?}: too large")
    })?;
    if form.added {
        check_added(call, dtype, &shape)?;
    }
    Ok(vec![Meta::new(dtype, &shape)])
}

/// `input` must broadcast to the result, and `beta` and `alpha` be integers where the tensors are.
fn check_added(call: &Call<Meta>, dtype: DType, shape: &[usize]) -> Result<(), OpError> {
    let input = call.tensor("input")?;
    require(input.dtype == dtype, call, "input", || {
        format!("must be of the factors' dtype {dtype}, not {}", input.dtype)
    })?;
    require(broadcast(&input.shape, shape).as_deref() == Some(shape), call, "input", || {
        format!("of shape {:?} does not broadcast to the product's {shape:?}", input.shape)
    })?;
    for name in ["beta", "alpha"] {
        call.float(name, 1.0)?;
        require(dtype.is_float() || !matches!(call.plain(name), Arg::Float(_)), call, name, || {
            format!("must be an integer where the tensors are {dtype}")
        })?;
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::operators;

    fn tensors(op: &str, tensors: &[(&str, DType, &[usize])]) -> Call<Meta> {
        let add = |call: Call<Meta>, (name, dtype, shape): &(&str, DType, &[usize])| {
            call.tensor_arg(name, Meta::new(*dtype, shape))
        };
        tensors.iter().fold(Call::new(op), add)
    }

    #[test]
    fn bad_arguments_are_named() {
        const F: DType = DType::F32;
        const I: DType = DType::I64;
        let huge = usize::MAX / 2;
        let mm = |left: &[usize], right: &[usize]| tensors("mm", &[("input", F, left), ("mat2", F, right)]);
        let added =
            |shape: &[usize]| tensors("addmm", &[("input", F, shape), ("mat1", F, &[2, 3]), ("mat2", F, &[3, 4])]);
        let integers = tensors("addmm", &[("input", I, &[4]), ("mat1", I, &[2, 3]), ("mat2", I, &[3, 4])]);
        let cases = [
            (Call::new("mm"), "'input' is missing"),
            (mm(&[2], &[2, 3]), "input' must have 2 dimensions, not shape [2]"),
            (mm(&[2, 3], &[3]), "mat2' must have 2 dimensions"),
            (mm(&[2, 3], &[4, 5]), "3 columns against 4 rows"),
            (mm(&[huge, 0], &[0, huge]), "too large"),
            (tensors("mm", &[("input", F, &[2, 3]), ("mat2", DType::F16, &[3, 2])]), "dtype f32, not f16"),
            (tensors("mm", &[("input", DType::Bool, &[2, 3]), ("mat2", DType::Bool, &[3, 2])]), "dtype bool"),
            (tensors("mm", &[("input", DType::F8E4M3, &[2, 3]), ("mat2", F, &[3, 2])]), "dtype f8_e4m3"),
            (tensors("mv", &[("input", F, &[2, 3]), ("vec", F, &[3, 1])]), "vec' must have 1 dimension,"),
            (tensors("mv", &[("input", F, &[2, 3]), ("vec", F, &[2])]), "3 columns against 2 rows"),
            (tensors("dot", &[("input", F, &[2]), ("tensor", F, &[3])]), "2 columns against 3 rows"),
            (tensors("bmm", &[("input", F, &[1, 2, 3]), ("mat2", F, &[4, 3, 2])]), "as many matrices"),
            (added(&[3]), "does not broadcast to the product's [2, 4]"),
            (added(&[5, 2, 4]), "does not broadcast"),
            (added(&[4]).arg("beta", Arg::Str("one".to_owned())), "'beta' must be a number"),
            (integers.arg("alpha", Arg::Float(0.5)), "'alpha' must be an integer"),
            (mm(&[2, 3], &[3, 2]).arg("alpha", Arg::Int(1)), "alpha"),
        ];
        for (call, what) in cases {
            let error = operators::infer(&call).expect_err(what).to_string();
            assert!(error.contains(call.op()) && error.contains(what), "{error}: no '{what}'");
        }
    }
}
