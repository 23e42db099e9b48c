//! Holds every operator against cases that others drew and published (`tests/conformance`): ONNX's node tests and PyTorch's own
//! samples, in the oracle and on WebGPU.
//!
//! What does not pass today stands in `tests/conformance/frozen/known.json`. This test fails when a case gets worse, and just as when
//! one gets better, so that the list stays true; `TAPROOT_CONFORMANCE_UPDATE=1` writes it anew. `TAPROOT_CONFORMANCE=FOLDER` judges
//! another folder of cases instead, against its own `known.json` where it has one, and leaves `results.json` there.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod known;
mod outcome;
#[path = "../vectors/mod.rs"]
mod vectors;

use known::Known;
use outcome::{Kind, Outcome};
use std::collections::BTreeMap;
use std::path::PathBuf;
use taproot_engine::webgpu::Gpu;
use vectors::Vectors;

#[test]
fn outsiders_cases_pass_as_listed() {
    let given = std::env::var_os("TAPROOT_CONFORMANCE").map(PathBuf::from);
    let folder =
        given.clone().unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance/frozen"));
    let vectors = Vectors::load_from(&folder);
    assert!(!vectors.cases.is_empty(), "{} holds no cases", folder.display());
    let gpu = pollster::block_on(Gpu::new()).expect("a WebGPU device, lavapipe's if there is no GPU");
    let outcomes: BTreeMap<&str, Outcome> = vectors
        .cases
        .iter()
        .map(|case| (case.id.as_str(), pollster::block_on(outcome::judge(&gpu, &vectors, case))))
        .collect();
    assert_eq!(outcomes.len(), vectors.cases.len(), "two cases have the same id");

    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    outcomes.values().for_each(|outcome| *counts.entry(outcome.kind).or_default() += 1);
    println!("on {}: {counts:?}", gpu.info().name);

    let now = Known::of(&vectors, &outcomes);
    if given.is_some() {
        std::fs::write(folder.join("results.json"), outcome::to_json(&gpu.info().name, &outcomes)).unwrap();
    }
    let list = folder.join("known.json");
    if std::env::var_os("TAPROOT_CONFORMANCE_UPDATE").is_some() {
        std::fs::write(list, now.to_json()).unwrap();
        return;
    }
    let known = if list.exists() { Known::read(&list) } else { Known::default() };
    let mut differences = known.differences(&now);
    if given.is_some() && !list.exists() {
        // What nobody promised is no failure of a sweep: only wrong results are.
        differences = now.wrong();
    }
    assert!(
        differences.is_empty(),
        "{} differences from {} (TAPROOT_CONFORMANCE_UPDATE=1 writes it anew):\n{}",
        differences.len(),
        list.display(),
        differences.join("\n")
    );
}
