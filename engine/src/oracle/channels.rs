//! Channels that become pixels, pixels that become channels, channels in another order.

use super::elementwise::{Arrays, array};
use super::{Array, Data, result};
use crate::graph::signatures::channels::{self as signatures, Shuffle};
use crate::graph::{Call, Signature};
use crate::tensor::Layout;

/// Element [c, h·r + i, w·r + j] is input's [c·r² + i·r + j, h, w].
pub fn pixel_shuffle(call: &Call<Array>) -> Arrays {
    shuffled(call, &signatures::PIXEL_SHUFFLE)
}

/// Element [c·r² + i·r + j, h, w] is input's [c, h·r + i, w·r + j].
pub fn pixel_unshuffle(call: &Call<Array>) -> Arrays {
    shuffled(call, &signatures::PIXEL_UNSHUFFLE)
}

/// Channel k·groups + g is input's g·(channels / groups) + k.
pub fn channel_shuffle(call: &Call<Array>) -> Arrays {
    shuffled(call, &signatures::CHANNEL_SHUFFLE)
}

fn shuffled(call: &Call<Array>, signature: &Signature) -> Arrays {
    let meta = result(call, signature)?;
    let input = call.tensor("input")?;
    let shuffle = Shuffle::of(call, &input.shape)?;
    // Cutting dimensions of a contiguous array leaves it contiguous.
    let strides = shuffle.in_order(&Layout::contiguous(&shuffle.cut.concat()).strides);
    let layout = Layout { shape: shuffle.sizes(), strides, offset: 0 };
    // In range: these are all positions of the input, in another order.
    let data = match &input.data {
        Data::Int(values) => Data::Int(layout.positions().map(|at| values[at]).collect()),
        _ => {
            let values = input.floats();
            Data::Float(layout.positions().map(|at| values[at]).collect())
        }
    };
    Ok(vec![array(meta, data)])
}
