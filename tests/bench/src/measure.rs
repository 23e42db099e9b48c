//! How it is measured.

use crate::{Cost, Workload};
use taproot_engine::webgpu::{Gpu, GpuError};

/// Seconds that a round should last at least, so that waiting for the GPU costs little of it.
const ROUND: f64 = 0.1;
/// Rounds, of which the fastest counts.
const ROUNDS: usize = 5;
/// Most runs in a round.
const MOST_RUNS: f64 = 50.0;

/// How fast a workload ran.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Seconds per run.
    pub seconds: f64,
    /// Runs in each round.
    pub runs: usize,
}

impl Measured {
    /// Billions of operations or bytes per second, and what they are called.
    pub fn speed(&self, cost: Cost) -> (f64, &'static str) {
        match cost {
            Cost::Operations(count) => (count / self.seconds / 1e9, "GFLOP/s"),
            Cost::Bytes(count) => (count / self.seconds / 1e9, "GB/s"),
        }
    }
}

/// Measures `workload`; `now` gives seconds since some moment.
///
/// # Errors
/// When the operator cannot be run.
pub async fn measure(gpu: &Gpu, workload: &Workload, now: impl Fn() -> f64) -> Result<Measured, GpuError> {
    let call = workload.call()?.try_map_tensors(|tensor| gpu.upload(tensor))?;
    let round = async |runs: usize| -> Result<f64, GpuError> {
        let start = now();
        let mut submitted = Vec::new();
        for _ in 0..runs {
            // The result is dropped at once: its memory is free for the next run when the GPU gets there.
            submitted.extend(gpu.submit(&workload.name, &call)?.1);
        }
        gpu.finish().await?;
        let seconds = now() - start;
        gpu.settle(submitted).await.map_err(|failed| failed.error)?;
        Ok(seconds / runs as f64)
    };
    // The first run compiles.
    round(1).await?;
    let runs = (ROUND / round(2).await?.max(1e-6)).clamp(1.0, MOST_RUNS).ceil() as usize;
    let mut seconds = f64::INFINITY;
    for _ in 0..ROUNDS {
        seconds = seconds.min(round(runs).await?);
    }
    Ok(Measured { seconds, runs })
}
