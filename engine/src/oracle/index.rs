//! Look-ups by tensors of indices, and their inverse. An index out of range is an error.

use super::elementwise::{array, is_int, round, wrap};
use super::rearrange::indices;
use super::{Array, Data, broadcast, result};
use crate::graph::signatures::index::{self as signatures, Indexed, at_least_1, dimension, indexed, mask, reduction};
use crate::graph::{Call, Meta, OpError, Operand, Signature};
use crate::tensor::{DType, Layout};

type Arrays = Result<Vec<Array>, OpError>;

/// out\[i\]\[j\]\[k\] = input\[index\[i\]\[j\]\[k\]\]\[j\]\[k\] for dim = 0.
pub fn gather(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::GATHER)?;
    let places = along(call)?;
    Ok(vec![taken(call.tensor("input")?, meta, &places)])
}

/// The slices of `input` along `dim` that `index` names.
pub fn index_select(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::INDEX_SELECT)?;
    let (input, index) = (call.tensor("input")?, call.tensor("index")?.ints());
    let dim = dimension(call, input.shape.len())?;
    let sizes = at_least_1(&input.shape);
    let rows =
        index.iter().map(|&index| wrapped(call, "index", index, sizes[dim], false)).collect::<Result<Vec<_>, _>>()?;
    let strides = Layout::contiguous(sizes).strides;
    let places: Vec<usize> = indices(at_least_1(&meta.shape))
        .map(|mut at| {
            at[dim] = rows[at[dim]];
            at.iter().zip(&strides).map(|(at, stride)| at * stride).sum()
        })
        .collect();
    Ok(vec![taken(input, meta, &places)])
}

/// input\[indices\].
pub fn index(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::INDEX)?;
    let places = listed(call, &indexed(&call.map_tensors(Array::meta))?)?;
    Ok(vec![taken(call.tensor("input")?, meta, &places)])
}

fn taken(input: &Array, meta: Meta, places: &[usize]) -> Array {
    // In range: every place was made from coordinates that were checked.
    let data = if input.is_int() {
        let values = input.ints();
        Data::Int(places.iter().map(|&place| values[place]).collect())
    } else {
        let values = input.floats();
        Data::Float(places.iter().map(|&place| values[place]).collect())
    };
    array(meta, data)
}

/// An index into `size` elements; negative ones count from the end where they may.
fn wrapped(call: &Call<Array>, name: &str, index: i64, size: usize, from_end: bool) -> Result<usize, OpError> {
    let signed = i64::try_from(size).unwrap_or(i64::MAX);
    let place = if index < 0 && from_end { index.saturating_add(signed) } else { index };
    usize::try_from(place)
        .ok()
        .filter(|&place| place < size)
        .ok_or_else(|| call.error(name, format!("hold {index}, which is out of range for size {size}")))
}

/// The place in `input` that each element of `index` names along `dim` (`gather`, `scatter`).
fn along(call: &Call<Array>) -> Result<Vec<usize>, OpError> {
    let (input, index) = (call.tensor("input")?, call.tensor("index")?);
    let dim = dimension(call, input.shape.len())?;
    let sizes = at_least_1(&input.shape);
    let strides = Layout::contiguous(sizes).strides;
    let values = index.ints();
    indices(at_least_1(&index.shape))
        .zip(values.iter())
        .map(|(mut at, &value)| {
            at[dim] = wrapped(call, "index", value, sizes[dim], false)?;
            Ok(at.iter().zip(&strides).map(|(at, stride)| at * stride).sum())
        })
        .collect()
}

/// The place in `input` that each element of the result of `index` is at (`index`, `index_put`).
fn listed(call: &Call<Array>, indexed: &Indexed) -> Result<Vec<usize>, OpError> {
    let input = call.tensor("input")?;
    let strides = Layout::contiguous(&input.shape).strides;
    let tensors: Vec<&Array> = call.some_tensors("indices")?.into_iter().flatten().collect();
    // Where each element of the block points to.
    let count = indexed.block.iter().product();
    let mut block = vec![0usize; count];
    for (tensor, &dim) in tensors.iter().zip(&indexed.dims) {
        let values = broadcast::expand(&tensor.ints(), &tensor.shape, &indexed.block);
        for (place, value) in block.iter_mut().zip(values) {
            *place += wrapped(call, "indices", value, input.shape[dim], true)? * strides[dim];
        }
    }
    let within = Layout::contiguous(&indexed.block).strides;
    let place = |at: Vec<usize>| {
        let (mut row, mut place) = (0, 0);
        for (dim, &at) in at.iter().enumerate() {
            match indexed.source(dim) {
                Some(source) => place += at * strides[source],
                None => row += at * within[dim - indexed.at],
            }
        }
        place + block[row]
    };
    Ok(indices(&indexed.shape).map(place).collect())
}

/// `input` with the elements of `src`, or `value`, in the places that `index` names: the last one stays, or all are combined.
pub fn scatter(call: &Call<Array>) -> Arrays {
    scattered(call, &signatures::SCATTER)
}

/// `input` plus the elements of `src` in the places that `index` names.
pub fn scatter_add(call: &Call<Array>) -> Arrays {
    scattered(call, &signatures::SCATTER_ADD)
}

