//! The source's own error: how far its results lie from the oracle's, and from its own when it computes again.

use super::CarveError;
use taproot_engine::oracle::Array;
use taproot_engine::tensor::HostTensor;
use taproot_engine::trace::Noise;

/// RMS and largest absolute value of source − oracle. Elements that are the same infinity, or both NaN, count as equal.
///
/// # Errors
/// When one of the two is finite where the other is not: then the source is wrong, and there is no trace to make of it.
pub(super) fn measure(id: &str, source: &HostTensor, oracle: &Array) -> Result<Noise, CarveError> {
    let (mut squares, mut max) = (0.0, 0.0f64);
    let (source, oracle) = (source.to_f64(), oracle.to_f64());
    for (at, (&s, &o)) in source.iter().zip(&oracle).enumerate() {
        if s == o || (s.is_nan() && o.is_nan()) {
            continue;
        }
        if !(s.is_finite() && o.is_finite()) {
            return Err(CarveError::NonFinite { id: id.to_owned(), at, source_value: s, oracle_value: o });
        }
        squares += (s - o) * (s - o);
        max = max.max((s - o).abs());
    }
    let rms = if source.is_empty() { 0.0 } else { (squares / source.len() as f64).sqrt() };
    Ok(Noise { rms, max })
}

/// The largest absolute difference between two runs, where their bytes differ at all; f64::MAX where one is not finite.
pub(super) fn difference(first: &[HostTensor], second: &[HostTensor]) -> Option<f64> {
    if first == second {
        return None;
    }
    let pairs = first.iter().zip(second).flat_map(|(a, b)| a.to_f64().into_iter().zip(b.to_f64()));
    let largest = pairs.map(|(a, b)| if a == b { 0.0 } else { (a - b).abs() }).fold(0.0, f64::max);
    Some(if largest.is_finite() { largest } else { f64::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproot_engine::tensor::{DType, TensorError};

    #[test]
    fn noise_is_rms_and_max_and_refuses_nan_against_numbers() -> Result<(), TensorError> {
        let source = HostTensor::from_f32(&[4], &[1.0, 2.0, f32::INFINITY, f32::NAN])?;
        let oracle = |last| Array::float(DType::F32, &[4], vec![1.5, 2.0, f64::INFINITY, last]);
        let noise = measure("op", &source, &oracle(f64::NAN)).ok();
        assert_eq!(noise, Some(Noise { rms: 0.25, max: 0.5 }));
        let message = measure("op", &source, &oracle(7.0)).err().map(|error| error.to_string());
        let expected = "operator 'op': the CPU source gave NaN where the f64 oracle gave 7 (element 3)";
        assert_eq!(message.as_deref(), Some(expected));
        Ok(())
    }

    #[test]
    fn equal_runs_have_no_difference() -> Result<(), TensorError> {
        let a = [HostTensor::from_f32(&[2], &[1.0, 2.0])?];
        let b = [HostTensor::from_f32(&[2], &[1.0, 2.5])?];
        assert_eq!((difference(&a, &a), difference(&a, &b)), (None, Some(0.5)));
        Ok(())
    }
}
