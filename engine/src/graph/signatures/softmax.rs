//! The relatives of softmax: logarithms, core forms, softmin.

use super::reduction::{float_dtype, reduced_shape};
use super::{Family, Signature, float_result, require};
use crate::graph::{Call, Meta, OpError, wrap_dim};
use crate::tensor::DType;

/// `torch.log_softmax(input, dim, dtype=None)`.
pub static LOG_SOFTMAX: Signature =
    Signature { name: "log_softmax", family: Family::Norm, params: &["input", "dim", "dtype"], infer: along_dim };

/// `torch.nn.functional.softmin(input, dim, dtype=None)`: the softmax of −input.
pub static SOFTMIN: Signature =
    Signature { name: "softmin", family: Family::Norm, params: &["input", "dim", "dtype"], infer: along_dim };

/// `torch.ops.aten._softmax(input, dim, half_to_float)`.
pub static SOFTMAX_CORE: Signature =
    Signature { name: "_softmax", family: Family::Norm, params: &["input", "dim", "half_to_float"], infer: core };

/// `torch.ops.aten._log_softmax(input, dim, half_to_float)`.
pub static LOG_SOFTMAX_CORE: Signature =
    Signature { name: "_log_softmax", family: Family::Norm, params: &["input", "dim", "half_to_float"], infer: core };

/// `torch.logsumexp(input, dim, keepdim=False)`.
pub static LOGSUMEXP: Signature =
    Signature { name: "logsumexp", family: Family::Norm, params: &["input", "dim", "keepdim"], infer: logsumexp };

pub(super) fn along_dim(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    let dim = call.required_int("dim")?;
    require(wrap_dim(dim, input.rank()).is_some(), call, "dim", || {
        format!("{dim} is out of range for shape {:?}", input.shape)
    })?;
    Ok(vec![Meta::new(float_dtype(call)?, &input.shape)])
}

/// `half_to_float` makes f32 of f16.
fn core(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let mut results = along_dim(call)?;
    if call.bool("half_to_float", false)? {
        let input = call.tensor("input")?;
        require(input.dtype == DType::F16, call, "half_to_float", || {
            format!("must be false for an input of {}", input.dtype)
        })?;
        results = vec![Meta::new(DType::F32, &input.shape)];
    }
    Ok(results)
}

fn logsumexp(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    require(call.opt_ints("dim")?.is_some(), call, "dim", || "is missing; integers are needed".to_owned())?;
    Ok(vec![Meta::new(float_result(input.dtype), &reduced_shape(call)?)])
}
