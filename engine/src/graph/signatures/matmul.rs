//! Matrix products.

use super::{Family, Signature, broadcast, float_result, promote, require};
use crate::graph::{Call, Meta, OpError};
use crate::tensor::DType;

/// `torch.nn.functional.linear(input, weight, bias=None)`: input `[…, in]`, weight `[out, in]` in any stored form,
/// bias `[out]`; result `[…, out]` in the input's dtype. Integers need a weight and a bias of their own dtype.
pub static LINEAR: Signature =
    Signature { name: "linear", family: Family::Matmul, params: &["input", "weight", "bias"], infer: linear };

/// `torch.matmul(input, other)`, with its rules for rank 1 and batch broadcasting.
pub static MATMUL: Signature =
    Signature { name: "matmul", family: Family::Matmul, params: &["input", "other"], infer: matmul };

fn linear(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    let weight = call.tensor("weight")?;
    require(weight.rank() == 2, call, "weight", || format!("must have 2 dimensions, not shape {:?}", weight.shape))?;
    let (out, width) = (weight.shape[0], weight.shape[1]);
    require(input.shape.last() == Some(&width), call, "input", || {
        format!("must end in the weight's {width} columns, not have shape {:?}", input.shape)
    })?;
    if let Some(bias) = call.opt_tensor("bias")? {
        require(bias.shape == [out], call, "bias", || format!("must have shape [{out}], not {:?}", bias.shape))?;
    }
    check_factors(call, ("input", input), ("weight", weight))?;
    if input.dtype.is_integer() {
        for (name, tensor) in [("weight", Some(weight)), ("bias", call.opt_tensor("bias")?)] {
            let same = tensor.is_none_or(|tensor| tensor.dtype == input.dtype);
            require(same, call, name, || format!("must be of the input's dtype {}", input.dtype))?;
        }
        let mut shape = input.shape.clone();
        shape.pop();
        shape.push(out);
        return Ok(vec![Meta::new(input.dtype, &shape)]);
    }
    let mut shape = input.shape.clone();
    if let Some(last) = shape.last_mut() {
        *last = out;
    }
    Ok(vec![Meta::new(float_result(input.dtype), &shape)])
}

fn matmul(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    let other = call.tensor("other")?;
    require(input.rank() > 0, call, "input", || "must have at least 1 dimension".into())?;
    require(other.rank() > 0, call, "other", || "must have at least 1 dimension".into())?;
    check_factors(call, ("input", input), ("other", other))?;
    let [a, b] = matmul_operands(&input.shape, &other.shape);
    let (m, ka) = (a[a.len() - 2], a[a.len() - 1]);
    let (kb, n) = (b[b.len() - 2], b[b.len() - 1]);
    require(ka == kb, call, "other", || {
        format!("of shape {:?} does not fit input's {:?}: {ka} columns against {kb} rows", other.shape, input.shape)
    })?;
    let mut shape = broadcast(&a[..a.len() - 2], &b[..b.len() - 2]).ok_or_else(|| {
        call.error("other", format!("of shape {:?} does not broadcast with input's {:?}", other.shape, input.shape))
    })?;
    if input.rank() > 1 {
        shape.push(m);
    }
    if other.rank() > 1 {
        shape.push(n);
    }
    Ok(vec![Meta::new(promote(input.dtype, other.dtype), &shape)])
}

/// PyTorch multiplies no matrices of bool, and none of floats with integers.
fn check_factors(call: &Call<Meta>, left: (&str, &Meta), right: (&str, &Meta)) -> Result<(), OpError> {
    for (name, meta) in [left, right] {
        require(meta.dtype != DType::Bool, call, name, || "of dtype bool cannot be multiplied".into())?;
    }
    let (left, right) = (left.1.dtype, (right.0, right.1.dtype));
    require(left.is_float() == right.1.is_float(), call, right.0, || {
        format!("of dtype {} cannot be multiplied with {left}", right.1)
    })
}

/// Both operands with at least 2 dimensions: a vector on the left is a row, on the right a column.
pub fn matmul_operands(input: &[usize], other: &[usize]) -> [Vec<usize>; 2] {
    let left = if let [k] = *input { vec![1, k] } else { input.to_vec() };
    let right = if let [k] = *other { vec![k, 1] } else { other.to_vec() };
    [left, right]
}
