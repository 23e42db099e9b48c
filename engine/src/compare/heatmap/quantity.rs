//! What a heatmap shows of each element.

use super::{HeatmapError, Subject};
use crate::compare::{Kind, ulps_apart};
use crate::tensor::{DType, HostTensor, Layout};
use serde::{Deserialize, Serialize};

/// A quantity of each element; t is the target's, s the recorded one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// s.
    Expected,
    /// t.
    Actual,
    /// t − s.
    Difference,
    /// |t − s|.
    AbsoluteDifference,
    /// ULP between t and s; for integers and bool |t − s|.
    Ulp,
    /// |t − s| / |s|: +∞ where s is 0 and t is not.
    Relative,
}

impl Quantity {
    /// Every quantity, in the order in which they are offered.
    pub const ALL: [Quantity; 6] = [
        Quantity::Expected,
        Quantity::Actual,
        Quantity::Difference,
        Quantity::AbsoluteDifference,
        Quantity::Ulp,
        Quantity::Relative,
    ];
}

/// The operands of a quantity over one plane.
pub(super) struct Pair {
    quantity: Quantity,
    dtype: DType,
    expected: Side,
    /// The same as `expected` where the quantity does not need it.
    actual: Option<Side>,
}

struct Side {
    values: Vec<f64>,
    kinds: Vec<Kind>,
}

impl Pair {
    /// Reads the plane that `layout` describes.
    pub(super) fn new(subject: &Subject<'_>, quantity: Quantity, layout: &Layout) -> Result<Self, HeatmapError> {
        let expected = Side::new(subject.expected, layout)?;
        let actual = match quantity {
            Quantity::Expected => None,
            _ => {
                let actual = subject.actual.ok_or(HeatmapError::NoActual)?;
                if actual.shape() != subject.expected.shape() {
                    return Err(HeatmapError::Shapes {
                        actual: actual.shape().to_vec(),
                        expected: subject.expected.shape().to_vec(),
                    });
                }
                Some(Side::new(actual, layout)?)
            }
        };
        Ok(Pair { quantity, dtype: subject.expected.dtype(), expected, actual })
    }

    /// The quantity at an element of the plane, or what it is instead of a finite number.
    ///
    /// Where t and s are the same infinity, or both NaN, no quantity that compares them is finite either.
    pub(super) fn value(&self, at: usize) -> Result<f32, Kind> {
        let s = self.expected.value(at);
        let Some(actual) = &self.actual else { return s.map(|s| s as f32) };
        let t = actual.value(at);
        if self.quantity == Quantity::Actual {
            return t.map(|t| t as f32);
        }
        let (t, s) = (t?, s?);
        let value = match self.quantity {
            Quantity::Ulp if self.dtype.is_float() => f64::from(ulps_apart(self.dtype, t, s).unwrap_or(u32::MAX)),
            Quantity::Relative if t == s => 0.0,
            Quantity::Relative if s == 0.0 => return Err(Kind::PositiveInfinity),
            Quantity::Relative => (t - s).abs() / s.abs(),
            Quantity::AbsoluteDifference | Quantity::Ulp => (t - s).abs(),
            _ => t - s,
        };
        Ok(value as f32)
    }
}

impl Side {
    fn new(tensor: &HostTensor, layout: &Layout) -> Result<Self, HeatmapError> {
        if tensor.dtype().is_quantized() {
            // Blocks have no single elements to step over.
            let all = tensor.to_f64();
            layout.check(all.len()).map_err(crate::tensor::TensorError::from)?;
            let values: Vec<f64> = layout.positions().map(|position| all[position]).collect();
            let kinds = vec![Kind::Finite; values.len()];
            return Ok(Side { values, kinds });
        }
        let plane = tensor.view(layout)?;
        let kinds = (0..plane.numel()).map(|at| Kind::of(&plane, at)).collect();
        Ok(Side { values: plane.to_f64(), kinds })
    }

    fn value(&self, at: usize) -> Result<f64, Kind> {
        match (self.values.get(at), self.kinds.get(at)) {
            (Some(&value), Some(Kind::Finite)) => Ok(value),
            (_, Some(&kind)) => Err(kind),
            _ => Err(Kind::NaN),
        }
    }
}
