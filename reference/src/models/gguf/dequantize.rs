//! GGML's blocks that a trace does not hold, dequantised as `ggml-quants.c` does (`dequantize_row_q5_0` and so on).

use half::f16;

/// A block format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packed {
    /// 32 elements in 22 bytes: w = (q − 16)·d, q of 5 bits.
    Q5_0,
    /// 32 elements in 24 bytes: w = q·d + m, q of 5 bits.
    Q5_1,
    /// 256 elements in 144 bytes: 8 sub-blocks, w = q·d·s − dmin·m, q of 4 bits, s and m of 6 bits.
    Q4K,
    /// 256 elements in 176 bytes: as Q4_K with q of 5 bits.
    Q5K,
    /// 256 elements in 210 bytes: 16 sub-blocks, w = (q − 32)·d·s, q of 6 bits, s of 8 bits.
    Q6K,
}

impl Packed {
    /// Name in GGML.
    pub fn name(self) -> &'static str {
        match self {
            Packed::Q5_0 => "Q5_0",
            Packed::Q5_1 => "Q5_1",
            Packed::Q4K => "Q4_K",
            Packed::Q5K => "Q5_K",
            Packed::Q6K => "Q6_K",
        }
    }

    /// Elements and bytes of a block.
    pub fn block(self) -> (usize, usize) {
        match self {
            Packed::Q5_0 => (32, 22),
            Packed::Q5_1 => (32, 24),
            Packed::Q4K => (256, 144),
            Packed::Q5K => (256, 176),
            Packed::Q6K => (256, 210),
        }
    }

    /// Bytes of a tensor, or `None` where the shape overflows or a row is no whole number of blocks.
    pub fn byte_len(self, shape: &[usize]) -> Option<usize> {
        let (elements, bytes) = self.block();
        let numel = shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size))?;
        let whole = shape.last().is_some_and(|last| last % elements == 0);
        // An f32 takes up to 8 times as much; that must not overflow either.
        numel.checked_mul(4).filter(|_| whole)?;
        (numel / elements).checked_mul(bytes)
    }

    /// Values of whole blocks, in order.
    pub fn dequantize(self, bytes: &[u8]) -> Vec<f32> {
        let (elements, size) = self.block();
        let mut values = vec![0.0; bytes.len() / size * elements];
        // Every index below is within a block of the size that `chunks_exact` gives.
        for (block, out) in bytes.chunks_exact(size).zip(values.chunks_exact_mut(elements)) {
            match self {
                Packed::Q5_0 => five_bits(&block[2..6], &block[6..], out, |q| (q - 16.0) * half_at(block, 0)),
                Packed::Q5_1 => {
                    five_bits(&block[4..8], &block[8..], out, |q| q * half_at(block, 0) + half_at(block, 2));
                }
                Packed::Q4K => k_pairs(block, &block[16..144], None, out),
                Packed::Q5K => k_pairs(block, &block[48..176], Some(&block[16..48]), out),
                Packed::Q6K => q6_k(block, out),
            }
        }
        values
    }
}

fn half_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

/// 32 elements: low nibbles first, then high ones; the fifth bits stand in an u32.
fn five_bits(high: &[u8], low: &[u8], out: &mut [f32], value: impl Fn(f32) -> f32) {
    let high = u32::from_le_bytes([high[0], high[1], high[2], high[3]]);
    for (i, &byte) in low.iter().enumerate().take(16) {
        let first = (byte & 15) | (((high >> i) & 1) as u8) << 4;
        let second = (byte >> 4) | (((high >> (i + 16)) & 1) as u8) << 4;
        out[i] = value(f32::from(first));
        out[i + 16] = value(f32::from(second));
    }
}

/// Q4_K and Q5_K: 4 runs of 64 elements, each of two sub-blocks of 32 in the low and the high nibbles of 32 bytes.
fn k_pairs(block: &[u8], low: &[u8], high: Option<&[u8]>, out: &mut [f32]) {
    let (d, dmin) = (half_at(block, 0), half_at(block, 2));
    let scales = &block[4..16];
    for (run, (nibbles, out)) in low.chunks_exact(32).zip(out.chunks_exact_mut(64)).enumerate() {
        for part in 0..2 {
            let (scale, min) = scale_min(scales, 2 * run + part);
            let (scale, min) = (d * f32::from(scale), dmin * f32::from(min));
            for i in 0..32 {
                let nibble = if part == 0 { nibbles[i] & 15 } else { nibbles[i] >> 4 };
                let fifth = high.map_or(0, |high| (high[i] >> (2 * run + part)) & 1);
                out[32 * part + i] = scale * f32::from(nibble | fifth << 4) - min;
            }
        }
    }
}

/// `get_scale_min_k4`: eight scales and eight minima of 6 bits in 12 bytes.
fn scale_min(packed: &[u8], at: usize) -> (u8, u8) {
    if at < 4 {
        (packed[at] & 63, packed[at + 4] & 63)
    } else {
        let scale = (packed[at + 4] & 15) | (packed[at - 4] >> 6) << 4;
        let min = (packed[at + 4] >> 4) | (packed[at] >> 6) << 4;
        (scale, min)
    }
}

/// Two halves of 128 elements: 64 bytes of low nibbles, 32 bytes of high pairs of bits, 8 scales.
fn q6_k(block: &[u8], out: &mut [f32]) {
    let d = half_at(block, 208);
    let halves =
        block[..128].chunks_exact(64).zip(block[128..192].chunks_exact(32)).zip(block[192..208].chunks_exact(8));
    for (((low, high), scales), out) in halves.zip(out.chunks_exact_mut(128)) {
        for i in 0..32 {
            let quants = [
                (low[i] & 15) | (high[i] & 3) << 4,
                (low[i + 32] & 15) | ((high[i] >> 2) & 3) << 4,
                (low[i] >> 4) | ((high[i] >> 4) & 3) << 4,
                (low[i + 32] >> 4) | (high[i] >> 6) << 4,
            ];
            for (run, quant) in quants.into_iter().enumerate() {
                let scale = f32::from(scales[2 * run + i / 16] as i8);
                out[32 * run + i] = d * scale * (f32::from(quant) - 32.0);
            }
        }
    }
}
