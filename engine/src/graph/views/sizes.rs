//! Views that give dimensions other sizes, or see elements several times.

use super::{View, dim, expand_to, resolve_size, view_strides};
use crate::graph::{Call, OpError};
use crate::tensor::Layout;

type Layouts = Result<Vec<Layout>, OpError>;

/// `torch.unflatten(input, dim, sizes)`: one dimension becomes several; one size may be −1.
pub static UNFLATTEN: View = View { name: "unflatten", params: &["input", "dim", "sizes"], layout: unflatten };
/// `torch.broadcast_to(input, size)`.
pub static BROADCAST_TO: View = View { name: "broadcast_to", params: &["input", "size"], layout: super::expand };
/// `Tensor.expand_as(other)`.
pub static EXPAND_AS: View = View { name: "expand_as", params: &["input", "other"], layout: expand_as };
/// `Tensor.view_as(other)`.
pub static VIEW_AS: View = View { name: "view_as", params: &["input", "other"], layout: view_as };

fn unflatten(call: &Call<Layout>) -> Layouts {
    let input = call.tensor("input")?;
    let at = dim(call, "dim", call.required_int("dim")?, input.rank())?;
    let sizes = call.ints("sizes")?;
    if sizes.is_empty() {
        return Err(call.error("sizes", "must not be empty"));
    }
    let sizes = resolve_size(call, "sizes", &sizes, input.shape[at])?;
    let mut shape = input.shape.clone();
    shape.splice(at..=at, sizes);
    let strides = view_strides(input, &shape)
        .ok_or_else(|| call.error("sizes", format!("{shape:?} cannot be viewed on strides {:?}", input.strides)))?;
    Ok(vec![Layout { shape, strides, offset: input.offset }])
}

fn expand_as(call: &Call<Layout>) -> Layouts {
    let size: Vec<i64> =
        call.tensor("other")?.shape.iter().map(|&size| i64::try_from(size).unwrap_or(i64::MAX)).collect();
    expand_to(call, "other", &size)
}

fn view_as(call: &Call<Layout>) -> Layouts {
    let (input, shape) = (call.tensor("input")?, call.tensor("other")?.shape.clone());
    let product = |shape: &[usize]| shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
    let strides = Some(&shape).filter(|shape| product(shape) == product(&input.shape));
    let strides = strides.and_then(|shape| view_strides(input, shape)).ok_or_else(|| {
        let (old, strides) = (&input.shape, &input.strides);
        call.error("other", format!("of shape {shape:?} is no view of shape {old:?} with strides {strides:?}"))
    })?;
    Ok(vec![Layout { shape, strides, offset: input.offset }])
}
