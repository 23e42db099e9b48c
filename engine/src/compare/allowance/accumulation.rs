//! What it costs to add K numbers in f32 in any order.
//!
//! WGSL lets implementations reassociate, and a kernel may add one after another where the source adds in blocks, in pairs or in
//! f64. The source's own noise s − o is then smaller than that of an honest f32 kernel by up to √K, and the kernel would be
//! called worse for nothing but its order. So operators that sum are allowed the deviation of the plainest order, one number
//! after another, in f32.
//!
//! **Derivation.** Let the partial sums be S₁ … S_K with S_K = o. The addition that gives S_k rounds to nearest: an error spread
//! over ±½ ulp(S_k), whose deviation is ulp(S_k) / (2·√3) ≤ 2⁻²⁴·|S_k| / √3. The errors are independent, so the deviation of the
//! sum is 2⁻²⁴/√3 · √(Σ S_k²). The order of the numbers is not known; taken at random with E = Σ p_k² the mean of S_k² is
//! (k·o/K)² + k·(E − o²/K) / K, and summed over k about K·o²/3 + (K/2)·(E − o²/K). Where the numbers are products that are rounded
//! themselves, E more:
//!
//! `deviation = 2⁻²⁴/√3 · √(K·o²/3 + (K/2)·(E − o²/K) + E)`
//!
//! With the largest number first, Σ S_k² is at most about twice that: a factor √2, within the 2 that passes. Where few results are
//! averaged, chance can exceed a deviation; [`few`] widens it.
//!
//! It excuses no f16 accumulator: that one's deviation has 2⁻¹¹ in the place of 2⁻²⁴, 8192 times as much.

use super::HALF_ULP;

/// Deviation of a sum of `count` numbers that is `sum` and whose squares add up to `energy`.
pub fn deviation(count: usize, sum: f64, energy: f64) -> f64 {
    additions(count, sum, energy).sqrt() * HALF_ULP / 3f64.sqrt()
}

/// Deviation of a sum of `count` products, each rounded on its own, that is `sum` and whose squares add up to `energy`.
pub fn product_deviation(count: usize, sum: f64, energy: f64) -> f64 {
    (additions(count, sum, energy) + energy).sqrt() * HALF_ULP / 3f64.sqrt()
}

/// The expected Σ S_k² over the partial sums.
fn additions(count: usize, sum: f64, energy: f64) -> f64 {
    let count = count as f64;
    let scatter = (energy - sum * sum / count.max(1.0)).max(0.0);
    count * sum * sum / 3.0 + count / 2.0 * scatter
}

/// Factor on a deviation where the root mean square is taken over only `count` independent results, so that chance exceeds twice the
/// floor in fewer than one comparison in a million.
///
/// For normal errors that needs √(q/count)/2, q the 1 − 10⁻⁶ quantile of χ² with `count` degrees of freedom: 2.45 for 1, 1.86 for
/// 2, 1.44 for 4, 0.94 for 16. 1 + 1.5/√count lies above it and tends to 1.
pub fn few(count: usize) -> f64 {
    1.0 + 1.5 / (count.max(1) as f64).sqrt()
}
