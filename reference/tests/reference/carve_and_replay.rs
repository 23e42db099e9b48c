//! Tiny models carved, read back, and replayed on this machine's WebGPU.

use crate::tiny::{bert, llama};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use taproot::carve::{CarveError, CarveOptions, CarveReport, carve};
use taproot::models::FloatWeights;
use taproot::open::open_trace;
use taproot::replay::{ReplayReport, Totals, replay, to_json, to_junit, to_table};
use taproot_engine::compare::Verdict;
use taproot_engine::replay::Filter;
use taproot_engine::tensor::DType;
use taproot_engine::trace::{Role, TensorData, Trace};
use taproot_engine::webgpu::{Gpu, KernelOverride, shader_text};
use tempfile::TempDir;

/// A model and the trace that it is carved to.
struct Carving {
    _folder: TempDir,
    options: CarveOptions,
}

impl Carving {
    fn of(write: impl FnOnce(&Path) -> PathBuf) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model");
        std::fs::create_dir(&model).unwrap();
        let options = CarveOptions {
            model: write(&model),
            prompt: "roots grow straight down".to_owned(),
            output: folder.path().join("trace"),
            decode: 0,
            layers: None,
            weights: None,
            name: None,
        };
        Carving { _folder: folder, options }
    }

    fn bert() -> Self {
        Self::of(|folder| {
            bert::write(folder);
            folder.to_owned()
        })
    }

    fn llama(model_type: &str) -> Self {
        Self::of(|folder| {
            llama::write(folder, model_type);
            folder.to_owned()
        })
    }

    fn gguf() -> Self {
        let mut carving = Self::of(|folder| {
            let path = folder.join("tiny.gguf");
            llama::gguf().write(&path);
            path
        });
        carving.options.prompt = "roots grow 12.".to_owned();
        carving
    }

    fn carve(&self) -> Result<CarveReport, CarveError> {
        carve(&self.options, &mut |_| {})
    }

    fn open(&self) -> Trace {
        pollster::block_on(open_trace(self.options.output.to_str().unwrap())).unwrap()
    }

    fn replay(&self, overrides: Vec<KernelOverride>) -> ReplayReport {
        pollster::block_on(async {
            let mut gpu = Gpu::new().await.unwrap();
            gpu.set_overrides(overrides).unwrap();
            let filter = Filter::default();
            replay(Rc::new(self.open()), Rc::new(gpu), vec![], &filter, &mut |_| {}).await.unwrap()
        })
    }
}

fn assert_all_pass(report: &ReplayReport) {
    let totals = report.totals();
    assert!(
        totals.cases > 0 && totals == Totals { pass: totals.cases, cases: totals.cases, ..Totals::default() },
        "{}",
        to_table(report, false)
    );
}

fn entry<'a>(trace: &'a Trace, name: &str) -> (u32, &'a taproot_engine::trace::TensorEntry) {
    let found = trace.manifest().tensors.iter().position(|entry| entry.name == name);
    let at = found.unwrap_or_else(|| panic!("the trace has no tensor '{name}'"));
    (at as u32, &trace.manifest().tensors[at])
}

#[test]
fn a_bert_is_carved_and_every_case_passes() {
    let carving = Carving::bert();
    let report = carving.carve().unwrap();
    assert_eq!((report.prompt_tokens, report.nondeterministic, report.generated), (6, 0, None));
    assert_eq!(report.unused, ["pooler.dense.bias", "pooler.dense.weight"]);
    let trace = carving.open();
    let manifest = trace.manifest();
    assert_eq!(trace.hash(), report.summary.hash);
    let prompt = manifest.prompt.as_ref().unwrap();
    assert_eq!((prompt.token_ids.as_slice(), prompt.tokens[1].as_str()), ([2i64, 4, 5, 6, 7, 3].as_slice(), "roots"));
    assert!(
        manifest
            .operators
            .iter()
            .filter(|operator| operator.op == "linear")
            .all(|operator| operator.noise[0].rms > 0.0)
    );
    let embedding = manifest.outputs.iter().find(|output| output.name == "sentence_embedding").unwrap();
    let values = pollster::block_on(trace.tensor(embedding.tensor)).unwrap().to_f64();
    let norm = values.iter().map(|value| value * value).sum::<f64>().sqrt();
    assert!((norm - 1.0).abs() < 1e-6, "{norm}");
    assert_all_pass(&carving.replay(vec![]));
}

