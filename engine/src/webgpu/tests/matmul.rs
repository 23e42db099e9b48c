//! Matrix products.

use super::harness::*;
use crate::graph::Call;
use crate::tensor::{DType, HostTensor, quantize_q4_1, ulp_size};
use crate::webgpu::GpuError;

/// Asserts that errors stay below what rounding each product and sum can give in any order, as a random walk:
/// 2^-24 · 1.5 · (sqrt(depth) + 2) · Σ|a·b| (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1 and 2.8).
pub(super) fn assert_product(call: &Call<Strided>, depth: usize) {
    let magnitudes = oracle(&call.map_tensors(|tensor| {
        let host = tensor.host();
        // Integers beside the factors only say where groups end.
        if host.dtype().is_integer() {
            return tensor.clone();
        }
        let values: Vec<f64> = host.to_f64().into_iter().map(f64::abs).filter(|v| v.is_finite()).collect();
        let fill = values.iter().copied().fold(0.0, f64::max);
        let values: Vec<f64> = host.to_f64().into_iter().map(|v| if v.is_finite() { v.abs() } else { fill }).collect();
        HostTensor::from_f64(DType::F32, host.shape(), &values).unwrap().into()
    }));
    let bound = 2f64.powi(-24) * 1.5 * ((depth as f64).sqrt() + 2.0);
    let magnitudes = magnitudes[0].to_f64();
    assert_close_at(call, |index, dtype, expected| {
        let rounding = if dtype == DType::F32 { 0.0 } else { 0.501 * ulp_size(dtype, expected) };
        rounding + bound * magnitudes[index]
    });
}

fn linear(input: Strided, weight: Strided, bias: Option<Strided>, depth: usize) {
    let mut tensors = vec![("input", input), ("weight", weight)];
    tensors.extend(bias.map(|bias| ("bias", bias)));
    assert_product(&call("linear", &tensors, &[]), depth);
}

#[test]
fn linear_around_tile_edges() {
    for rows in [1, 2, 4, 5, 8, 9, 15, 16, 17, 32, 33, 63, 64, 65] {
        for (columns, depth) in [(1, 1), (7, 15), (8, 16), (9, 17), (63, 33), (64, 32), (65, 31), (130, 129)] {
            let bias = (rows % 2 == 0).then(|| floats(3, &[columns]).into());
            linear(floats(1, &[rows, depth]).into(), floats(2, &[columns, depth]).into(), bias, depth);
        }
    }
}

#[test]
fn linear_over_many_dimensions_and_strides() {
    let weight = Strided::from(floats(2, &[10, 6]));
    linear(floats(1, &[6]).into(), weight.clone(), None, 6);
    linear(floats(1, &[2, 3, 4, 6]).into(), weight.clone(), Some(floats(3, &[10]).into()), 6);
    // Rows that do not lie evenly, columns that are far apart.
    let uneven = Strided::view(floats(4, &[4, 7, 6]), &[4, 5, 6], &[42, 6, 1], 6);
    linear(uneven, weight.clone(), None, 6);
    let transposed = Strided::view(floats(5, &[6, 20]), &[20, 6], &[1, 20], 0);
    linear(transposed, Strided::view(floats(6, &[6, 10]), &[10, 6], &[1, 10], 0), None, 6);
    linear(floats(1, &[0, 6]).into(), weight, None, 6);
    linear(floats(1, &[3, 0]).into(), floats(1, &[4, 0]).into(), Some(floats(3, &[4]).into()), 0);
    linear(floats(1, &[3, 5]).into(), floats(1, &[0, 5]).into(), None, 5);
}

#[test]
fn linear_reads_weights_in_their_stored_form() {
    for rows in [1, 3, 20] {
        for depth in [32, 96, 160] {
            let input = Strided::from(floats(1, &[rows, depth]));
            for dtype in [DType::F16, DType::BF16] {
                linear(input.clone(), typed(dtype, 2, &[11, depth]).into(), None, depth);
            }
            for weight in quantized(&[11, depth]) {
                linear(input.clone(), weight.into(), None, depth);
            }
        }
    }
}

/// A tensor of every block dtype.
pub(super) fn quantized(shape: &[usize]) -> Vec<HostTensor> {
    let values: Vec<f32> = normal(12, shape.iter().product()).into_iter().map(|v| v as f32).collect();
    let mut tensors = vec![HostTensor::new(DType::Q4_1, shape, quantize_q4_1(&values)).unwrap()];
    for dtype in [DType::Q4_0, DType::Q8_0, DType::Q4F16_1] {
        let size = dtype.block().1;
        let mut bytes = Vec::new();
        for (index, block) in values.chunks(32).enumerate() {
            let scale = if dtype == DType::Q8_0 { 0.01 } else { 0.2 } * (1.0 + (index % 7) as f32 / 5.0);
            bytes.extend(half::f16::from_f32(scale).to_le_bytes());
            // Any byte is a valid quant.
            bytes.extend(block.iter().take(size - 2).map(|v| (v * 60.0) as i8 as u8));
        }
        tensors.push(HostTensor::new(dtype, shape, bytes).unwrap());
    }
    tensors
}

