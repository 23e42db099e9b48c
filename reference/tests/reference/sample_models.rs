//! The sample models, carved, against what transformers computes from the same files (`tests/vectors`).
//!
//! `cargo xtask setup` (or `test`, or `samples`) fetches the models into samples/models.

use crate::vectors;
use std::path::{Path, PathBuf};
use taproot::carve::{CarveOptions, CarveReport, carve};
use taproot::models::Checkpoint;
use taproot::open::open_trace;
use taproot_engine::tensor::HostTensor;
use taproot_engine::trace::Trace;

fn model(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/models").join(name);
    assert!(path.exists(), "the sample model {} is missing: run `cargo xtask setup`", path.display());
    path
}

fn carved(name: &str, prompt: &str, decode: usize) -> (CarveReport, Trace, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("trace");
    let (model, prompt) = (model(name), prompt.to_owned());
    let options =
        CarveOptions { model, prompt, output: output.clone(), decode, layers: None, weights: None, name: None };
    let report = carve(&options, &mut |_| {}).unwrap();
    let trace = pollster::block_on(open_trace(output.to_str().unwrap())).unwrap();
    (report, trace, folder)
}

fn output(trace: &Trace, name: &str, step: usize) -> HostTensor {
    let outputs = &trace.manifest().outputs;
    let output = outputs.iter().find(|output| output.name == name && output.step == step).unwrap();
    pollster::block_on(trace.tensor(output.tensor)).unwrap()
}

/// Numbers of `tests/vectors`, as f64 or i64.
struct Expected(Vec<u8>);

impl Expected {
    fn bytes<const N: usize>(&self, key: &str) -> Vec<[u8; N]> {
        let file = safetensors::SafeTensors::deserialize(&self.0).unwrap();
        file.tensor(key).unwrap().data().as_chunks::<N>().0.to_vec()
    }

    fn f64s(&self, key: &str) -> Vec<f64> {
        self.bytes(key).into_iter().map(f64::from_le_bytes).collect()
    }

    fn f32s(&self, key: &str) -> Vec<f64> {
        self.bytes(key).into_iter().map(|bytes| f64::from(f32::from_le_bytes(bytes))).collect()
    }

    fn i64s(&self, key: &str) -> Vec<i64> {
        self.bytes(key).into_iter().map(i64::from_le_bytes).collect()
    }
}

fn largest_difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn rms_difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let squares: f64 = found.iter().zip(expected).map(|(a, b)| (a - b) * (a - b)).sum();
    (squares / found.len() as f64).sqrt()
}

/// The vectors are in f64; f32 through six layers costs some 1e-6 on values of size 1.
#[test]
fn minilm_gives_the_embeddings_of_transformers() {
    let expected = Expected(vectors::read("minilm.safetensors"));
    let sentences = [
        "A taproot grows straight down.",
        "The quick brown fox jumps over the lazy dog, then naps in the warm afternoon sun.",
        "WebGPU",
    ];
    for (at, sentence) in sentences.into_iter().enumerate() {
        let (report, trace, _folder) = carved("all-MiniLM-L6-v2", sentence, 0);
        assert_eq!(report.nondeterministic, 0);
        assert_eq!(trace.manifest().prompt.as_ref().unwrap().token_ids, expected.i64s(&format!("{at}.token_ids")));
        for name in ["last_hidden_state", "sentence_embedding"] {
            let difference =
                largest_difference(&output(&trace, name, 0).to_f64(), &expected.f64s(&format!("{at}.{name}")));
            assert!(difference < 5e-6, "{name} of {sentence:?} differs by {difference}");
        }
    }
}

/// The vectors are in f32, and differ from the same run in f64 by an RMS of up to 1.6e-5; logits are of size 10.
#[test]
fn smollm2_gives_the_logits_of_transformers() {
    let expected = Expected(vectors::read("smollm2.safetensors"));
    let name = "SmolLM2-135M-Instruct.Q4_1.gguf";
    let (report, trace, _folder) = carved(name, "A taproot grows straight", 4);
    let prompt = trace.manifest().prompt.clone().unwrap();
    assert_eq!(prompt.token_ids, expected.i64s("token_ids"));
    let generated = expected.i64s("generated_ids");
    let fed: Vec<i64> = trace.manifest().steps[1..].iter().flat_map(|step| step.token_ids.clone()).collect();
    assert_eq!(fed, generated[..4]);
    assert_eq!(output(&trace, "next_token", 4).to_i64().unwrap(), generated[4..]);
    assert_eq!(report.generated.as_deref(), Some(" up, and the water"));
    for step in 0..=4 {
        let logits = output(&trace, "logits", step).to_f64();
        let last = &logits[logits.len() - 49_152..];
        if step == 0 {
            let difference = rms_difference(last, &expected.f32s("0.logits"));
            assert!(difference < 5e-5, "all logits of the prefill differ by an RMS of {difference}");
        }
        let ids = expected.i64s(&format!("{step}.top_ids"));
        let top: Vec<f64> = ids.iter().map(|&id| last[id as usize]).collect();
        let difference = rms_difference(&top, &expected.f32s(&format!("{step}.top_logits")));
        assert!(difference < 5e-5, "the largest logits of step {step} differ by an RMS of {difference}");
    }
}

/// Tokens of SmolLM2's own `tokenizer.json`, as transformers gives them.
#[test]
fn smollm2_tokenizes_as_its_own_tokenizer_does() {
    let checkpoint = Checkpoint::open(&model("SmolLM2-135M-Instruct.Q4_1.gguf")).unwrap();
    let cases: [(&str, &[i64]); 4] = [
        ("A taproot grows straight", &[49, 7038, 7766, 8759, 5173]),
        ("The capital of France is", &[504, 3575, 282, 4649, 314]),
        ("Hello world! 123", &[19556, 905, 17, 216, 33, 34, 35]),
        ("  multiple   spaces", &[216, 2701, 256, 5600]),
    ];
    for (text, ids) in cases {
        let prompt = checkpoint.tokenizer.encode(text).unwrap();
        assert_eq!(prompt.ids, ids, "{text:?}");
        assert_eq!(checkpoint.tokenizer.decode(&prompt.ids).unwrap(), text);
    }
}
