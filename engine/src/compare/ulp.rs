//! Distances in units in the last place.

use crate::tensor::{DType, ulp_distance};
use serde::{Deserialize, Serialize};

/// Distribution of ULP distances.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ulp {
    /// Median (nearest rank).
    pub p50: u32,
    /// 99th percentile (nearest rank).
    pub p99: u32,
    /// Largest; `u32::MAX` stands for that or more.
    pub max: u32,
    /// Elements by distance: the first number counts distance 0, number k counts 2^(k−1) to 2^k − 1. Ends at the last that is
    /// not 0.
    pub histogram: Vec<u64>,
}

impl Ulp {
    /// The distribution of `distances`, which it reorders; `None` where there are none.
    pub(crate) fn of(distances: &mut [u32]) -> Option<Ulp> {
        let max = *distances.iter().max()?;
        let mut histogram = vec![0u64; bin(max) + 1];
        for &distance in distances.iter() {
            // In range: bins grow with the distance, and `max` has the last one.
            histogram[bin(distance)] += 1;
        }
        Some(Ulp { p50: percentile(distances, 50), p99: percentile(distances, 99), max, histogram })
    }
}

fn bin(distance: u32) -> usize {
    (u32::BITS - distance.leading_zeros()) as usize
}

/// Nearest rank: the smallest distance that at least `percent` per cent of the elements do not exceed.
fn percentile(distances: &mut [u32], percent: usize) -> u32 {
    let rank = (distances.len() * percent).div_ceil(100).max(1);
    // In range: the caller has at least one element, and rank ≤ len.
    *distances.select_nth_unstable(rank - 1).1
}

/// How many representable numbers of `dtype` lie between two numbers, which are rounded to it first; `u32::MAX` stands for that
/// or more. `None` where one is NaN.
pub fn ulps_apart(dtype: DType, a: f64, b: f64) -> Option<u32> {
    if dtype != DType::F64 {
        return ulp_distance(dtype, a as f32, b as f32).map(|distance| u32::try_from(distance).unwrap_or(u32::MAX));
    }
    if a.is_nan() || b.is_nan() {
        return None;
    }
    let line = |x: f64| {
        let magnitude = (x.to_bits() & (u64::MAX >> 1)) as i64;
        if x.is_sign_negative() { -magnitude } else { magnitude }
    };
    Some(u32::try_from(line(a).abs_diff(line(b))).unwrap_or(u32::MAX))
}