#[test]
fn linear_of_halves() {
    for dtype in [DType::F16, DType::BF16] {
        for rows in [1, 3, 20] {
            let bias = Some(typed(dtype, 3, &[9]).into());
            linear(typed(dtype, 1, &[rows, 40]).into(), typed(dtype, 2, &[9, 40]).into(), bias, 40);
        }
    }
}

#[test]
fn sums_are_blocked() {
    for (rows, columns) in [(2, 24), (17, 24), (64, 64)] {
        let depth = 4096;
        let (input, weight) = (floats(1, &[rows, depth]), floats(2, &[columns, depth]));
        let call = call("linear", &[("input", input.clone().into()), ("weight", weight.clone().into())], &[]);
        let exact = oracle(&call)[0].to_f64();
        let rms = |values: &[f32]| {
            let squares = values.iter().zip(&exact).map(|(&v, e)| (f64::from(v) - e).powi(2));
            (squares.sum::<f64>() / exact.len() as f64).sqrt()
        };
        let (a, b) = (input.to_f32(), weight.to_f32());
        let in_order: Vec<f32> = a
            .chunks(depth)
            .flat_map(|a| b.chunks(depth).map(move |b| a.iter().zip(b).fold(0.0f32, |sum, (a, b)| sum + a * b)))
            .collect();
        let (ours, naive) = (rms(&run(&call).unwrap()[0].to_f32()), rms(&in_order));
        assert!(
            ours < naive / 2.0,
            "{rows} rows, {columns} columns: RMS error {ours:e}; summing in order in f32 gives {naive:e}"
        );
    }
}

#[test]
fn nan_and_infinity_stay_in_their_row() {
    for rows in [4, 20] {
        let mut values: Vec<f32> = normal(9, rows * 70).into_iter().map(|v| v as f32).collect();
        (values[3], values[70 + 69], values[2 * 70]) = (f32::NAN, f32::INFINITY, f32::NEG_INFINITY);
        let input = HostTensor::from_f32(&[rows, 70], &values).unwrap();
        linear(input.into(), floats(2, &[67, 70]).into(), None, 70);
    }
}

fn matmul(input: Strided, other: Strided, depth: usize) {
    assert_product(&call("matmul", &[("input", input), ("other", other)], &[]), depth);
}

#[test]
fn matmul_broadcasts_batches() {
    for rows in [1, 5, 16, 70] {
        matmul(floats(1, &[rows, 19]).into(), floats(2, &[19, 66]).into(), 19);
        matmul(floats(1, &[2, 3, rows, 9]).into(), floats(2, &[3, 9, 4]).into(), 9);
        matmul(floats(1, &[2, 1, rows, 9]).into(), floats(2, &[3, 9, 4]).into(), 9);
        // The right side transposed, as keys are.
        let keys = Strided::view(floats(3, &[2, 7, 3, 9]), &[2, 3, 9, 7], &[189, 9, 1, 27], 0);
        matmul(floats(1, &[2, 3, rows, 9]).into(), keys, 9);
        // The left side transposed.
        let left = Strided::view(floats(4, &[2, 9, rows]), &[2, rows, 9], &[9 * rows, 1, rows], 0);
        matmul(left, floats(2, &[9, 4]).into(), 9);
    }
}

/// `batch` times the same two matrices of `[rows, depth]` and `[depth, columns]`, each stored the other way round where `turned`.
pub(super) fn batches(dtype: DType, batch: usize, [rows, depth, columns]: [usize; 3], turned: bool) -> [Strided; 2] {
    let of = |seed, down: usize, across: usize| {
        let (stored, strides) = if turned { ([across, down], [0, 1, down]) } else { ([down, across], [0, across, 1]) };
        Strided::view(typed(dtype, seed, &stored), &[batch, down, across], &strides, 0)
    };
    [of(1, rows, depth), of(2, depth, columns)]
}

/// Large matrices are multiplied in larger tiles the more of them there are: 64 x 64, 128 x 64, 128 x 128.
#[test]
fn matmul_around_the_edges_of_large_tiles() {
    for (batch, rows, columns) in
        [(2, 64, 64), (1, 65, 127), (2, 128, 66), (70, 65, 65), (65, 129, 64), (130, 65, 67), (33, 129, 130)]
    {
        for (depth, turned) in [(1, true), (7, false), (8, true), (17, true), (130, false)] {
            // The oracle multiplies each batch again.
            if batch > 2 && depth > 8 && turned {
                continue;
            }
            let depth = if batch > 2 { depth.min(17) } else { depth };
            let [input, other] = batches(DType::F32, batch, [rows, depth, columns], turned);
            matmul(input, other, depth);
        }
    }
    let [input, other] = batches(DType::F16, 70, [66, 18, 65], true);
    matmul(input, other, 18);
}

