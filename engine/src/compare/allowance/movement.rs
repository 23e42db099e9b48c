//! Operators that move elements and compute a little on the way.

use super::accumulation::{deviation, few};
use super::{HALF_ULP, exact, of_one, ulp};
use crate::graph::Call;
use crate::graph::signatures::pad::differences;
use crate::oracle::index::Writes;
use crate::oracle::{Array, pad};

/// Differences of differences: every difference but the last is rounded on the way, and an error of one is passed on to two of the
/// next. With D_k the k-th differences, e₁ = ½ ulp(D₁) and e_{k+1}\[i\] = e_k\[i + 1\] + e_k\[i\] + ½ ulp(D_{k+1}\[i\]); the rounding of the
/// last is that of the result. Nothing for n ≤ 1.
pub fn diff(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    let rank = call.tensor("input").map_or(0, |input| input.shape.len());
    match differences(call, rank) {
        Ok((n, _)) if n > 1 => of_one(results, |_| pad::repeated_roundings(call, |value| 0.5 * ulp(value)).ok()),
        _ => exact(call, results),
    }
}

/// What `scatter`, `scatter_add` and `index_put` combine in one place: sums by their order, where more than two numbers meet; products
/// by ½ ULP for each factor but the last. Nothing where the last one stays.
pub fn scatter(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    let Ok(writes) = Writes::of(call) else { return exact(call, results) };
    let Some(reduction) = writes.reduction else { return exact(call, results) };
    of_one(results, |result| {
        let input = call.tensor("input").ok()?;
        let mut energies: Vec<f64> = input.floats().iter().map(|x| x * x).collect();
        let mut counts = vec![1usize; energies.len()];
        for (&place, x) in writes.places.iter().zip(writes.floats(input.dtype)) {
            *energies.get_mut(place)? += x * x;
            *counts.get_mut(place)? += 1;
        }
        let few = few(result.len());
        let each = result.iter().zip(counts.iter().zip(&energies));
        let allowed = |(&o, (&count, &energy)): (&f64, (&usize, &f64))| match count {
            ..=2 => 0.0,
            _ if reduction == "SUM" => few * deviation(count, o, energy),
            _ => o.abs() * (count - 2) as f64 * HALF_ULP,
        };
        Some(each.map(allowed).collect())
    })
}
