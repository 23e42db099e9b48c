//! Element types of a trace, named as in PyTorch (short form) and GGUF.

use serde::{Deserialize, Serialize};

/// The element type of a stored tensor.
///
/// Quantised types are stored in blocks along the last dimension; every other type is stored element by element, little endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DType {
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary16.
    F16,
    /// The upper 16 bits of a binary32.
    BF16,
    /// IEEE 754 binary64.
    F64,
    /// Signed 64-bit integer.
    I64,
    /// Signed 32-bit integer.
    I32,
    /// Signed 16-bit integer.
    I16,
    /// Signed 8-bit integer.
    I8,
    /// Unsigned 8-bit integer.
    U8,
    /// One byte, 0 or 1.
    Bool,
    /// OCP 8-bit float, 4 exponent and 3 mantissa bits (`float8_e4m3fn`).
    #[serde(rename = "f8_e4m3")]
    F8E4M3,
    /// OCP 8-bit float, 5 exponent and 2 mantissa bits (`float8_e5m2`).
    #[serde(rename = "f8_e5m2")]
    F8E5M2,
    /// GGUF Q4_0: 32 elements in 18 bytes, w = (q − 8)·d.
    #[serde(rename = "q4_0")]
    Q4_0,
    /// GGUF Q4_1: 32 elements in 20 bytes, w = q·d + m.
    #[serde(rename = "q4_1")]
    Q4_1,
    /// GGUF Q8_0: 32 elements in 34 bytes, w = q·d.
    #[serde(rename = "q8_0")]
    Q8_0,
    /// MLC q4f16_1: groups of 32 along K, low nibble first, w = (q − 7)·s.
    #[serde(rename = "q4f16_1")]
    Q4F16_1,
}

/// A dtype name that the trace format does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown dtype '{0}'; the format knows f32 f16 bf16 f64 i64 i32 i16 i8 u8 bool f8_e4m3 f8_e5m2 q4_0 q4_1 q8_0 q4f16_1"
)]
pub struct UnknownDType(pub String);

impl DType {
    /// Every dtype of the format, in the order of the documentation.
    pub const ALL: [DType; 16] = [
        DType::F32,
        DType::F16,
        DType::BF16,
        DType::F64,
        DType::I64,
        DType::I32,
        DType::I16,
        DType::I8,
        DType::U8,
        DType::Bool,
        DType::F8E4M3,
        DType::F8E5M2,
        DType::Q4_0,
        DType::Q4_1,
        DType::Q8_0,
        DType::Q4F16_1,
    ];

    /// The name used in `trace.json`.
    pub fn name(self) -> &'static str {
        match self {
            DType::F32 => "f32",
            DType::F16 => "f16",
            DType::BF16 => "bf16",
            DType::F64 => "f64",
            DType::I64 => "i64",
            DType::I32 => "i32",
            DType::I16 => "i16",
            DType::I8 => "i8",
            DType::U8 => "u8",
            DType::Bool => "bool",
            DType::F8E4M3 => "f8_e4m3",
            DType::F8E5M2 => "f8_e5m2",
            DType::Q4_0 => "q4_0",
            DType::Q4_1 => "q4_1",
            DType::Q8_0 => "q8_0",
            DType::Q4F16_1 => "q4f16_1",
        }
    }

    /// Elements and bytes of one storage block: (1, size) for plain types.
    pub fn block(self) -> (usize, usize) {
        match self {
            DType::F64 | DType::I64 => (1, 8),
            DType::F32 | DType::I32 => (1, 4),
            DType::F16 | DType::BF16 | DType::I16 => (1, 2),
            DType::I8 | DType::U8 | DType::Bool | DType::F8E4M3 | DType::F8E5M2 => (1, 1),
            DType::Q4_0 | DType::Q4F16_1 => (32, 18),
            DType::Q4_1 => (32, 20),
            DType::Q8_0 => (32, 34),
        }
    }

    /// Bytes that a contiguous tensor of this shape takes, or `None` where the shape overflows or its last
    /// dimension is no multiple of the block.
    pub fn byte_len(self, shape: &[usize]) -> Option<usize> {
        let (elements, bytes) = self.block();
        let numel = shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size))?;
        if elements > 1 && shape.last().copied().unwrap_or(0) % elements != 0 {
            return None;
        }
        (numel / elements).checked_mul(bytes)
    }

    /// Whether elements stand for real numbers (quantised blocks included).
    pub fn is_float(self) -> bool {
        !self.is_integer() && self != DType::Bool
    }

    /// Whether elements are integers (bool excluded).
    pub fn is_integer(self) -> bool {
        matches!(self, DType::I64 | DType::I32 | DType::I16 | DType::I8 | DType::U8)
    }

    /// Whether elements are 8-bit floats.
    pub fn is_f8(self) -> bool {
        matches!(self, DType::F8E4M3 | DType::F8E5M2)
    }

    /// Whether elements are stored in quantised blocks.
    pub fn is_quantized(self) -> bool {
        self.block().0 > 1
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for DType {
    type Err = UnknownDType;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|dtype| dtype.name() == name).ok_or_else(|| UnknownDType(name.to_owned()))
    }
}
