//! Convolutions.

use super::harness::*;
use crate::graph::{Arg, Call};
use crate::tensor::{DType, ulp_size};

/// Terms are around 1, some hundreds: their sums reach 100, whose ULP is 8e-6.
fn close(dtype: DType, expected: f64) -> f64 {
    0.51 * ulp_size(dtype, expected) + 5e-5
}

fn ints(name: &'static str, values: &[i64]) -> (&'static str, Arg) {
    (name, Arg::Ints(values.to_vec()))
}

#[test]
fn channels_and_elements_around_tiles() {
    for channels in [1, 7, 8, 15, 16, 17, 33, 63, 64, 65, 130] {
        for width in [1, 62, 64, 66] {
            let tensors = [("input", floats(1, &[2, 3, width + 2])), ("weight", floats(2, &[channels, 3, 3]))];
            let tensors = tensors.map(|(name, tensor)| (name, Strided::from(tensor)));
            assert_close(&call("conv1d", &tensors, &[]), close);
        }
    }
    // Sums longer than a tile is deep, and longer than a block of sums.
    for channels in [1, 5, 16, 17, 127, 128, 129, 300] {
        let input = floats(3, &[1, channels, 5, 6]).into();
        let weight = floats(4, &[20, channels, 1, 2]).into();
        assert_close(&call("conv2d", &[("input", input), ("weight", weight)], &[]), close);
    }
}

#[test]
fn views_of_input_weight_and_bias() {
    // Channels last, every other element, an offset, a weight stored with its taps outermost, one bias for all.
    let input = Strided::view(floats(1, &[2 * 7 * 9 * 12 + 5]), &[2, 6, 7, 8], &[756, 2, 108, 12], 5);
    let weight = Strided::view(floats(2, &[3 * 2 * 6 * 10]), &[10, 6, 3, 2], &[1, 10, 120, 60], 0);
    let bias = Strided::view(floats(3, &[3]), &[10], &[0], 2);
    let tensors = [("input", input), ("weight", weight), ("bias", bias)];
    assert_close(&call("conv2d", &tensors, &[ints("padding", &[1, 2])]), close);
    // The same image for each of the batch, the same taps for each channel.
    let input = Strided::view(floats(4, &[4, 6, 6]), &[3, 4, 6, 6], &[0, 36, 1, 6], 0);
    let weight = Strided::view(floats(5, &[9]), &[4, 1, 3, 3], &[0, 0, 3, 1], 0);
    let args = [ints("stride", &[2, 1]), ("groups", Arg::Int(4))];
    assert_close(&call("conv2d", &[("input", input.clone()), ("weight", weight)], &args), close);
    let weight = Strided::view(floats(6, &[3, 3, 9, 4]), &[4, 9, 3, 3], &[1, 4, 108, 36], 0);
    let args = [ints("stride", &[3, 2]), ints("padding", &[1]), ints("dilation", &[1, 2])];
    assert_close(&call("conv_transpose2d", &[("input", input), ("weight", weight)], &args), close);
}

#[test]
fn groups_of_few_and_of_many_channels() {
    for (groups, inputs, outputs) in [(2, 3, 8), (5, 2, 17), (3, 20, 70), (6, 1, 1), (6, 1, 3), (2, 40, 7)] {
        let input = floats(1, &[2, groups * inputs, 5, 14]);
        let weight = floats(2, &[groups * outputs, inputs, 2, 3]);
        let bias = floats(3, &[groups * outputs]);
        let args = [("groups", Arg::Int(groups as i64)), ints("padding", &[1, 0])];
        let tensors = [("input", input.clone().into()), ("weight", weight.into()), ("bias", bias.into())];
        assert_close(&call("conv2d", &tensors, &args), close);
        let weight = floats(2, &[groups * inputs, outputs, 2, 3]);
        let args = [("groups", Arg::Int(groups as i64)), ints("stride", &[2, 3])];
        assert_close(&call("conv_transpose2d", &[("input", input.into()), ("weight", weight.into())], &args), close);
    }
}

#[test]
fn halves_are_summed_in_f32() {
    for dtype in [DType::F16, DType::BF16] {
        for outputs in [4, 40] {
            let tensors = [
                ("input", typed(dtype, 1, &[1, 9, 7, 7]).into()),
                ("weight", typed(dtype, 2, &[outputs, 9, 3, 3]).into()),
                ("bias", typed(dtype, 3, &[outputs]).into()),
            ];
            assert_close(&call("conv2d", &tensors, &[]), close);
        }
    }
}

#[test]
fn more_workgroups_than_a_row_of_the_grid_holds() {
    let tensors = [("input", floats(1, &[1, 1, 17_000_000]).into()), ("weight", floats(2, &[1, 1, 1]).into())];
    let call = call("conv1d", &tensors, &[]);
    let (result, input) = (run(&call).unwrap().remove(0).to_f64(), call.tensor("input").unwrap().base.to_f64());
    let weight = call.tensor("weight").unwrap().base.to_f64()[0];
    for at in [0, 65_535 * 256 - 1, 65_535 * 256, 16_999_999] {
        assert!((result[at] - input[at] * weight).abs() < 1e-6, "element {at}");
    }
}

#[test]
fn places_beyond_31_bits_are_refused() {
    let tensors = [("input", floats(1, &[1, 8, 1]).into()), ("weight", floats(2, &[8, 8, 1]).into())];
    let args = [("padding", Arg::Int(1 << 31)), ("stride", Arg::Int(1 << 32))];
    assert!(run(&call("conv1d", &tensors, &args)).unwrap_err().to_string().contains("places"));
}

/// Calls that together make every kernel in every form.
pub(super) fn variants() -> Vec<Call<Strided>> {
    let mut calls = Vec::new();
    for dtype in [DType::F32, DType::F16, DType::BF16] {
        let of = |shape: &[usize]| Strided::from(typed(dtype, 1, shape));
        for outputs in [4, 9, 20, 40, 60] {
            for (dims, taps) in [(1, vec![2]), (2, vec![2, 3]), (3, vec![2, 3, 1])] {
                let input = of(&[&[1, 4][..], &[5, 4, 3][..dims]].concat());
                let weight = of(&[&[outputs, 4][..], &taps].concat());
                let transposed = of(&[&[4, outputs][..], &taps].concat());
                let tensors = [("input", input.clone()), ("weight", weight), ("bias", of(&[outputs]))];
                calls.push(call(&format!("conv{dims}d"), &tensors[..2], &[]));
                calls.push(call(&format!("conv{dims}d"), &tensors, &[]));
                calls.push(call("convolution", &tensors, &[]));
                let tensors = [("input", input), ("weight", transposed), ("bias", of(&[outputs]))];
                calls.push(call(&format!("conv_transpose{dims}d"), &tensors, &[("stride", Arg::Int(2))]));
            }
        }
    }
    calls
}
