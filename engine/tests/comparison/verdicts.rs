//! The rules of the verdict, one by one.

use crate::judge;
use taproot_engine::compare::{Comparands, Verdict, compare, floor};
use taproot_engine::oracle::Array;
use taproot_engine::tensor::{DType, HostTensor};
use taproot_engine::trace::Noise;

fn f32s(values: &[f32]) -> HostTensor {
    HostTensor::from_f32(&[values.len()], values).unwrap()
}

fn i64s(values: &[i64]) -> HostTensor {
    HostTensor::from_i64(&[values.len()], values).unwrap()
}

fn exactly(values: &[f64]) -> Array {
    Array::float(DType::F32, &[values.len()], values.to_vec())
}

const ULP: f64 = 1.0 / (1 << 23) as f64;

/// A number a quarter ULP above 1, its nearest f32, and a target so many ULP above 1.
fn target_off_by(ulps: f64) -> (Verdict, f64) {
    let comparison = judge(&f32s(&[(1.0 + ulps * ULP) as f32]), &f32s(&[1.0]), &exactly(&[1.0 + 0.25 * ULP]));
    let ratio = comparison.metrics.ratio.unwrap();
    let expected = (ulps - 0.25).abs() / (1.0 / (2.0 * 3f64.sqrt()));
    assert!((ratio - expected).abs() < 1e-9, "{ratio} for {expected}");
    assert_eq!(comparison.reason.is_none(), comparison.verdict == Verdict::Pass);
    (comparison.verdict, ratio)
}

#[test]
fn ratio_decides() {
    assert_eq!(target_off_by(0.0).0, Verdict::Pass);
    let (verdict, ratio) = target_off_by(1.0);
    assert_eq!(verdict, Verdict::Warn, "{ratio}");
    assert_eq!(target_off_by(3.0).0, Verdict::Warn);
    assert_eq!(target_off_by(4.0).0, Verdict::Fail);
}

#[test]
fn noise_of_the_source_excuses_the_target() {
    let oracle = exactly(&[1.0 + 0.25 * ULP; 4]);
    let off = |ulps: [f64; 4]| f32s(&ulps.map(|ulps| (1.0 + ulps * ULP) as f32));
    let source = off([8.0, -8.0, 8.0, -8.0]);
    assert_eq!(judge(&off([-15.0, 15.0, 15.0, -15.0]), &source, &oracle).verdict, Verdict::Pass);
    assert_eq!(judge(&off([-20.0, 20.0, 20.0, -20.0]), &source, &oracle).verdict, Verdict::Warn);
    assert_eq!(judge(&off([-90.0, 90.0, 90.0, -90.0]), &source, &oracle).verdict, Verdict::Fail);
}

#[test]
fn copies_are_exact() {
    let values = [0.1f32, -7.3, 1e-30];
    let oracle = exactly(&values.map(f64::from));
    assert_eq!(judge(&f32s(&values), &f32s(&values), &oracle).verdict, Verdict::Pass);
    let next = [f32::from_bits(0.1f32.to_bits() + 1), -7.3, 1e-30];
    let comparison = judge(&f32s(&next), &f32s(&values), &oracle);
    assert_eq!((comparison.verdict, comparison.metrics.ratio), (Verdict::Fail, None));
    assert!(comparison.reason.unwrap().contains("exact in the source"));
}

#[test]
fn subnormals_may_become_zero() {
    let tiny = 1e-40f32;
    let oracle = exactly(&[f64::from(tiny), -f64::from(tiny)]);
    assert_eq!(judge(&f32s(&[0.0, 0.0]), &f32s(&[tiny, -tiny]), &oracle).verdict, Verdict::Pass);
    let half = |values: &[f64]| HostTensor::from_f64(DType::F16, &[1], values).unwrap();
    let oracle = Array::float(DType::F16, &[1], vec![3e-5]);
    assert_eq!(judge(&half(&[0.0]), &half(&[3e-5]), &oracle).verdict, Verdict::Pass);
    assert_eq!(floor::flush(DType::F16, 3e-5), 3e-5);
    assert_eq!(floor::flush(DType::BF16, 3e-5), 0.0);
    // The smallest normal number must survive.
    let normal = f32::MIN_POSITIVE;
    let comparison = judge(&f32s(&[0.0]), &f32s(&[normal]), &exactly(&[f64::from(normal)]));
    assert_eq!(comparison.verdict, Verdict::Fail);
}

