//! Matrix products of fixed ranks.

use super::accumulation::product_deviation;
use super::reduction::{mean_energy, scaled};
use super::{of_one, ulp};
use crate::graph::Call;
use crate::graph::signatures::products::form;
use crate::oracle::Array;
use crate::oracle::broadcast::expand;

/// beta · input + alpha · product: |alpha| times what the order of summation costs the product P (`addbmm`: of batch · k numbers).
/// Where alpha is not 1, alpha and alpha · P are rounded to f32 before the sum, ½ ulp(alpha · P) each; so with beta · input.
pub fn product(call: &Call<Array>, results: &[Array]) -> Vec<Vec<f64>> {
    of_one(results, |result| {
        let form = form(call).ok()?;
        let (left, right) = (call.tensor(form.left).ok()?, call.tensor(form.right).ok()?);
        let sizes = form.sizes(&left.shape, &right.shape);
        let (m, k, n) = (sizes.rows, sizes.depth, sizes.columns);
        let (alpha, added) = if form.added { added(call, &results.first()?.shape)? } else { (1.0, Vec::new()) };
        let (left, right) = (left.floats(), right.floats());
        let mut energies = vec![0.0; if form.summed { m } else { m * sizes.batch }];
        for batch in 0..sizes.batch {
            let y = right.get(batch * k * n..(batch + 1) * k * n)?;
            let columns: Vec<f64> = y.chunks_exact(n.max(1)).map(|row| row.iter().map(|v| v * v).sum()).collect();
            for row in 0..m {
                let first = (batch * m + row) * k;
                let energy = energies.get_mut(if form.summed { row } else { batch * m + row })?;
                *energy += mean_energy(left.get(first..first + k)?, &columns, n);
            }
        }
        let count = if form.summed { k * sizes.batch } else { k };
        let mut allowed = Vec::with_capacity(result.len());
        for (o, energy) in result.chunks_exact(n.max(1)).zip(energies) {
            for &o in o {
                let (beta_input, rounded) = added.get(allowed.len()).copied().unwrap_or_default();
                let scaled = o - beta_input;
                let order =
                    if alpha == 0.0 { 0.0 } else { product_deviation(count, scaled / alpha, energy) * alpha.abs() };
                allowed.push(order + rounded + if alpha == 1.0 { 0.0 } else { ulp(scaled) });
            }
        }
        Some(scaled(allowed))
    })
}

/// `alpha`, and for each element beta · input and what its rounding costs; nothing where beta is 0.
fn added(call: &Call<Array>, shape: &[usize]) -> Option<(f64, Vec<(f64, f64)>)> {
    let (beta, alpha) = (call.float("beta", 1.0).ok()?, call.float("alpha", 1.0).ok()?);
    let input = call.tensor("input").ok()?;
    let of = |x: f64| match beta {
        0.0 => (0.0, 0.0),
        1.0 => (x, 0.0),
        _ => (beta * x, ulp(beta * x)),
    };
    Some((alpha, expand(&input.floats(), &input.shape, shape).into_iter().map(of).collect()))
}
