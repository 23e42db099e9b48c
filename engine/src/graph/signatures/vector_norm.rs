//! The older names of vector norms. Norms of matrices that need more than their elements' magnitudes are not done.

use super::reduction::LINALG_VECTOR_NORM;
use super::{Family, Signature};
use crate::graph::{Arg, Call, Meta, OpError, Value};

/// `torch.norm(input, p=2, dim=None, keepdim=False, dtype=None)`; p is a number or "fro", which is 2.
pub static NORM: Signature =
    Signature { name: "norm", family: Family::Reduction, params: &["input", "p", "dim", "keepdim", "dtype"], infer };

/// `torch.linalg.norm(input, ord=None, dim=None, keepdim=False, dtype=None)`: without ord the 2-norm of all elements or of any
/// dimensions; with one that of a vector, or "fro" of a matrix.
pub static LINALG_NORM: Signature = Signature {
    name: "linalg_norm",
    family: Family::Reduction,
    params: &["input", "ord", "dim", "keepdim", "dtype"],
    infer,
};

/// The call of `linalg_vector_norm` that gives the same, for an input of this rank.
///
/// # Errors
/// When it is the norm of a matrix that no vector norm gives, or the order is neither a number nor known.
pub fn as_vector_norm<T: Clone>(call: &Call<T>, rank: usize) -> Result<Call<T>, OpError> {
    let name = if call.op() == "norm" { "p" } else { "ord" };
    let dims = call.opt_ints("dim")?;
    let order = match call.plain(name) {
        Arg::Str(order) if order == "fro" => {
            let over = dims.as_ref().map_or(rank, Vec::len);
            if name == "ord" && over != 2 {
                return Err(call.error(name, format!("'fro' is a matrix's, over 2 dimensions and not {over}")));
            }
            2.0
        }
        Arg::Str(order) if order == "nuc" => return Err(of_matrices(call)),
        Arg::Str(order) => return Err(call.error(name, format!("must be a number, 'fro' or 'nuc', not '{order}'"))),
        _ => match call.opt_float(name)? {
            Some(order) if name == "ord" => match (dims.as_deref(), rank) {
                (Some([_]), _) | (None, 1) => order,
                (Some([_, _]), _) | (None, 2) => return Err(of_matrices(call)),
                (Some(dims), _) => {
                    return Err(call.error("dim", format!("{dims:?} must be 1 or 2 dimensions where 'ord' is given")));
                }
                (None, _) => return Err(call.error("ord", format!("needs 'dim' for {rank} dimensions"))),
            },
            order => order.unwrap_or(2.0),
        },
    };
    let kept = call.args().filter(|(argument, _)| *argument != name);
    let call = kept.fold(Call::new(LINALG_VECTOR_NORM.name), |same, (name, value)| same.with(name, value.clone()));
    Ok(call.with("ord", Value::Plain(Arg::Float(order))))
}

fn of_matrices<T>(call: &Call<T>) -> OpError {
    OpError::Unsupported { op: call.op().to_owned(), what: "the norm of a matrix".to_owned(), by: "Taproot" }
}

fn infer(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    LINALG_VECTOR_NORM.check(&as_vector_norm(call, call.tensor("input")?.rank())?)
}
