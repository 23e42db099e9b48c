//! PyTorch's own rule, `torch.testing.assert_close`.

use crate::tensor::DType;
use serde::{Deserialize, Serialize};

/// Outcome of `torch.testing.assert_close(target, source)` with its defaults for the dtype.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssertClose {
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerance.
    pub atol: f64,
    /// Elements with |t − s| > atol + rtol·|s|; NaN matches nothing, an infinity itself alone.
    pub mismatched: usize,
    /// Elements compared.
    pub of: usize,
    /// Whether none is mismatched.
    pub pass: bool,
}

impl AssertClose {
    /// Nothing compared yet, with the defaults of PyTorch 2.11 for `dtype` (`torch/testing/_comparison.py`,
    /// `_DTYPE_PRECISIONS`); integers and bool have none.
    pub fn new(dtype: DType) -> Self {
        let (rtol, atol) = match dtype {
            DType::F16 => (1e-3, 1e-5),
            DType::BF16 => (1.6e-2, 1e-5),
            DType::F32 => (1.3e-6, 1e-5),
            DType::F64 => (1e-7, 1e-7),
            _ => (0.0, 0.0),
        };
        AssertClose { rtol, atol, mismatched: 0, of: 0, pass: true }
    }

    /// Compares one element.
    pub fn add(&mut self, target: f64, source: f64) {
        let close =
            target == source || (source.is_finite() && (target - source).abs() <= self.atol + self.rtol * source.abs());
        self.of += 1;
        self.mismatched += usize::from(!close);
        self.pass = self.mismatched == 0;
    }
}
