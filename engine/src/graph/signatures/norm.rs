//! Softmax and norms.

use super::softmax::along_dim;
use super::{Family, Signature, float_result, require};
use crate::graph::{Call, Meta, OpError};

/// `torch.softmax(input, dim, dtype=None)`.
pub static SOFTMAX: Signature =
    Signature { name: "softmax", family: Family::Norm, params: &["input", "dim", "dtype"], infer: along_dim };

/// `torch.nn.functional.layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5)`.
pub static LAYER_NORM: Signature = Signature {
    name: "layer_norm",
    family: Family::Norm,
    params: &["input", "normalized_shape", "weight", "bias", "eps"],
    infer: norm,
};

/// `torch.nn.functional.rms_norm(input, normalized_shape, weight=None, eps=None)`; eps None means the epsilon of the
/// type that PyTorch computes in: f32's for f32, f16 and bf16, f64's for f64.
pub static RMS_NORM: Signature = Signature {
    name: "rms_norm",
    family: Family::Norm,
    params: &["input", "normalized_shape", "weight", "eps"],
    infer: norm,
};

fn norm(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    let shape = normalized_shape(call)?;
    require(!shape.is_empty() && input.shape.ends_with(&shape), call, "normalized_shape", || {
        format!("{shape:?} must be the end of the input's shape {:?}", input.shape)
    })?;
    for name in ["weight", "bias"] {
        if let Some(tensor) = call.opt_tensor(name)? {
            require(tensor.shape == shape, call, name, || {
                format!("must have shape {shape:?}, not {:?}", tensor.shape)
            })?;
        }
    }
    call.opt_float("eps")?;
    Ok(vec![Meta::new(float_result(input.dtype), &input.shape)])
}

/// The argument `normalized_shape` as sizes.
///
/// # Errors
/// When it is missing or holds a negative size.
pub fn normalized_shape<T>(call: &Call<T>) -> Result<Vec<usize>, OpError> {
    call.ints("normalized_shape")?
        .into_iter()
        .map(|size| {
            usize::try_from(size)
                .map_err(|_| call.error("normalized_shape", format!("must not be negative, but holds {size}")))
        })
        .collect()
}
