//! A language model's last result: does the error change what it says?

use super::Kind;
use crate::tensor::HostTensor;
use serde::{Deserialize, Serialize};

/// Tokens that [`LogitMetrics::top5_overlap`] looks at.
const TOP: usize = 5;

/// What an error in the logits does to the next token, at the last position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogitMetrics {
    /// Kullback–Leibler divergence Σ p·ln(p/q) in nats, p the source's probabilities and q the target's.
    pub kl: f64,
    /// Whether both would choose the same token.
    pub top1_agrees: bool,
    /// How many of the source's five likeliest tokens are among the target's five.
    pub top5_overlap: usize,
    /// The source's likeliest tokens, best first: at most five.
    pub source_top: Vec<TokenLogit>,
    /// The target's.
    pub target_top: Vec<TokenLogit>,
    /// Difference between the source's first two logits: an error smaller than half of it cannot change the choice.
    pub source_margin: f64,
    /// Difference between the target's first two logits.
    pub target_margin: f64,
}

/// A token and its logit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokenLogit {
    /// Token id.
    pub token: usize,
    /// Logit.
    pub logit: f64,
}

/// Compares the last row of two tensors of logits `[…, vocabulary]`; `None` where shapes differ, the vocabulary has fewer than two
/// tokens, or a logit is NaN or infinite.
pub fn logit_metrics(source: &HostTensor, target: &HostTensor) -> Option<LogitMetrics> {
    let vocabulary = *source.shape().last().filter(|&&size| size >= 2)?;
    if source.shape() != target.shape() || source.numel() == 0 {
        return None;
    }
    let (s, t) = (last_row(source, vocabulary)?, last_row(target, vocabulary)?);
    let (source_top, target_top) = (top(&s), top(&t));
    let among_target = |token: usize| target_top.iter().any(|entry| entry.token == token);
    Some(LogitMetrics {
        kl: divergence(&s, &t),
        top1_agrees: source_top.first()?.token == target_top.first()?.token,
        top5_overlap: source_top.iter().filter(|entry| among_target(entry.token)).count(),
        source_margin: source_top.first()?.logit - source_top.get(1)?.logit,
        target_margin: target_top.first()?.logit - target_top.get(1)?.logit,
        source_top,
        target_top,
    })
}

fn last_row(logits: &HostTensor, vocabulary: usize) -> Option<Vec<f64>> {
    let start = logits.numel().checked_sub(vocabulary)?;
    let finite = (start..logits.numel()).all(|index| Kind::of(logits, index).is_finite());
    if !finite {
        return None;
    }
    let values = logits.to_f64();
    values.get(start..).map(<[f64]>::to_vec)
}

/// Σ p·(ln p − ln q), which cannot be negative but for rounding.
fn divergence(source: &[f64], target: &[f64]) -> f64 {
    let (log_p, log_q) = (log_softmax(source), log_softmax(target));
    log_p.iter().zip(log_q).map(|(&p, q)| p.exp() * (p - q)).sum::<f64>().max(0.0)
}

fn log_softmax(logits: &[f64]) -> Vec<f64> {
    let max = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let log_sum = logits.iter().map(|logit| (logit - max).exp()).sum::<f64>().ln();
    logits.iter().map(|logit| logit - max - log_sum).collect()
}

/// The largest logits, the first of equal ones first.
fn top(logits: &[f64]) -> Vec<TokenLogit> {
    let mut best: Vec<TokenLogit> = Vec::with_capacity(TOP + 1);
    for (token, &logit) in logits.iter().enumerate() {
        let place = best.iter().position(|entry| logit > entry.logit).unwrap_or(best.len());
        if place < TOP {
            best.insert(place, TokenLogit { token, logit });
            best.truncate(TOP);
        }
    }
    best
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn logits(values: &[f32]) -> HostTensor {
        HostTensor::from_f32(&[1, values.len() / 6, 6], values).unwrap()
    }

    #[test]
    fn last_position_is_judged() {
        let source = logits(&[9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 2.0, 1.0, 0.0, -1.0, -2.0]);
        let target = logits(&[0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 3.0, 2.0, 1.0, 0.0, -1.0, -2.0]);
        let metrics = logit_metrics(&source, &target).unwrap();
        assert_eq!((metrics.kl, metrics.top1_agrees, metrics.top5_overlap), (0.0, true, 5));
        assert_eq!((metrics.source_margin, metrics.target_margin), (1.0, 1.0));
    }

    #[test]
    fn divergence_of_two_even_coins() {
        // p = (1/2, 1/2) against q = (3/4, 1/4): ½·ln(2/3) + ½·ln 2 = ½·ln(4/3).
        let source = HostTensor::from_f32(&[2], &[0.0, 0.0]).unwrap();
        let target = HostTensor::from_f64(crate::tensor::DType::F64, &[2], &[3f64.ln(), 0.0]).unwrap();
        let source = HostTensor::from_f64(crate::tensor::DType::F64, &[2], &source.to_f64()).unwrap();
        let metrics = logit_metrics(&source, &target).unwrap();
        assert!((metrics.kl - 0.5 * (4f64 / 3.0).ln()).abs() < 1e-15);
        assert!((metrics.target_margin - 3f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn overlap_and_first_choice() {
        let source = logits(&[5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
        let target = logits(&[4.0, 5.0, 3.0, 2.0, 0.0, 1.0]);
        let metrics = logit_metrics(&source, &target).unwrap();
        assert!(!metrics.top1_agrees);
        assert_eq!(metrics.top5_overlap, 4);
        assert_eq!(metrics.target_top.iter().map(|entry| entry.token).collect::<Vec<_>>(), [1, 0, 2, 3, 5]);
        assert!(metrics.kl > 0.0);
    }

    #[test]
    fn nothing_is_said_of_nan_or_other_shapes() {
        let good = logits(&[5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
        assert_eq!(logit_metrics(&good, &logits(&[f32::NAN, 4.0, 3.0, 2.0, 1.0, 0.0])), None);
        assert_eq!(logit_metrics(&good, &HostTensor::from_f32(&[6], &[0.0; 6]).unwrap()), None);
    }
}
