//! Convolutions.

use super::accumulation::{few, product_deviation};
use super::of_one;
use crate::graph::Call;
use crate::graph::signatures::convolution::Convolution;
use crate::oracle::Array;
use crate::oracle::convolution::sums;

/// Σ input · weight + bias: the order of summation over the channels and taps.
///
/// Σ input²·weight² is the convolution of the squares. As in matrix products it is averaged over the channels of a group, for which
/// the squares of the weights are added up first.
pub fn convolution(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let (input, weight) = (call.tensor("input").ok()?, call.tensor("weight").ok()?);
        let geometry = Convolution::new(call, &input.shape, &weight.shape).ok()?;
        let squares: Vec<f64> = input.floats().iter().map(|x| x * x).collect();
        let together = Convolution { out_channels: 1, ..geometry.clone() };
        let energies = sums(&together, &squares, &squared_weights(&geometry, &weight.floats()));
        let bias = match call.opt_tensor("bias").ok()? {
            Some(bias) => bias.to_f64(),
            None => vec![0.0; geometry.channels()],
        };
        let count = geometry.in_channels * geometry.taps();
        let (few, plane) = (few(result.len()), geometry.output.iter().product::<usize>().max(1));
        let outputs = geometry.out_channels;
        let channels = result.chunks_exact(plane).zip(bias.iter().cycle()).enumerate();
        let allowed = channels.map(|(channel, (result, bias))| {
            let energies = energies.chunks_exact(plane).nth(channel / outputs).unwrap_or_default();
            let pairs = result.iter().zip(energies);
            pairs.map(|(o, energy)| few * product_deviation(count, o - bias, energy / outputs as f64)).collect()
        });
        Some(allowed.collect::<Vec<Vec<f64>>>().concat())
    })
}

/// Σ weight² over the result's channels of each group, laid out as the weight of a convolution with one such channel per group.
fn squared_weights(geometry: &Convolution, weight: &[f64]) -> Vec<f64> {
    let (inputs, outputs, taps) = (geometry.in_channels, geometry.out_channels, geometry.taps());
    let mut sums = vec![0.0; geometry.groups * inputs * taps];
    for (block, weights) in weight.chunks_exact(taps.max(1)).enumerate() {
        // Blocks of taps lie by group, and within it by output and input channel, transposed by input and output channel.
        let (group, within) = (block / (inputs * outputs), block % (inputs * outputs));
        let input = if geometry.transposed { within / outputs } else { within % inputs };
        let at = (group * inputs + input) * taps;
        for (sum, w) in sums[at..at + taps].iter_mut().zip(weights) {
            *sum += w * w;
        }
    }
    sums
}
