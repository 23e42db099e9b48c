//! The sample models, carved, against what transformers computes from the same files (`tests/vectors`), and replayed.
//!
//! What PyTorch's own run in f32 is off by stands in the vectors' metadata: an RMS per sentence or step. As a verdict
//! allows a target twice the source's error, each bound here allows twice PyTorch's.
//!
//! `cargo xtask samples` (or `setup`, or `test`) fetches the models into samples/models.

use crate::vectors;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use taproot::carve::{CarveOptions, CarveReport, carve};
use taproot::models::Checkpoint;
use taproot::open::open_trace;
use taproot_engine::compare::Verdict;
use taproot_engine::replay::{Filter, Plan, Replayer};
use taproot_engine::tensor::HostTensor;
use taproot_engine::trace::Trace;
use taproot_engine::webgpu::Gpu;

const MINILM: &str = "all-MiniLM-L6-v2";
const SMOLLM2: &str = "SmolLM2-135M-Instruct.Q4_1.gguf";

fn model(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/models").join(name);
    assert!(path.exists(), "the sample model {} is missing: run `cargo xtask samples`", path.display());
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

fn replayer(trace: Trace) -> Replayer {
    Replayer::new(Rc::new(trace), Some(Rc::new(pollster::block_on(Gpu::new()).unwrap())))
}

/// Replays cases, all of which must pass; gives their number.
fn replay(replayer: &Replayer, filter: &Filter) -> usize {
    let cases = replayer.cases(filter).unwrap();
    for &at in &cases {
        let case = pollster::block_on(replayer.case(at)).unwrap();
        assert_eq!(case.verdict, Verdict::Pass, "{}: {}", case.id, case.reason.unwrap_or_default());
    }
    cases.len()
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

    /// A value of the metadata.
    fn json(&self, key: &str) -> serde_json::Value {
        let (_, header) = safetensors::SafeTensors::read_metadata(&self.0).unwrap();
        serde_json::from_str(&header.metadata().as_ref().unwrap()[key]).unwrap()
    }
}

fn rms_difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let squares: f64 = found.iter().zip(expected).map(|(a, b)| (a - b) * (a - b)).sum();
    (squares / found.len() as f64).sqrt()
}

fn rms(values: &[f64]) -> f64 {
    rms_difference(values, &vec![0.0; values.len()])
}

/// The vectors are in f64.
#[test]
fn minilm_gives_the_embeddings_of_transformers() {
    let expected = Expected(vectors::read("minilm.safetensors"));
    let sentences: Vec<String> = serde_json::from_value(expected.json("sentences")).unwrap();
    let errors = expected.json("rms_difference_in_f32");
    assert_eq!(sentences.len(), 3);
    for (at, sentence) in sentences.iter().enumerate() {
        let (report, trace, _folder) = carved(MINILM, sentence, 0);
        assert_eq!(report.nondeterministic, 0);
        assert_eq!(trace.manifest().prompt.as_ref().unwrap().token_ids, expected.i64s(&format!("{at}.token_ids")));
        for name in ["last_hidden_state", "sentence_embedding"] {
            let allowed = 2.0 * errors[name][at].as_f64().unwrap();
            let found = output(&trace, name, 0).to_f64();
            let difference = rms_difference(&found, &expected.f64s(&format!("{at}.{name}")));
            assert!(difference <= allowed, "{name} of {sentence:?} differs by {difference:e}; {allowed:e} is allowed");
        }
    }
}

/// Every case passes, and WebGPU running all layers one after the other gives transformers' embedding too.
#[test]
fn minilm_passes_on_webgpu_operator_by_operator_and_as_a_whole() {
    let expected = Expected(vectors::read("minilm.safetensors"));
    let sentence = expected.json("sentences")[0].as_str().unwrap().to_owned();
    let (_, trace, _folder) = carved(MINILM, &sentence, 0);
    let replayer = replayer(trace);
    assert_eq!(replay(&replayer, &Filter::default()), 111);

    let plan = Plan { layers: 0..replayer.trace().manifest().layers.len(), step: 0 };
    let result = pollster::block_on(replayer.run_plan(&plan, &mut |_| ControlFlow::Continue(()))).unwrap();
    assert_eq!((result.layers.len(), result.gaps.len()), (8, 0));
    let errors = expected.json("rms_difference_in_f32");
    for name in ["last_hidden_state", "sentence_embedding"] {
        let found = result.outputs.iter().find(|output| output.name == name).unwrap().error;
        // Against the record, which may be off by twice PyTorch's error as WebGPU may be.
        let allowed = 4.0 * errors[name][0].as_f64().unwrap() / rms(&expected.f64s(&format!("0.{name}")));
        assert!(found <= allowed, "{name} differs from the record by {found:e} of its size; {allowed:e} is allowed");
    }
}

/// The vectors are in f32, so PyTorch's own error counts once more. Nearly all of it is one number per step, by which all
/// logits are shifted: of the five steps' errors, the largest says how far that goes.
#[test]
fn smollm2_gives_the_logits_of_transformers_and_passes_on_webgpu() {
    let expected = Expected(vectors::read("smollm2.safetensors"));
    let errors: Vec<f64> = serde_json::from_value(expected.json("rms_difference_to_f64")).unwrap();
    let allowed = 3.0 * errors.into_iter().fold(0.0, f64::max);
    let (report, trace, _folder) = carved(SMOLLM2, "A taproot grows straight", 4);
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
            assert!(difference <= allowed, "the prefill's logits differ by {difference:e}; {allowed:e} is allowed");
        }
        // ‖a‖ and ‖b‖ differ by at most ‖a − b‖.
        let root = (last.len() as f64).sqrt();
        let difference = (rms(last) - expected.f64s(&format!("{step}.norm"))[0] / root).abs();
        assert!(
            difference <= allowed,
            "step {step}'s logits differ by at least {difference:e}; {allowed:e} is allowed"
        );
        let ids = expected.i64s(&format!("{step}.top_ids"));
        let top: Vec<f64> = ids.iter().map(|&id| last[id as usize]).collect();
        let difference = rms_difference(&top, &expected.f32s(&format!("{step}.top_logits")));
        assert!(difference <= allowed, "step {step}'s largest logits differ by {difference:e}; {allowed:e} is allowed");
    }

    // The embeddings and a layer in all steps, and the head in the prefill: all 32 layers take lavapipe minutes.
    let replayer = replayer(trace);
    let layer = replay(&replayer, &Filter { layers: Some(0..2), ..Filter::default() });
    let head = replay(&replayer, &Filter { layers: Some(31..32), step: Some(0), ..Filter::default() });
    assert_eq!((layer, head), (169, 3));
}

/// Tokens of SmolLM2's own `tokenizer.json`, as transformers gives them.
#[test]
fn smollm2_tokenizes_as_its_own_tokenizer_does() {
    let checkpoint = Checkpoint::open(&model(SMOLLM2)).unwrap();
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