/// The larger tiles hold half as many steps of K, and sum them in blocks all the same.
#[test]
fn large_products_are_blocked() {
    for batch in [70, 130] {
        let [input, other] = batches(DType::F32, batch, [64, 300, 64], false);
        matmul(input, other, 300);
    }
}

#[test]
fn matmul_of_vectors() {
    matmul(floats(1, &[9]).into(), floats(2, &[9]).into(), 9);
    matmul(floats(1, &[9]).into(), floats(2, &[9, 5]).into(), 9);
    matmul(floats(1, &[4, 9]).into(), floats(2, &[9]).into(), 9);
    matmul(floats(1, &[9]).into(), floats(2, &[3, 9, 5]).into(), 9);
    matmul(floats(1, &[3, 20, 9]).into(), floats(2, &[9]).into(), 9);
}

#[test]
fn matmul_of_nothing() {
    matmul(floats(1, &[3, 0]).into(), floats(2, &[0, 4]).into(), 0);
    matmul(floats(1, &[0, 3]).into(), floats(2, &[3, 4]).into(), 3);
    matmul(floats(1, &[0, 2, 3]).into(), floats(2, &[3, 4]).into(), 3);
}

#[test]
fn matmul_of_mixed_and_half_dtypes() {
    for (a, b) in [(DType::F16, DType::F16), (DType::BF16, DType::BF16), (DType::F16, DType::F32)] {
        matmul(typed(a, 1, &[2, 18, 21]).into(), typed(b, 2, &[2, 21, 5]).into(), 21);
    }
}

/// The numbers of a linear congruential generator, cut to the range of a dtype.
pub(super) fn integers(dtype: DType, seed: u64, shape: &[usize]) -> HostTensor {
    let mut state = seed;
    let values = (0..shape.iter().product()).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (state >> 32) as u32;
        match dtype {
            DType::U8 => f64::from(bits as u8),
            DType::I8 => f64::from(bits as i8),
            DType::I16 => f64::from(bits as i16),
            DType::I32 => f64::from(bits.cast_signed()),
            _ => f64::from(bits % 20_001) - 10_000.0,
        }
    });
    HostTensor::from_f64(dtype, shape, &values.collect::<Vec<_>>()).unwrap()
}

/// Whatever wraps in PyTorch wraps here.
#[test]
fn integer_products_are_exact() {
    for dtype in [DType::U8, DType::I8, DType::I16, DType::I32, DType::I64] {
        for (rows, depth, columns) in [(1, 1, 1), (1, 40, 70), (5, 7, 3), (17, 16, 64), (33, 17, 65)] {
            let of = |seed, shape: &[usize]| Strided::from(integers(dtype, seed, shape));
            let tensors = [("input", of(1, &[2, rows, depth])), ("other", of(2, &[2, depth, columns]))];
            assert_close(&call("matmul", &tensors, &[]), |_, _| 0.0);
            let transposed = Strided::view(integers(dtype, 3, &[depth, rows]), &[rows, depth], &[1, rows], 0);
            let other = Strided::view(integers(dtype, 4, &[columns, depth]), &[depth, columns], &[1, depth], 0);
            assert_close(&call("matmul", &[("input", transposed), ("other", other)], &[]), |_, _| 0.0);
        }
    }
    assert_close(&call("matmul", &[("input", i64s(&[3, -4])), ("other", i64s(&[5, 6]))], &[]), |_, _| 0.0);
    let nothing = |shape: &[usize]| Strided::from(integers(DType::I64, 1, shape));
    assert_close(&call("matmul", &[("input", nothing(&[2, 0])), ("other", nothing(&[0, 3]))], &[]), |_, _| 0.0);
    assert_close(&call("matmul", &[("input", nothing(&[0, 2])), ("other", nothing(&[2, 3]))], &[]), |_, _| 0.0);
}

/// Sums that pass 32 bits on the way are no error, results are.
#[test]
fn i64_products_beyond_32_bits_are_refused_with_their_place() {
    let most = i64::from(i32::MAX);
    let least = i64::from(i32::MIN);
    let fits = [("input", i64s(&[most, most, 2])), ("other", i64s(&[least, most, most / 2 + 1]))];
    assert_eq!(run(&call("matmul", &fits, &[])).unwrap()[0].to_i64().unwrap(), [1]);
    for (left, right) in
        [([most, 1], [1, 1]), ([least, 1], [1, -1]), ([least, least], [least, least]), ([most, most], [most, -3])]
    {
        let input = HostTensor::from_i64(&[3, 2], &[0, 0, 0, 0, left[0], left[1]]).unwrap();
        let call = call("matmul", &[("input", input.into()), ("other", i64s(&right))], &[]);
        assert_eq!(run(&call).unwrap_err(), GpuError::ResultRange { index: 2 });
    }
}