fn scattered(call: &Call<Array>, signature: &Signature) -> Arrays {
    let meta = result(call, signature)?;
    Ok(vec![combined(call, meta, &Writes::of(call)?)])
}

/// `input` with `values` in the places that `indices` name: the last one stays, or all are added.
pub fn index_put(call: &Call<Array>) -> Arrays {
    let meta = result(call, &signatures::INDEX_PUT)?;
    Ok(vec![combined(call, meta, &Writes::of(call)?)])
}

/// What a call writes: to which places, from which, and how it is combined with what stands there.
pub(crate) struct Writes<'a> {
    pub(crate) places: Vec<usize>,
    source: Source<'a>,
    pub(crate) reduction: Option<&'static str>,
}

enum Source<'a> {
    /// Elements of a tensor, one for each place.
    Tensor(&'a Array, Vec<usize>),
    Value(f64),
}

impl<'a> Writes<'a> {
    /// Those of a call whose signature has been checked.
    pub(crate) fn of(call: &'a Call<Array>) -> Result<Self, OpError> {
        if call.op() == "index_put" {
            return Self::put(call);
        }
        let (places, reduction) = (along(call)?, reduction(call)?);
        let Some(src) = call.opt_tensor("src")? else {
            let value = match call.tensor_or_scalar("value")? {
                Operand::Int(value) => value as f64,
                Operand::Float(value) => value,
                Operand::Tensor(_) => return Err(call.error("value", "must be a number")),
            };
            return Ok(Writes { places, source: Source::Value(value), reduction });
        };
        // The index looks at the first elements of src along each dimension.
        let strides = Layout::contiguous(at_least_1(&src.shape)).strides;
        let index = call.tensor("index")?;
        let from = indices(at_least_1(&index.shape)).take(places.len());
        let from = from.map(|at| at.iter().zip(&strides).map(|(at, stride)| at * stride).sum()).collect();
        Ok(Writes { places, source: Source::Tensor(src, from), reduction })
    }

    fn put(call: &'a Call<Array>) -> Result<Self, OpError> {
        let (input, values) = (call.tensor("input")?, call.tensor("values")?);
        let reduction = call.bool("accumulate", false)?.then_some("SUM");
        let metas = call.map_tensors(Array::meta);
        let (shape, places) = if mask(&metas)?.is_some() {
            let mask = call.some_tensors("indices")?.into_iter().flatten().next();
            let mask = mask.ok_or_else(|| call.error("indices", "must not be empty"))?;
            let rest: usize = input.shape[mask.shape.len()..].iter().product();
            let flags = mask.ints();
            let chosen: Vec<usize> = (0..flags.len()).filter(|&at| flags[at] != 0).collect();
            let mut shape = vec![chosen.len()];
            shape.extend(&input.shape[mask.shape.len()..]);
            (shape, chosen.into_iter().flat_map(|at| at * rest..(at + 1) * rest).collect())
        } else {
            let indexed = indexed(&metas)?;
            let places = listed(call, &indexed)?;
            (indexed.shape, places)
        };
        if crate::graph::signatures::broadcast(&values.shape, &shape).as_ref() != Some(&shape) {
            let rule = format!("of shape {:?} do not broadcast to what is indexed, {shape:?}", values.shape);
            return Err(call.error("values", rule));
        }
        let from = broadcast::layout(&values.shape, &shape).positions().collect();
        Ok(Writes { places, source: Source::Tensor(values, from), reduction })
    }

    /// The numbers written, in order.
    pub(crate) fn floats(&self, dtype: DType) -> Vec<f64> {
        match &self.source {
            Source::Tensor(src, from) => {
                let values = src.floats();
                from.iter().map(|&at| values[at]).collect()
            }
            Source::Value(value) => vec![round(*value, dtype); self.places.len()],
        }
    }

    fn ints(&self, dtype: DType) -> Vec<i64> {
        match &self.source {
            Source::Tensor(src, from) => {
                let values = src.ints();
                from.iter().map(|&at| values[at]).collect()
            }
            Source::Value(value) if dtype == DType::Bool => vec![i64::from(*value != 0.0); self.places.len()],
            Source::Value(value) => vec![wrap(dtype, *value as i64); self.places.len()],
        }
    }
}

fn combined(call: &Call<Array>, meta: Meta, writes: &Writes<'_>) -> Array {
    let Ok(input) = call.tensor("input") else { return array(meta, Data::Float(Vec::new())) };
    let data = if is_int(meta.dtype) {
        let mut values = input.ints().into_owned();
        for (&place, new) in writes.places.iter().zip(writes.ints(meta.dtype)) {
            let old = values[place];
            values[place] = wrap(
                meta.dtype,
                match writes.reduction {
                    None => new,
                    Some("SUM") => old.wrapping_add(new),
                    Some(_) => old.wrapping_mul(new),
                },
            );
        }
        Data::Int(values)
    } else {
        let mut values = input.to_f64();
        for (&place, new) in writes.places.iter().zip(writes.floats(meta.dtype)) {
            match writes.reduction {
                None => values[place] = new,
                Some("SUM") => values[place] += new,
                Some(_) => values[place] *= new,
            }
        }
        Data::Float(values)
    };
    array(meta, data)
}
