//! Error metrics of one result.

use super::ulp::{Ulp, ulps_apart};
use super::{AssertClose, Comparands, Kind, WebNn, floor};
use serde::{Deserialize, Serialize};

/// The largest finite f16.
const F16_MAX: f64 = 65504.0;

/// Everything measured about one result. t is the target, s the source, o the oracle; all sums run in f64 over the elements that
/// are finite in t and s.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Elements of the result.
    pub count: usize,
    /// Elements that entered the sums: finite in both target and source.
    pub compared: usize,
    /// RMS(t − o): the target's error.
    pub rms_target: f64,
    /// RMS(s − o): the source's error.
    pub rms_source: f64,
    /// RMS(s − o) as the carver measured it.
    pub noise: Option<f64>,
    /// The error that nobody can be blamed for (see [`floor`]); 0 for integers.
    pub floor: f64,
    /// RMS(t − o) / max(RMS(s − o), floor). `None` for integers and bool, where nothing was compared, and where the denominator is
    /// 0 but the target is off.
    pub ratio: Option<f64>,
    /// Largest |t − s|.
    pub max_abs: Option<Worst>,
    /// Largest |t − s| / |s| over elements with s ≠ 0.
    pub max_rel: Option<Worst>,
    /// ULP distances between t and s; `None` for integers and bool.
    pub ulp: Option<Ulp>,
    /// Cosine of the angle between t and s; `None` where one of them is all zero.
    pub cosine: Option<f64>,
    /// 10·log₁₀(Σs² / Σ(t − s)²) in dB; `None` where t = s or s is all zero.
    pub sqnr_db: Option<f64>,
    /// Σ(t − s)² / Σs²; `None` where s is all zero.
    pub nmse: Option<f64>,
    /// `torch.testing.assert_close` with its defaults.
    pub assert_close: AssertClose,
    /// The WebNN conformance tests' rule, where they have one for the operator.
    pub webnn: Option<WebNn>,
    /// Elements where NaN or an infinity stands in only one of t and s, or not the same in both.
    pub nonfinite_mismatches: usize,
    /// Largest magnitude among t, s and o over the largest f16, 65504: from 1 on, f16 overflows.
    pub head_room: f64,
}

/// The worst element by some measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// How bad.
    pub value: f64,
    /// Which: its position in row-major order.
    pub index: usize,
}

impl Worst {
    pub(crate) fn raise(worst: &mut Option<Worst>, value: f64, index: usize) {
        if worst.is_none_or(|worst| value > worst.value) {
            *worst = Some(Worst { value, index });
        }
    }
}

/// Metrics and what the verdict needs beside them.
pub(crate) struct Measured {
    pub(crate) metrics: Metrics,
    pub(crate) first_nonfinite_mismatch: Option<usize>,
    /// Elements that only the oracle finds not finite.
    pub(crate) oracle_nonfinite: usize,
    /// The carver's RMS(s − o), where the recording contradicts it.
    pub(crate) contradicted_noise: Option<f64>,
}

/// The metrics of a result before any element is seen.
pub(crate) fn empty(inputs: &Comparands<'_>) -> Metrics {
    Metrics {
        count: inputs.source.numel(),
        noise: recorded_noise(inputs),
        assert_close: AssertClose::new(inputs.source.dtype()),
        webnn: inputs.webnn.map(WebNn::new),
        ..Metrics::default()
    }
}

/// A trace is not trusted: a noise that is no size at all counts as none.
fn recorded_noise(inputs: &Comparands<'_>) -> Option<f64> {
    inputs.noise.map(|noise| noise.rms).filter(|rms| rms.is_finite() && *rms >= 0.0)
}

/// Sums over the elements that are finite in target and source.
#[derive(Default)]
struct Sums {
    target_error: f64,
    source_error: f64,
    floor: f64,
    difference: f64,
    target: f64,
    source: f64,
    product: f64,
}

/// Measures floats whose shapes and dtypes agree.
pub(crate) fn measure(inputs: &Comparands<'_>) -> Measured {
    let dtype = inputs.source.dtype();
    let (target, source, oracle) = (inputs.target.to_f64(), inputs.source.to_f64(), inputs.oracle.to_f64());
    let mut metrics = empty(inputs);
    let mut sums = Sums::default();
    let mut distances = Vec::with_capacity(source.len());
    let (mut first_nonfinite_mismatch, mut oracle_nonfinite) = (None, 0);
    for (index, ((&t, &s), &o)) in target.iter().zip(&source).zip(&oracle).enumerate() {
        metrics.assert_close.add(t, s);
        let (kind, source_kind) = (Kind::of(inputs.target, index), Kind::of(inputs.source, index));
        if kind != source_kind {
            metrics.nonfinite_mismatches += 1;
            first_nonfinite_mismatch.get_or_insert(index);
            continue;
        }
        if !kind.is_finite() {
            continue;
        }
        let o = if o.is_finite() {
            o
        } else {
            oracle_nonfinite += 1;
            s
        };
        let allowance = inputs.allowance.get(index).copied().unwrap_or(0.0);
        metrics.compared += 1;
        sums.add(t, s, o, floor::element(dtype, o, allowance));
        distances.extend(ulps_apart(dtype, t, s));
        let difference = (t - s).abs();
        Worst::raise(&mut metrics.max_abs, difference, index);
        if s != 0.0 {
            Worst::raise(&mut metrics.max_rel, difference / s.abs(), index);
        }
        if let Some(webnn) = &mut metrics.webnn {
            webnn.add(dtype, t, o);
        }
        metrics.head_room = metrics.head_room.max(t.abs().max(s.abs()).max(o.abs()) / F16_MAX);
    }
    metrics.ulp = Ulp::of(&mut distances);
    let contradicted_noise = sums.finish(&mut metrics);
    Measured { metrics, first_nonfinite_mismatch, oracle_nonfinite, contradicted_noise }
}

impl Sums {
    fn add(&mut self, t: f64, s: f64, o: f64, floor: f64) {
        self.target_error += (t - o).powi(2);
        self.source_error += (s - o).powi(2);
        self.floor += floor.powi(2);
        self.difference += (t - s).powi(2);
        self.target += t.powi(2);
        self.source += s.powi(2);
        self.product += t * s;
    }

    /// Turns sums into metrics; gives the carver's noise where the recording contradicts it.
    fn finish(&self, metrics: &mut Metrics) -> Option<f64> {
        let rms = |sum: f64| (sum / metrics.compared.max(1) as f64).sqrt();
        metrics.rms_target = rms(self.target_error);
        metrics.rms_source = rms(self.source_error);
        metrics.floor = rms(self.floor);
        let contradicted = metrics.noise.filter(|noise| metrics.rms_source > 2.0 * noise.max(metrics.floor));
        let denominator = contradicted.unwrap_or(metrics.rms_source).max(metrics.floor);
        metrics.ratio = ratio(metrics.rms_target, denominator);
        let norms = (self.target * self.source).sqrt();
        metrics.cosine = (norms > 0.0).then(|| self.product / norms);
        if self.source > 0.0 {
            metrics.nmse = Some(self.difference / self.source);
            metrics.sqnr_db = (self.difference > 0.0).then(|| 10.0 * (self.source / self.difference).log10());
        }
        contradicted
    }
}

fn ratio(error: f64, denominator: f64) -> Option<f64> {
    if error == 0.0 { Some(0.0) } else { Some(error / denominator).filter(|ratio| ratio.is_finite()) }
}
