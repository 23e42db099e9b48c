//! Integers and bool: exactly equal or not.

use super::metrics::{self, Metrics, Worst};
use super::{Comparands, Comparison, Verdict};

/// Compares three tensors of integers or bool.
pub(crate) fn compare(inputs: &Comparands<'_>, oracle: &[i64]) -> Comparison {
    let integers = |tensor: &crate::tensor::HostTensor| tensor.to_i64().unwrap_or_default();
    let (target, source) = (integers(inputs.target), integers(inputs.source));
    let mut metrics = Metrics { compared: source.len(), ..metrics::empty(inputs) };
    let (mut target_wrong, mut source_wrong, mut apart) = (0usize, 0usize, 0usize);
    let (mut target_square, mut source_square) = (0.0, 0.0);
    for (index, ((&t, &s), &o)) in target.iter().zip(&source).zip(oracle).enumerate() {
        target_wrong += usize::from(t != o);
        source_wrong += usize::from(s != o);
        apart += usize::from(t != s);
        target_square += (t.abs_diff(o) as f64).powi(2);
        source_square += (s.abs_diff(o) as f64).powi(2);
        let difference = t.abs_diff(s) as f64;
        metrics.assert_close.add(difference, 0.0);
        Worst::raise(&mut metrics.max_abs, difference, index);
        if s != 0 {
            Worst::raise(&mut metrics.max_rel, difference / s.unsigned_abs() as f64, index);
        }
    }
    metrics.rms_target = (target_square / source.len() as f64).sqrt();
    metrics.rms_source = (source_square / source.len() as f64).sqrt();
    let (op, count) = (inputs.op, source.len());
    let (verdict, reason) = match (target_wrong, source_wrong, apart) {
        (0, 0, _) => (Verdict::Pass, None),
        (0, wrong, _) => (
            Verdict::Warn,
            Some(format!("{op}: the target is exact, but the source is off in {wrong} of {count} elements")),
        ),
        (wrong, _, 0) => (
            Verdict::Warn,
            Some(format!("{op}: target and source agree, but the oracle differs in {wrong} of {count} elements")),
        ),
        (wrong, _, _) => (
            Verdict::Fail,
            Some(format!("{op}: {wrong} of {count} elements are wrong, and {} must be exact", inputs.source.dtype())),
        ),
    };
    Comparison { verdict, metrics, reason }
}