#[test]
fn tables_are_carved_down_to_the_rows_that_are_used() {
    let carving = Carving::bert();
    carving.carve().unwrap();
    let trace = carving.open();
    let (id, words) = entry(&trace, "embeddings.word_embeddings.weight");
    assert_eq!(
        (words.shape.as_slice(), words.rows.as_deref()),
        ([6, 32].as_slice(), Some([2u64, 4, 5, 6, 7, 3].as_slice()))
    );
    let whole = taproot::models::Checkpoint::open(&carving.options.model).unwrap();
    let whole = whole.weights.read("embeddings.word_embeddings.weight").unwrap().to_f32();
    let carved = pollster::block_on(trace.tensor(id)).unwrap().to_f32();
    for (row, original) in [2, 4, 5, 6, 7, 3].into_iter().enumerate() {
        assert_eq!(carved[row * 32..(row + 1) * 32], whole[original * 32..(original + 1) * 32]);
    }
    let indices = entry(&trace, "s0.input_ids (rows of the carved embeddings.word_embeddings.weight)");
    assert_eq!(pollster::block_on(trace.tensor(indices.0)).unwrap().to_i64().unwrap(), [0, 1, 2, 3, 4, 5]);
    // Rows that are used from the first on need no other indices.
    assert_eq!(
        entry(&trace, "embeddings.position_embeddings.weight").1.rows.as_deref(),
        Some([0u64, 1, 2, 3, 4, 5].as_slice())
    );
    assert_eq!(entry(&trace, "s0.position_ids").1.role, Role::Input);
}

#[test]
fn the_llama_family_decodes_with_a_cache_and_every_case_passes() {
    for model_type in ["llama", "qwen2", "qwen3"] {
        let mut carving = Carving::llama(model_type);
        carving.options.decode = 2;
        let report = carving.carve().unwrap();
        assert!(report.generated.is_some() && report.unused.is_empty(), "{model_type}: {:?}", report.unused);
        let trace = carving.open();
        let steps: Vec<(&str, usize)> =
            trace.manifest().steps.iter().map(|step| (step.name.as_str(), step.token_ids.len())).collect();
        assert_eq!(steps, [("prefill", 4), ("decode 1", 1), ("decode 2", 1)]);
        // Not tied: the table is carved down, over all steps.
        let table = entry(&trace, "model.embed_tokens.weight").1;
        assert!(
            table.rows.as_ref().is_some_and(|rows| rows.len() >= 4 && rows.starts_with(&[4, 5, 6, 7])),
            "{:?}",
            table.rows
        );
        // Weights are stored once for all steps.
        let weights = trace.manifest().tensors.iter().filter(|entry| entry.role == Role::Weight).count();
        let operators = trace.manifest().operators.iter().filter(|operator| operator.op == "linear").count();
        assert!(weights < operators, "{model_type}: {weights} weights for {operators} linears");
        assert_all_pass(&carving.replay(vec![]));
    }
}

/// A decode step over the cache gives what a prefill over the whole sequence gives.
#[test]
fn the_cache_changes_nothing() {
    let mut carving = Carving::llama("llama");
    carving.options.decode = 1;
    carving.carve().unwrap();
    let trace = carving.open();
    let logits = |trace: &Trace, step: usize| {
        let output =
            trace.manifest().outputs.iter().find(|output| output.name == "logits" && output.step == step).unwrap();
        pollster::block_on(trace.tensor(output.tensor)).unwrap().to_f64()
    };
    let decoded = logits(&trace, 1);
    let next = trace.manifest().steps[1].token_ids[0];
    let words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "roots", "grow", "straight", "down", "and", "deep", "end", "."];
    // Only what the word-level tokenizer spells without brackets can be put into a prompt.
    assert!(next >= 4, "the tiny model decodes token {next}; another seed is needed");
    carving.options.prompt = format!("{} {}", carving.options.prompt, words[next as usize]);
    carving.options.decode = 0;
    carving.carve().unwrap();
    let whole = logits(&carving.open(), 0);
    let last = &whole[whole.len() - decoded.len()..];
    let difference = decoded.iter().zip(last).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(difference < 1e-4, "{difference}");
}

#[test]
fn a_gguf_file_keeps_its_quantised_weights_and_every_case_passes() {
    let mut carving = Carving::gguf();
    carving.options.decode = 1;
    let report = carving.carve().unwrap();
    assert_eq!(report.model, "tiny");
    let trace = carving.open();
    let query = entry(&trace, "model.layers.0.self_attn.q_proj.weight").1;
    assert_eq!(
        (query.dtype, query.shape.as_slice()),
        (DType::Q4_1, [llama::HEADS * llama::HEAD_DIM, llama::HIDDEN].as_slice())
    );
    // Tied: the head needs the whole table.
    assert_eq!(entry(&trace, "model.embed_tokens.weight").1.rows, None);
    assert_eq!(trace.manifest().model.config["llama.block_count"], 2);
    assert_all_pass(&carving.replay(vec![]));
}

