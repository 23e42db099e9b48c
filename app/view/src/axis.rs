//! A logarithmic axis for errors that span many orders of magnitude.

/// Decades from `low` to `high`, as exponents of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogAxis {
    /// Exponent at position 0.
    pub low: i32,
    /// Exponent at position 1; greater than `low`.
    pub high: i32,
}

impl LogAxis {
    /// The smallest axis of at least `least` decades that holds every positive finite value; `fallback` where there is none.
    pub fn around(values: impl Iterator<Item = f64>, least: i32, fallback: LogAxis) -> Self {
        let (mut min, mut max) = (f64::INFINITY, 0f64);
        for value in values.filter(|value| value.is_finite() && *value > 0.0) {
            min = min.min(value);
            max = max.max(value);
        }
        if min > max {
            return fallback;
        }
        let low = min.log10().floor() as i32;
        let high = (max.log10().ceil() as i32).max(low + least.max(1));
        LogAxis { low, high }
    }

    /// Position of a value, 0 to 1. Zero and less lie at the low end, infinities and NaN at the high end.
    pub fn position(&self, value: f64) -> f64 {
        if value.is_nan() {
            return 1.0;
        }
        if value <= 0.0 {
            return 0.0;
        }
        ((value.log10() - f64::from(self.low)) / f64::from(self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Exponents to print, at most `most` of them, evenly spaced and with both ends where they fit.
    pub fn ticks(&self, most: usize) -> Vec<i32> {
        let span = self.high - self.low;
        let room = i32::try_from(most.max(2) - 1).unwrap_or(i32::MAX);
        let step = (span + room - 1) / room;
        (self.low..=self.high).step_by(usize::try_from(step.max(1)).unwrap_or(1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FALLBACK: LogAxis = LogAxis { low: -9, high: 0 };

    #[test]
    fn holds_every_value() {
        let axis = LogAxis::around([3e-7, 2e-4, 0.0, f64::INFINITY].into_iter(), 2, FALLBACK);
        assert_eq!(axis, LogAxis { low: -7, high: -3 });
        assert_eq!(axis.position(0.0), 0.0);
        assert_eq!(axis.position(f64::INFINITY), 1.0);
        assert!((axis.position(1e-5) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn is_never_empty() {
        assert_eq!(LogAxis::around(std::iter::empty(), 2, FALLBACK), FALLBACK);
        assert_eq!(LogAxis::around([1e-3].into_iter(), 2, FALLBACK), LogAxis { low: -3, high: -1 });
    }

    #[test]
    fn ticks_fit() {
        assert_eq!(LogAxis { low: -7, high: -3 }.ticks(3), [-7, -5, -3]);
        assert_eq!(LogAxis { low: -9, high: 0 }.ticks(4), [-9, -6, -3, 0]);
        assert_eq!(LogAxis { low: -1, high: 0 }.ticks(9), [-1, 0]);
    }
}
