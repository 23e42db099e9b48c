//! Look-ups by tensors of indices, and their inverse: writing and adding to places that indices name.

use super::{Family, Signature, broadcast, require, sized};
use crate::graph::{Call, Meta, OpError, wrap_dim};
use crate::tensor::DType;

macro_rules! signatures {
    ($($(#[$doc:meta])* $constant:ident $name:literal $params:expr, $infer:expr;)*) => { $(
        $(#[$doc])*
        pub static $constant: Signature =
            Signature { name: $name, family: Family::Gather, params: $params, infer: $infer };
    )* };
}

signatures! {
    /// `torch.gather(input, dim, index, sparse_grad=False)`.
    GATHER "gather" &["input", "dim", "index", "sparse_grad"], gather;
    /// `torch.index_select(input, dim, index)`.
    INDEX_SELECT "index_select" &["input", "dim", "index"], index_select;
    /// `aten.index(input, indices)`, which is `input[indices]`: integer tensors or None for each dimension. Boolean masks are a gap,
    /// since the result's shape depends on their values.
    INDEX "index" &["input", "indices"], index;
    /// `torch.scatter(input, dim, index, src | value, reduce=None)`.
    SCATTER "scatter" &["input", "dim", "index", "src", "value", "reduce"], scatter;
    /// `torch.scatter_add(input, dim, index, src)`.
    SCATTER_ADD "scatter_add" &["input", "dim", "index", "src"], scatter;
    /// `torch.index_put(input, indices, values, accumulate=False)`. A boolean mask may stand for the first indices.
    INDEX_PUT "index_put" &["input", "indices", "values", "accumulate"], index_put;
}

type Metas = Result<Vec<Meta>, OpError>;

/// `dim` of a call; a rank-0 tensor has one dimension, of size 1.
///
/// # Errors
/// When it is out of range.
pub(crate) fn dimension<T>(call: &Call<T>, rank: usize) -> Result<usize, OpError> {
    let dim = call.required_int("dim")?;
    wrap_dim(dim, rank).ok_or_else(|| call.error("dim", format!("{dim} is out of range for {rank} dimensions")))
}

/// A shape in which rank 0 is one dimension of size 1.
pub(crate) fn at_least_1(shape: &[usize]) -> &[usize] {
    if shape.is_empty() { &[1] } else { shape }
}

fn integers(call: &Call<Meta>, name: &str, index: &Meta) -> Result<(), OpError> {
    require(matches!(index.dtype, DType::I64 | DType::I32), call, name, || {
        format!("must be i64 or i32, not {}", index.dtype)
    })
}

/// Checks that `index` is no larger than `other`, but for dimension `except`.
fn no_larger(call: &Call<Meta>, index: &Meta, name: &str, other: &Meta, except: Option<usize>) -> Result<(), OpError> {
    let (own, bound) = (at_least_1(&index.shape), at_least_1(&other.shape));
    let fits = own.len() == bound.len()
        && own.iter().zip(bound).enumerate().all(|(at, (own, bound))| Some(at) == except || own <= bound);
    require(fits, call, "index", || {
        let beyond = except.map_or_else(String::new, |dim| format!(" outside dimension {dim}"));
        format!("of shape {:?} must not be larger than {name}'s {:?}{beyond}", index.shape, other.shape)
    })
}

fn gather(call: &Call<Meta>) -> Metas {
    let (input, index) = (call.tensor("input")?, call.tensor("index")?);
    let dim = dimension(call, input.rank())?;
    call.bool("sparse_grad", false)?;
    integers(call, "index", index)?;
    no_larger(call, index, "input", input, Some(dim))?;
    Ok(vec![sized(call, "index", input.dtype, &index.shape)?])
}

fn index_select(call: &Call<Meta>) -> Metas {
    let (input, index) = (call.tensor("input")?, call.tensor("index")?);
    let dim = dimension(call, input.rank())?;
    integers(call, "index", index)?;
    require(index.rank() <= 1, call, "index", || format!("must have 1 dimension, not shape {:?}", index.shape))?;
    let count = index.shape.first().copied().unwrap_or(1);
    let mut shape = input.shape.clone();
    match shape.get_mut(dim) {
        Some(size) => *size = count,
        None => require(count == 1, call, "index", || format!("holds {count} indices into a single element"))?,
    }
    Ok(vec![sized(call, "index", input.dtype, &shape)?])
}

/// How a list of index tensors falls on an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Indexed {
    /// The dimensions that have an index, ascending.
    pub(crate) dims: Vec<usize>,
    /// The shape that the indices broadcast to.
    pub(crate) block: Vec<usize>,
    /// Where the block stands in the result: in the place of the dimensions that are indexed where these are neighbours, else first.
    pub(crate) at: usize,
    /// The result's shape.
    pub(crate) shape: Vec<usize>,
}

impl Indexed {
    /// The input's dimension that dimension `at` of the result is, or `None` for those of the block.
    pub(crate) fn source(&self, at: usize) -> Option<usize> {
        let rest = match at.checked_sub(self.at) {
            None => at,
            Some(within) if within < self.block.len() => return None,
            Some(_) => at - self.block.len(),
        };
        // The dimensions that are not indexed keep their order.
        (0..).filter(|dim| !self.dims.contains(dim)).nth(rest)
    }
}

/// Reads `indices`, all of them integers.
///
/// # Errors
/// When there are too many or none, or they do not broadcast. Masks are unsupported.
pub(crate) fn indexed(call: &Call<Meta>) -> Result<Indexed, OpError> {
    let input = call.tensor("input")?;
    let indices = call.some_tensors("indices")?;
    require(indices.len() <= input.rank(), call, "indices", || {
        format!("are {}, but the input has {} dimensions", indices.len(), input.rank())
    })?;
    let (mut dims, mut block) = (Vec::new(), Vec::new());
    for (dim, index) in indices.iter().enumerate() {
        let Some(index) = index else { continue };
        if matches!(index.dtype, DType::Bool | DType::U8) {
            let what = "a boolean mask, on whose values a shape depends,".to_owned();
            return Err(OpError::Unsupported { op: call.op().to_owned(), what, by: "Taproot" });
        }
        integers(call, "indices", index)?;
        block = broadcast(&block, &index.shape).ok_or_else(|| {
            call.error("indices", format!("of shapes {block:?} and {:?} do not broadcast", index.shape))
        })?;
        dims.push(dim);
    }
    let (Some(&first), Some(&last)) = (dims.first(), dims.last()) else {
        return Err(call.error("indices", "must name at least one dimension"));
    };
    let at = if last - first + 1 == dims.len() { first } else { 0 };
    let mut shape: Vec<usize> =
        (0..input.rank()).filter(|dim| !dims.contains(dim)).map(|dim| input.shape[dim]).collect();
    shape.splice(at..at, block.iter().copied());
    Ok(Indexed { dims, block, at, shape })
}

fn index(call: &Call<Meta>) -> Metas {
    let dtype = call.tensor("input")?.dtype;
    let indexed = indexed(call)?;
    empty_or_some(call, &indexed)?;
    Ok(vec![sized(call, "indices", dtype, &indexed.shape)?])
}

/// Nothing can be found in a dimension without elements.
fn empty_or_some(call: &Call<Meta>, indexed: &Indexed) -> Result<(), OpError> {
    let input = call.tensor("input")?;
    let hollow = indexed.dims.iter().any(|&dim| input.shape[dim] == 0);
    require(!hollow || indexed.block.contains(&0), call, "indices", || {
        format!("point into a dimension without elements of shape {:?}", input.shape)
    })
}

/// How `scatter` and `scatter_add` combine what meets in one place: `None` where the last one stays.
///
/// # Errors
/// When `reduce` is unknown.
pub(crate) fn reduction<T>(call: &Call<T>) -> Result<Option<&'static str>, OpError> {
    if call.op() == "scatter_add" {
        return Ok(Some("SUM"));
    }
    match call.str("reduce", "")? {
        "" => Ok(None),
        "add" => Ok(Some("SUM")),
        "multiply" => Ok(Some("PROD")),
        other => Err(call.error("reduce", format!("must be 'add' or 'multiply', not '{other}'"))),
    }
}