#[test]
fn cut_and_converted_models_say_so_in_their_names() {
    let mut carving = Carving::bert();
    carving.options.layers = Some(1);
    carving.options.weights = Some(FloatWeights::F16);
    carving.options.name = Some("Tiny".to_owned());
    let report = carving.carve().unwrap();
    assert_eq!(report.model, "Tiny (first 1 of 2 layers, matrices converted to f16 from f32)");
    let trace = carving.open();
    assert_eq!(trace.manifest().layers.len(), 3);
    let weight = entry(&trace, "encoder.layer.0.output.dense.weight (converted from f32 to f16)").1;
    assert_eq!(weight.dtype, DType::F16);
    assert_eq!(entry(&trace, "encoder.layer.0.output.dense.bias").1.dtype, DType::F32);
    assert_all_pass(&carving.replay(vec![]));
    carving.options.layers = Some(3);
    let message = carving.carve().err().map(|error| error.to_string()).unwrap_or_default();
    assert_eq!(message, "--layers 3 cannot be: the model has 2 layers, of which 1 to 2 can be kept");
}

/// Real checkpoints are in bf16 or f16, norms and biases too: all of it is read as it is stored.
#[test]
fn weights_in_half_precision_stay_as_they_are_and_every_case_passes() {
    for dtype in [DType::BF16, DType::F16] {
        let carving = Carving::of(|folder| {
            llama::write_in(dtype, folder, "qwen2");
            folder.to_owned()
        });
        let report = carving.carve().unwrap();
        assert_eq!(report.model, "model");
        let trace = carving.open();
        for name in ["model.norm.weight", "model.layers.0.self_attn.q_proj.bias", "model.layers.0.mlp.up_proj.weight"] {
            assert_eq!(entry(&trace, name).1.dtype, dtype);
        }
        let activations = trace.manifest().operators.iter().filter(|operator| operator.op == "linear");
        assert!(
            activations.flat_map(|operator| &operator.outputs).all(|&id| trace.entry(id).unwrap().dtype == DType::F32)
        );
        assert_all_pass(&carving.replay(vec![]));
    }
}

#[test]
fn an_archive_opens_as_the_folder_does() {
    let mut carving = Carving::bert();
    carving.options.output = carving.options.output.with_extension("zip");
    let report = carving.carve().unwrap();
    let trace = carving.open();
    assert_eq!(trace.hash(), report.summary.hash);
    let stored =
        trace.manifest().tensors.iter().position(|entry| matches!(entry.data, TensorData::Stored { .. })).unwrap();
    assert!(pollster::block_on(trace.tensor(stored as u32)).is_ok());
    // Nothing else is left beside it.
    let beside: Vec<_> = std::fs::read_dir(carving.options.output.parent().unwrap()).unwrap().flatten().collect();
    assert_eq!(beside.len(), 2, "{beside:?}");
}

#[test]
fn what_is_no_trace_is_not_overwritten_and_a_trace_is() {
    let carving = Carving::bert();
    carving.carve().unwrap();
    carving.carve().unwrap();
    std::fs::write(carving.options.output.join("notes.txt"), "mine").unwrap();
    assert!(matches!(carving.carve(), Err(CarveError::Occupied { .. })));
    assert!(carving.options.output.join("notes.txt").exists());
}

#[test]
fn a_failed_carving_leaves_nothing_behind() {
    let mut carving = Carving::bert();
    carving.options.decode = 3;
    let message = carving.carve().err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.starts_with("--decode 3 cannot be"), "{message}");
    let left: Vec<_> = std::fs::read_dir(carving.options.output.parent().unwrap()).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// A kernel that is wrong fails its cases and no others, in every report.
#[test]
fn a_wrong_kernel_is_found_and_reported() {
    let carving = Carving::bert();
    carving.carve().unwrap();
    let softmax = shader_text("softmax").unwrap();
    let wrong = softmax.replace("largest) / sum", "largest) / (1.001 * sum)");
    assert_ne!(wrong, softmax, "the kernel has changed: inject another mistake");
    let only = Some("*.layer.1.*".to_owned());
    let report = carving.replay(vec![KernelOverride { kernel: "softmax".to_owned(), wgsl: wrong, only }]);
    let failed: Vec<&str> =
        report.cases.iter().filter(|case| case.verdict != Verdict::Pass).map(|case| case.id.as_str()).collect();
    assert_eq!(failed, ["s0.encoder.layer.1.attention.self.softmax"], "{}", to_table(&report, false));
    assert_eq!(report.totals().exit_code(), 1);

    let json: serde_json::Value = serde_json::from_str(&to_json(&report).unwrap()).unwrap();
    let case = json["cases"].as_array().unwrap().iter().find(|case| case["verdict"] == "fail").unwrap();
    assert_eq!((case["op"].as_str(), case["layer"]["name"].as_str()), (Some("softmax"), Some("encoder.layer.1")));
    assert!(case["outputs"][0]["metrics"]["ratio"].as_f64().unwrap() > 10.0);
    let junit = to_junit(&report).unwrap();
    assert!(junit.contains("failures=\"1\"") && junit.contains("<failure"), "{junit}");
    let table = to_table(&report, false);
    let last = table.lines().last().unwrap_or_default();
    assert_eq!(last, report.totals().to_string());
}
