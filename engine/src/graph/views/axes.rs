//! Views that rename dimensions: transpositions by other names, moved dimensions, and those that change nothing.

use super::{View, dim};
use crate::graph::{Call, OpError};
use crate::tensor::Layout;

type Layouts = Result<Vec<Layout>, OpError>;

/// `torch.t(input)`: swaps two dimensions; fewer stay as they are.
pub static T: View = View { name: "t", params: &["input"], layout: t };
/// `Tensor.T`: all dimensions in reverse.
pub static NUMPY_T: View = View { name: "numpy_T", params: &["input"], layout: numpy_t };
/// `Tensor.mT`: swaps the last two dimensions.
pub static MT: View = View { name: "mT", params: &["input"], layout: matrix_transpose };
/// `torch.movedim(input, source, destination)`.
pub static MOVEDIM: View = View { name: "movedim", params: &["input", "source", "destination"], layout: movedim };
/// `torch.moveaxis(input, source, destination)`.
pub static MOVEAXIS: View = View { name: "moveaxis", params: &["input", "source", "destination"], layout: movedim };
/// `torch.swapdims(input, dim0, dim1)`.
pub static SWAPDIMS: View =
    View { name: "swapdims", params: &["input", "dim0", "dim1"], layout: |call| swap(call, ["dim0", "dim1"]) };
/// `torch.swapaxes(input, axis0, axis1)`.
pub static SWAPAXES: View =
    View { name: "swapaxes", params: &["input", "axis0", "axis1"], layout: |call| swap(call, ["axis0", "axis1"]) };
/// `Tensor.detach()`.
pub static DETACH: View = View { name: "detach", params: &["input"], layout: super::alias };

/// The dimensions of `input` in another order.
fn ordered(input: &Layout, order: impl Iterator<Item = usize> + Clone) -> Layouts {
    Ok(vec![Layout {
        shape: order.clone().filter_map(|at| input.shape.get(at).copied()).collect(),
        strides: order.filter_map(|at| input.strides.get(at).copied()).collect(),
        offset: input.offset,
    }])
}

fn t(call: &Call<Layout>) -> Layouts {
    let input = call.tensor("input")?;
    if input.rank() > 2 {
        return Err(call.error("input", format!("must have 2 dimensions at most, not shape {:?}", input.shape)));
    }
    ordered(input, (0..input.rank()).rev())
}

fn numpy_t(call: &Call<Layout>) -> Layouts {
    let input = call.tensor("input")?;
    ordered(input, (0..input.rank()).rev())
}

fn matrix_transpose(call: &Call<Layout>) -> Layouts {
    let mut layout = call.tensor("input")?.clone();
    let rank = layout.rank();
    if rank < 2 {
        return Err(call.error("input", format!("must have at least 2 dimensions, not shape {:?}", layout.shape)));
    }
    layout.shape.swap(rank - 2, rank - 1);
    layout.strides.swap(rank - 2, rank - 1);
    Ok(vec![layout])
}

fn swap(call: &Call<Layout>, names: [&str; 2]) -> Layouts {
    let mut layout = call.tensor("input")?.clone();
    let rank = layout.rank();
    let [a, b] = names;
    let (a, b) = (dim(call, a, call.required_int(a)?, rank)?, dim(call, b, call.required_int(b)?, rank)?);
    layout.shape.swap(a, b);
    layout.strides.swap(a, b);
    Ok(vec![layout])
}

fn movedim(call: &Call<Layout>) -> Layouts {
    let input = call.tensor("input")?;
    let source = distinct(call, "source", input.rank())?;
    let destination = distinct(call, "destination", input.rank())?;
    if source.len() != destination.len() {
        let rule = format!("names {} dimensions, but source {}", destination.len(), source.len());
        return Err(call.error("destination", rule));
    }
    // Those that are not moved keep their order, in the places that are left.
    let mut rest = (0..input.rank()).filter(|at| !source.contains(at));
    let order: Vec<usize> = (0..input.rank())
        .filter_map(|at| match destination.iter().position(|&to| to == at) {
            Some(moved) => source.get(moved).copied(),
            None => rest.next(),
        })
        .collect();
    ordered(input, order.into_iter())
}

/// A list of dimensions, each named once.
fn distinct(call: &Call<Layout>, name: &str, rank: usize) -> Result<Vec<usize>, OpError> {
    let mut dims = Vec::new();
    for value in call.ints(name)? {
        let at = dim(call, name, value, rank)?;
        if dims.contains(&at) {
            return Err(call.error(name, format!("names dimension {at} twice")));
        }
        dims.push(at);
    }
    Ok(dims)
}