#[test]
fn nan_and_infinity_must_agree() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let other_nan = f32::from_bits(0xffc0_1234);
    let oracle = exactly(&[1.0, 2.0]);
    for (target, source, verdict) in [
        (nan, 2.0, Verdict::Fail),
        (2.0, nan, Verdict::Fail),
        (inf, 2.0, Verdict::Fail),
        (inf, -inf, Verdict::Fail),
        (nan, inf, Verdict::Fail),
        (inf, inf, Verdict::Pass),
        (-inf, -inf, Verdict::Pass),
        (nan, other_nan, Verdict::Pass),
    ] {
        let comparison = judge(&f32s(&[1.0, target]), &f32s(&[1.0, source]), &oracle);
        assert_eq!(comparison.verdict, verdict, "{target} for {source}");
        let mismatches = usize::from(verdict == Verdict::Fail);
        assert_eq!(comparison.metrics.nonfinite_mismatches, mismatches, "{target} for {source}");
        assert_eq!(comparison.metrics.compared, 1);
        assert!(verdict == Verdict::Pass || comparison.reason.unwrap().contains("element 1"));
    }
}

#[test]
fn nan_and_infinity_are_seen_in_every_dtype() {
    for dtype in [DType::F32, DType::F16, DType::BF16, DType::F64] {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let tensor = |value: f64| HostTensor::from_f64(dtype, &[1], &[value]).unwrap();
            let oracle = Array::float(dtype, &[1], vec![1.0]);
            assert_eq!(judge(&tensor(value), &tensor(1.0), &oracle).verdict, Verdict::Fail, "{dtype} {value}");
            assert_eq!(judge(&tensor(value), &tensor(value), &oracle).verdict, Verdict::Pass, "{dtype} {value}");
        }
    }
    // 0x7f is NaN in e4m3 and in e5m2; 0x7c is infinite in e5m2 and 256 in e4m3.
    let byte = |dtype: DType, byte: u8| HostTensor::new(dtype, &[1], [byte]).unwrap();
    let compared = |dtype: DType, bits: u8| {
        judge(&byte(dtype, bits), &byte(dtype, bits), &Array::float(dtype, &[1], vec![256.0])).metrics.compared
    };
    assert_eq!([compared(DType::F8E4M3, 0x7f), compared(DType::F8E5M2, 0x7f)], [0, 0]);
    assert_eq!([compared(DType::F8E4M3, 0x7c), compared(DType::F8E5M2, 0x7c)], [1, 0]);
}

#[test]
fn oracle_that_overflows_alone_is_a_warning() {
    let comparison = judge(&f32s(&[1.0, 2.0]), &f32s(&[1.0, 2.0]), &exactly(&[1.0, f64::INFINITY]));
    assert_eq!(comparison.verdict, Verdict::Warn);
    let comparison = judge(&f32s(&[1.0, 3.0]), &f32s(&[1.0, 2.0]), &exactly(&[1.0, f64::INFINITY]));
    assert_eq!(comparison.verdict, Verdict::Fail);
}

#[test]
fn integers_are_exact() {
    let oracle = Array::int(DType::I64, &[3], vec![1, 2, 3]);
    let right = i64s(&[1, 2, 3]);
    assert_eq!(judge(&right, &right, &oracle).verdict, Verdict::Pass);
    let wrong = judge(&i64s(&[1, 2, 4]), &right, &oracle);
    assert_eq!(wrong.verdict, Verdict::Fail);
    assert_eq!(wrong.metrics.max_abs.map(|worst| (worst.value, worst.index)), Some((1.0, 2)));
    assert_eq!(judge(&right, &i64s(&[1, 2, 4]), &oracle).verdict, Verdict::Warn);
    assert_eq!(judge(&i64s(&[1, 2, 4]), &i64s(&[1, 2, 4]), &oracle).verdict, Verdict::Warn);
    assert_eq!(judge(&i64s(&[1, 2, 5]), &i64s(&[1, 2, 4]), &oracle).verdict, Verdict::Fail);
}

