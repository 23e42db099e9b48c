//! Channels that become pixels, pixels that become channels, channels in another order.

use super::{Family, Signature, sized};
use crate::graph::{Call, Meta, OpError};

/// `torch.nn.functional.pixel_shuffle(input, upscale_factor)`: `[…, C·r², H, W]` to `[…, C, H·r, W·r]`.
pub static PIXEL_SHUFFLE: Signature = Signature {
    name: "pixel_shuffle",
    family: Family::Movement,
    params: &["input", "upscale_factor"],
    infer: rearranged,
};

/// `torch.nn.functional.pixel_unshuffle(input, downscale_factor)`: `[…, C, H·r, W·r]` to `[…, C·r², H, W]`.
pub static PIXEL_UNSHUFFLE: Signature = Signature {
    name: "pixel_unshuffle",
    family: Family::Movement,
    params: &["input", "downscale_factor"],
    infer: rearranged,
};

/// `torch.nn.functional.channel_shuffle(input, groups)`: dimension 1 of `groups` rows becomes one of as many columns.
pub static CHANNEL_SHUFFLE: Signature =
    Signature { name: "channel_shuffle", family: Family::Movement, params: &["input", "groups"], infer: rearranged };

fn rearranged(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    let shuffle = Shuffle::of(call, &input.shape)?;
    Ok(vec![sized(call, "input", input.dtype, &shuffle.shape)?])
}

/// Another order of a tensor's elements: its dimensions cut into smaller ones, in another order, merged again.
#[derive(Debug)]
pub(crate) struct Shuffle {
    /// What each of the input's dimensions is cut into.
    pub(crate) cut: Vec<Vec<usize>>,
    /// The dimensions after cutting, in the result's order.
    pub(crate) order: Vec<usize>,
    /// The result's shape.
    pub(crate) shape: Vec<usize>,
}

impl Shuffle {
    /// What a call does to an input of this shape.
    ///
    /// # Errors
    /// When there are too few dimensions, or one is not a multiple of what it is cut into.
    pub(crate) fn of<T>(call: &Call<T>, shape: &[usize]) -> Result<Self, OpError> {
        match call.op() {
            "channel_shuffle" => Self::channels(call, shape),
            "pixel_shuffle" => Self::to_pixels(call, shape),
            _ => Self::to_channels(call, shape),
        }
    }

    fn channels<T>(call: &Call<T>, shape: &[usize]) -> Result<Self, OpError> {
        let groups = positive(call, "groups")?;
        let [batch, channels, _, ..] = *shape else {
            return Err(call.error("input", format!("must have at least 3 dimensions, not shape {shape:?}")));
        };
        let each = quotient(call, channels, groups)?;
        let rest = shape.iter().skip(2).map(|&size| vec![size]);
        let cut = [vec![batch], vec![groups, each]].into_iter().chain(rest).collect();
        let order = [0, 2, 1].into_iter().chain(3..shape.len() + 1).collect();
        Ok(Shuffle { cut, order, shape: shape.to_vec() })
    }

    fn to_pixels<T>(call: &Call<T>, shape: &[usize]) -> Result<Self, OpError> {
        let factor = positive(call, "upscale_factor")?;
        let (batch, [channels, height, width]) = image(call, shape)?;
        let square = factor.saturating_mul(factor);
        let channels = quotient(call, channels, square)?;
        let grown = [channels, height.saturating_mul(factor), width.saturating_mul(factor)];
        let at = batch.len();
        Ok(Shuffle {
            cut: whole(batch).chain([vec![channels, factor, factor], vec![height], vec![width]]).collect(),
            order: (0..at).chain([at, at + 3, at + 1, at + 4, at + 2]).collect(),
            shape: batch.iter().copied().chain(grown).collect(),
        })
    }

    fn to_channels<T>(call: &Call<T>, shape: &[usize]) -> Result<Self, OpError> {
        let factor = positive(call, "downscale_factor")?;
        let (batch, [channels, height, width]) = image(call, shape)?;
        let (height, width) = (quotient(call, height, factor)?, quotient(call, width, factor)?);
        let grown = [channels.saturating_mul(factor).saturating_mul(factor), height, width];
        let at = batch.len();
        Ok(Shuffle {
            cut: whole(batch).chain([vec![channels], vec![height, factor], vec![width, factor]]).collect(),
            order: (0..at).chain([at, at + 2, at + 4, at + 1, at + 3]).collect(),
            shape: batch.iter().copied().chain(grown).collect(),
        })
    }

    /// The sizes of the cut dimensions in the result's order.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.in_order(&self.cut.concat())
    }

    /// Something of each dimension after cutting, in the result's order.
    pub(crate) fn in_order(&self, values: &[usize]) -> Vec<usize> {
        self.order.iter().filter_map(|&dim| values.get(dim).copied()).collect()
    }
}

fn positive<T>(call: &Call<T>, name: &str) -> Result<usize, OpError> {
    let value = call.required_int(name)?;
    usize::try_from(value)
        .ok()
        .filter(|&value| value > 0)
        .ok_or_else(|| call.error(name, format!("must be positive, not {value}")))
}

fn whole(sizes: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    sizes.iter().map(|&size| vec![size])
}

/// The dimensions before the last three, and those.
fn image<'a, T>(call: &Call<T>, shape: &'a [usize]) -> Result<(&'a [usize], [usize; 3]), OpError> {
    match shape.split_last_chunk::<3>() {
        Some((batch, image)) => Ok((batch, *image)),
        None => Err(call.error("input", format!("must have at least 3 dimensions, not shape {shape:?}"))),
    }
}

fn quotient<T>(call: &Call<T>, size: usize, parts: usize) -> Result<usize, OpError> {
    if size.is_multiple_of(parts) {
        return Ok(size / parts);
    }
    Err(call.error("input", format!("has a dimension of size {size}, which is no multiple of {parts}")))
}
