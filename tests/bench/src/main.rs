//! The engine's speed on this machine's GPU, natively: `cargo run --release -p taproot-bench [PART OF A NAME]`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> anyhow::Result<()> {
    use taproot_bench::{measure, workloads};
    use taproot_engine::webgpu::Gpu;

    let part = std::env::args().nth(1).unwrap_or_default();
    let gpu = pollster::block_on(Gpu::new())?;
    let info = gpu.info();
    println!("{} ({}, {})", info.name, info.backend, info.driver);
    let start = std::time::Instant::now();
    for workload in workloads().iter().filter(|workload| workload.name.contains(&part)) {
        match pollster::block_on(measure(&gpu, workload, || start.elapsed().as_secs_f64())) {
            Ok(measured) => {
                let (speed, unit) = measured.speed(workload.cost);
                println!("{:24} {:9.3} ms {speed:9.1} {unit}", workload.name, measured.seconds * 1e3);
            }
            Err(error) => println!("{:24} {error}", workload.name),
        }
    }
    Ok(())
}

#[cfg(target_arch = "wasm32")]
fn main() {}