#[test]
fn wide_integers_keep_their_last_bit() {
    let value = (1i64 << 53) + 1;
    let oracle = Array::int(DType::I64, &[1], vec![value]);
    assert_eq!(judge(&i64s(&[value - 1]), &i64s(&[value]), &oracle).verdict, Verdict::Fail);
}

#[test]
fn truth_values_are_exact() {
    let oracle = Array::int(DType::Bool, &[2], vec![1, 0]);
    let bools = |values: &[bool]| HostTensor::from_bool(&[2], values).unwrap();
    assert_eq!(judge(&bools(&[true, false]), &bools(&[true, false]), &oracle).verdict, Verdict::Pass);
    assert_eq!(judge(&bools(&[true, true]), &bools(&[true, false]), &oracle).verdict, Verdict::Fail);
}

#[test]
fn nothing_passes_as_nothing() {
    let comparison = judge(&f32s(&[]), &f32s(&[]), &exactly(&[]));
    assert_eq!((comparison.verdict, comparison.metrics.count), (Verdict::Pass, 0));
    assert!(comparison.reason.is_some());
}

#[test]
fn shapes_and_dtypes_must_agree() {
    let oracle = exactly(&[1.0, 2.0]);
    let good = f32s(&[1.0, 2.0]);
    let matrix = HostTensor::from_f32(&[2, 1], &[1.0, 2.0]).unwrap();
    let half = HostTensor::from_f64(DType::F16, &[2], &[1.0, 2.0]).unwrap();
    for (target, source, oracle, what) in [
        (&matrix, &good, &oracle, "[2, 1]"),
        (&half, &good, &oracle, "f16"),
        (&good, &good, &exactly(&[1.0]), "oracle"),
    ] {
        let comparison = judge(target, source, oracle);
        assert_eq!(comparison.verdict, Verdict::Fail);
        assert!(comparison.reason.unwrap().contains(what));
    }
    let comparands = Comparands {
        target: &good,
        source: &good,
        oracle: &oracle,
        allowance: &[0.0],
        noise: None,
        op: "test",
        webnn: None,
    };
    assert_eq!(compare(&comparands).verdict, Verdict::Fail);
}

#[test]
fn corrupted_recording_excuses_nothing() {
    let oracle = exactly(&[1.0 + 0.25 * ULP, 2.0]);
    let (good, corrupted) = (f32s(&[1.0, 2.0]), f32s(&[1.0, 7.0]));
    let noise = Noise { rms: 0.2 * ULP, max: 0.25 * ULP };
    let with_noise = |target: &HostTensor, noise: Noise| {
        compare(&Comparands {
            target,
            source: &corrupted,
            oracle: &oracle,
            allowance: &[],
            noise: Some(&noise),
            op: "test",
            webnn: None,
        })
    };
    let comparison = with_noise(&good, noise);
    assert_eq!(comparison.verdict, Verdict::Warn);
    assert!(comparison.reason.unwrap().contains("carver"));
    assert_eq!(with_noise(&corrupted, noise).verdict, Verdict::Fail);
    assert_eq!(with_noise(&f32s(&[1.0, 2.5]), noise).verdict, Verdict::Fail);
    // Without the carver's word the recording's own distance stands.
    assert_eq!(judge(&f32s(&[1.0, 2.5]), &corrupted, &oracle).verdict, Verdict::Pass);
    // A noise that is no number counts as none.
    let broken = with_noise(&good, Noise { rms: f64::NAN, max: 0.0 });
    assert_eq!((broken.verdict, broken.metrics.noise), (Verdict::Pass, None));
}
