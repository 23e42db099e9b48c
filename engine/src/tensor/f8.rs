//! OCP 8-bit floats, after "OCP 8-bit Floating Point Specification", revision 1.0, with PyTorch's choice of what is too large.

use super::DType;

/// An 8-bit format: how its byte is divided, and its codes for what is no ordinary number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    mantissa_bits: u32,
    /// The exponent of the smallest normal number, and of all subnormals.
    min_exponent: i32,
    /// The code of the largest magnitude that is no NaN; e5m2 has infinity there, e4m3, which has none, its largest number.
    top: u8,
}

impl Format {
    /// The format of `dtype`, where it is one.
    pub(super) fn of(dtype: DType) -> Option<Self> {
        match dtype {
            DType::F8E4M3 => Some(Format { mantissa_bits: 3, min_exponent: -6, top: 0x7e }),
            DType::F8E5M2 => Some(Format { mantissa_bits: 2, min_exponent: -14, top: 0x7c }),
            _ => None,
        }
    }

    /// The number that a byte stands for.
    pub(super) fn decode(self, byte: u8) -> f64 {
        let code = byte & 0x7f;
        let exponent = i32::from(code >> self.mantissa_bits);
        let mantissa = f64::from(code & ((1 << self.mantissa_bits) - 1));
        let implied = if exponent == 0 { 0.0 } else { f64::from(1u32 << self.mantissa_bits) };
        let magnitude = if code > self.top {
            f64::NAN
        } else if code == 0x7c && self.top == 0x7c {
            f64::INFINITY
        } else {
            (implied + mantissa) * f64::powi(2.0, exponent.max(1) - 1 + self.min_exponent - self.mantissa_bits as i32)
        };
        if byte >> 7 == 1 { -magnitude } else { magnitude }
    }

    /// The byte of the nearest number, of two equally near the one with an even code. What is too large becomes `top`: infinity
    /// in e5m2, the largest number in e4m3, as in `Tensor.to`. Every NaN becomes the one with all bits set.
    pub(super) fn encode(self, value: f64) -> u8 {
        let sign = u8::from(value.is_sign_negative()) << 7;
        let magnitude = value.abs();
        if magnitude.is_nan() {
            return sign | 0x7f;
        }
        let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(self.min_exponent);
        let quanta = (magnitude / f64::powi(2.0, exponent - self.mantissa_bits as i32)).round_ties_even();
        // The implied bit counts as one more exponent, and so does a mantissa that was rounded up to the next power of two.
        let code = f64::from((exponent - self.min_exponent) << self.mantissa_bits) + quanta;
        sign | if code < f64::from(self.top) { code as u8 } else { self.top }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Of the specification's table of extremes.
    #[test]
    fn extremes_are_those_of_the_specification() {
        let [e4m3, e5m2] = [DType::F8E4M3, DType::F8E5M2].map(|dtype| Format::of(dtype).unwrap());
        let values = |format: Format, codes: [u8; 4]| codes.map(|code| format.decode(code));
        assert_eq!(values(e4m3, [0x7e, 0x08, 0x07, 0x01]), [448.0, 1.0 / 64.0, 0.875 / 64.0, 1.0 / 512.0]);
        assert_eq!(
            values(e5m2, [0x7b, 0x04, 0x03, 0x01]),
            [57344.0, 2f64.powi(-14), 0.75 * 2f64.powi(-14), 2f64.powi(-16)]
        );
        assert!(e4m3.decode(0x7f).is_nan() && e5m2.decode(0x7d).is_nan() && e5m2.decode(0xff).is_nan());
        assert_eq!([e5m2.decode(0x7c), e5m2.decode(0xfc)], [f64::INFINITY, f64::NEG_INFINITY]);
    }

    #[test]
    fn every_number_and_what_lies_between_is_rounded_to_the_nearest() {
        for dtype in [DType::F8E4M3, DType::F8E5M2] {
            let format = Format::of(dtype).unwrap();
            for byte in (0..=255u8).filter(|&byte| !format.decode(byte).is_nan()) {
                assert_eq!(format.encode(format.decode(byte)), byte);
                let (low, high) = (format.decode(byte), format.decode(byte.wrapping_add(1)));
                if high.is_finite() && byte & 0x7f < format.top - 1 {
                    let middle = f64::midpoint(low, high);
                    assert_eq!(format.encode(middle), byte + (byte & 1));
                    assert_eq!(format.encode(middle * (1.0 - f64::EPSILON)), byte);
                    assert_eq!(format.encode(middle * (1.0 + f64::EPSILON)), byte + 1);
                }
            }
        }
    }

    #[test]
    fn what_is_too_large_saturates_or_is_infinite() {
        let [e4m3, e5m2] = [DType::F8E4M3, DType::F8E5M2].map(|dtype| Format::of(dtype).unwrap());
        assert_eq!([464.0, 480.0, 1e300, f64::INFINITY].map(|x| e4m3.encode(x)), [0x7e; 4]);
        assert_eq!([61439.0, 61440.0, f64::NEG_INFINITY].map(|x| e5m2.encode(x)), [0x7b, 0x7c, 0xfc]);
        assert_eq!([f64::NAN, -0.0, f64::MIN_POSITIVE / 4.0].map(|x| e4m3.encode(x)), [0x7f, 0x80, 0]);
    }
}
