//! Convolutions and their transposes.

use super::elementwise::array;
use super::{Array, Data, result};
use crate::graph::signatures::convolution::{self as signatures, Convolution};
use crate::graph::{Call, OpError, Signature};

type Arrays = Result<Vec<Array>, OpError>;

macro_rules! convolutions {
    ($($name:ident $signature:ident;)*) => { $(
        #[doc = concat!("`", stringify!($name), "`: see `sums`.")]
        pub fn $name(call: &Call<Array>) -> Arrays {
            run(call, &signatures::$signature)
        }
    )* };
}

convolutions! {
    conv1d CONV1D;
    conv2d CONV2D;
    conv3d CONV3D;
    conv_transpose1d CONV_TRANSPOSE1D;
    conv_transpose2d CONV_TRANSPOSE2D;
    conv_transpose3d CONV_TRANSPOSE3D;
    convolution CONVOLUTION;
}

fn run(call: &Call<Array>, signature: &Signature) -> Arrays {
    let meta = result(call, signature)?;
    let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
    let geometry = Convolution::new(call, &input.shape, &weight.shape)?;
    let mut values = sums(&geometry, &input.floats(), &weight.floats());
    if let Some(bias) = call.opt_tensor("bias")? {
        let (bias, plane) = (bias.floats(), geometry.output.iter().product::<usize>().max(1));
        for (plane, bias) in values.chunks_exact_mut(plane).zip(bias.iter().cycle()) {
            plane.iter_mut().for_each(|value| *value += bias);
        }
    }
    Ok(vec![array(meta, Data::Float(values))])
}

/// Σ over channels c of the group and taps t of input\[n, c, o·stride + t·dilation − padding\] · weight\[channel, c, t\]; elements
/// outside the input count as 0. Transposed: Σ over c, t and input elements i with i·stride + t·dilation − padding = o of
/// input\[n, c, i\] · weight\[c, channel, t\].
// Positions are in range: the shapes have been checked, and `Pairs` holds those inside the input only.
pub(crate) fn sums(geometry: &Convolution, input: &[f64], weight: &[f64]) -> Vec<f64> {
    let Convolution { groups, in_channels, out_channels, .. } = *geometry;
    let [_, height, width] = geometry.input;
    let plane: usize = geometry.input.iter().product();
    let [_, kernel_height, kernel_width] = geometry.kernel;
    let taps = geometry.taps();
    let pairs: [Vec<Vec<(usize, usize)>>; 3] = std::array::from_fn(|dim| pairs(geometry, dim));
    let mut sums = Vec::new();
    for (n, group, channel) in triples(geometry.batch, groups, out_channels) {
        for (depths, rows, columns) in pairs[0].iter().flat_map(|depths| {
            let inner = &pairs;
            inner[1].iter().flat_map(move |rows| inner[2].iter().map(move |columns| (depths, rows, columns)))
        }) {
            let mut sum = 0.0;
            for c in 0..in_channels {
                let from = ((n * groups + group) * in_channels + c) * plane;
                let weights = if geometry.transposed {
                    (group * in_channels + c) * out_channels + channel
                } else {
                    (group * out_channels + channel) * in_channels + c
                } * taps;
                for (d, kd) in depths {
                    for (h, kh) in rows {
                        for (w, kw) in columns {
                            sum += input[from + (d * height + h) * width + w]
                                * weight[weights + (kd * kernel_height + kh) * kernel_width + kw];
                        }
                    }
                }
            }
            sums.push(sum);
        }
    }
    sums
}

/// For each element of the result along a spatial dimension, the elements of the input that reach it and through which tap.
fn pairs(geometry: &Convolution, dim: usize) -> Vec<Vec<(usize, usize)>> {
    let (stride, dilation, padding) = (geometry.stride[dim], geometry.dilation[dim], geometry.padding[dim]);
    let source = |output: usize, tap: usize| {
        // No overflow: both sums lie within the padded input or the uncut result, whose sizes have been checked.
        if geometry.transposed {
            let from = (output + padding).checked_sub(tap * dilation)?;
            (from % stride == 0).then_some(from / stride)
        } else {
            (output * stride + tap * dilation).checked_sub(padding)
        }
    };
    let of = |output| {
        let taps = (0..geometry.kernel[dim]).filter_map(|tap| Some((source(output, tap)?, tap)));
        taps.filter(|&(input, _)| input < geometry.input[dim]).collect()
    };
    (0..geometry.output[dim]).map(of).collect()
}

fn triples(a: usize, b: usize, c: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..a).flat_map(move |x| (0..b).flat_map(move |y| (0..c).map(move |z| (x, y, z))))
}
