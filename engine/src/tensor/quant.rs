//! GGUF's quantised blocks, after ggml's `ggml-quants.c` and MLC's `group_quantization.py`.

use super::DType;
use half::f16;

/// Values of whole blocks, in order.
///
/// `bytes` holds whole blocks of `dtype`; a rest shorter than a block is ignored, because callers have checked the length.
pub fn dequantize(dtype: DType, bytes: &[u8]) -> Vec<f32> {
    let (elements, size) = dtype.block();
    let mut values = Vec::with_capacity(bytes.len() / size * elements);
    for block in bytes.chunks_exact(size) {
        let scale = half_at(block, 0);
        match dtype {
            DType::Q4_0 => push_nibbles(&mut values, &block[2..], |q| (q - 8.0) * scale),
            DType::Q4_1 => {
                let min = half_at(block, 2);
                push_nibbles(&mut values, &block[4..], |q| q * scale + min);
            }
            DType::Q8_0 => values.extend(block[2..].iter().map(|&q| f32::from(q as i8) * scale)),
            // MLC stores neighbours side by side, low nibble first.
            DType::Q4F16_1 => values.extend(
                block[2..].iter().flat_map(|&byte| [byte & 15, byte >> 4]).map(|q| (f32::from(q) - 7.0) * scale),
            ),
            _ => {}
        }
    }
    values
}

/// Quantises rows to Q4_1 as ggml does: d = (max − min) / 15, m = min, q = round((x − m) / d).
///
/// `values.len()` must be a multiple of 32; a rest is ignored.
pub fn quantize_q4_1(values: &[f32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len() / 32 * 20);
    for block in values.chunks_exact(32) {
        let min = block.iter().copied().fold(f32::INFINITY, f32::min);
        let max = block.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let scale = (max - min) / 15.0;
        let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
        bytes.extend(f16::from_f32(scale).to_le_bytes());
        bytes.extend(f16::from_f32(min).to_le_bytes());
        let nibble = |x: f32| (((x - min) * inverse + 0.5) as u8).min(15);
        bytes.extend((0..16).map(|i| nibble(block[i]) | (nibble(block[i + 16]) << 4)));
    }
    bytes
}

fn half_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

/// GGUF puts the low nibbles of 16 bytes first, then the high ones.
fn push_nibbles(values: &mut Vec<f32>, packed: &[u8], value: impl Fn(f32) -> f32) {
    values.extend(packed.iter().map(|byte| value(f32::from(byte & 15))));
    values.extend(packed.iter().map(|byte| value(f32::from(byte >> 4))));
}