fn scatter(call: &Call<Meta>) -> Metas {
    let (input, index) = (call.tensor("input")?, call.tensor("index")?);
    let dim = dimension(call, input.rank())?;
    integers(call, "index", index)?;
    reduction(call)?;
    let src = call.opt_tensor("src")?;
    if let Some(src) = src {
        require(src.dtype == input.dtype, call, "src", || {
            format!("must be {} as the input, not {}", input.dtype, src.dtype)
        })?;
        require(call.opt_float("value")?.is_none(), call, "value", || "must not be given beside src".to_owned())?;
    } else {
        let name = if call.op() == "scatter" { "value" } else { "src" };
        let given =
            matches!(call.tensor_or_scalar(name), Ok(crate::graph::Operand::Int(_) | crate::graph::Operand::Float(_)));
        require(given && name == "value", call, name, || "is missing".to_owned())?;
    }
    // An index without elements may have any shape.
    if !index.shape.contains(&0) {
        no_larger(call, index, "input", input, Some(dim))?;
        src.map_or(Ok(()), |src| no_larger(call, index, "src", src, None))?;
    }
    Ok(vec![input.clone()])
}

/// The mask that `index_put` was given in the place of its first indices, if it was.
///
/// # Errors
/// When it does not fit the input.
pub(crate) fn mask(call: &Call<Meta>) -> Result<Option<&Meta>, OpError> {
    let input = call.tensor("input")?;
    let indices = call.some_tensors("indices")?;
    match indices.as_slice() {
        [Some(mask), rest @ ..] if mask.dtype == DType::Bool && rest.iter().all(Option::is_none) => {
            let fits =
                mask.rank() > 0 && input.shape.starts_with(&mask.shape) && mask.rank() + rest.len() <= input.rank();
            require(fits, call, "indices", || {
                format!("hold a mask of shape {:?} for an input of shape {:?}", mask.shape, input.shape)
            })?;
            Ok(Some(*mask))
        }
        _ => Ok(None),
    }
}

fn index_put(call: &Call<Meta>) -> Metas {
    let (input, values) = (call.tensor("input")?, call.tensor("values")?);
    call.bool("accumulate", false)?;
    require(values.dtype == input.dtype, call, "values", || {
        format!("must be {} as the input, not {}", input.dtype, values.dtype)
    })?;
    if let Some(mask) = mask(call)? {
        // How many elements the mask has is not known here: one dimension of values is left open.
        let rest = &input.shape[mask.rank()..];
        let fits = values.rank() <= rest.len() + 1
            && values.shape.iter().rev().zip(rest.iter().rev()).all(|(&own, &size)| own == size || own == 1);
        require(fits, call, "values", || {
            format!("of shape {:?} do not broadcast to the masked elements of shape {rest:?}", values.shape)
        })?;
        return Ok(vec![input.clone()]);
    }
    let indexed = indexed(call)?;
    empty_or_some(call, &indexed)?;
    sized(call, "indices", input.dtype, &indexed.shape)?;
    require(broadcast(&values.shape, &indexed.shape).as_ref() == Some(&indexed.shape), call, "values", || {
        format!("of shape {:?} do not broadcast to what is indexed, {:?}", values.shape, indexed.shape)
    })?;
    Ok(vec![input.clone()])
}
