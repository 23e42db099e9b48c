//! NaN and infinities, told by their bits and never by a float comparison.

use crate::tensor::{DType, HostTensor};

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Finite,
    /// +∞.
    PositiveInfinity,
    /// −∞.
    NegativeInfinity,
    /// Not a number, of any sign and payload.
    NaN,
}

impl Kind {
    /// Kind of element `index`, from its stored bits. Integers, bool and quantised blocks are always finite, and so is what lies
    /// outside the tensor.
    pub fn of(tensor: &HostTensor, index: usize) -> Kind {
        match tensor.dtype() {
            DType::F32 => bytes(tensor, index).map_or(Kind::Finite, |b| classify(u32::from_le_bytes(b).into(), 8, 23)),
            DType::F16 => bytes(tensor, index).map_or(Kind::Finite, |b| classify(u16::from_le_bytes(b).into(), 5, 10)),
            DType::BF16 => bytes(tensor, index).map_or(Kind::Finite, |b| classify(u16::from_le_bytes(b).into(), 8, 7)),
            DType::F64 => bytes(tensor, index).map_or(Kind::Finite, |b| classify(u64::from_le_bytes(b), 11, 52)),
            DType::F8E5M2 => bytes(tensor, index).map_or(Kind::Finite, |[b]: [u8; 1]| classify(b.into(), 5, 2)),
            // e4m3 has no infinities and one NaN per sign.
            DType::F8E4M3 => match bytes(tensor, index) {
                Some([byte]) if byte & 0x7f == 0x7f => Kind::NaN,
                _ => Kind::Finite,
            },
            _ => Kind::Finite,
        }
    }

    /// Whether it is a number.
    pub fn is_finite(self) -> bool {
        self == Kind::Finite
    }
}

fn bytes<const N: usize>(tensor: &HostTensor, index: usize) -> Option<[u8; N]> {
    tensor.bytes().as_chunks::<N>().0.get(index).copied()
}

fn classify(bits: u64, exponent_bits: u32, mantissa_bits: u32) -> Kind {
    let exponent = (1u64 << exponent_bits) - 1;
    let mantissa = (1u64 << mantissa_bits) - 1;
    if (bits >> mantissa_bits) & exponent != exponent {
        Kind::Finite
    } else if bits & mantissa != 0 {
        Kind::NaN
    } else if (bits >> (mantissa_bits + exponent_bits)) & 1 == 1 {
        Kind::NegativeInfinity
    } else {
        Kind::PositiveInfinity
    }
}
