//! Carving: a model's run on a source becomes a trace.
//!
//! The graph is built a step at a time; each operator is computed by the source on the values recorded so far, computed
//! again to see whether the source repeats itself, and computed by the f64 oracle to measure the source's own error.

mod destination;
mod error;
mod noise;
mod producer;
mod recorder;
mod runs;
mod samples;
mod tables;

pub use destination::Destination;
pub use error::CarveError;
pub use samples::{SAMPLES, Sample};

use crate::builders::{Graph, Parameters};
use crate::models::{Checkpoint, Converted, FloatWeights, ModelConfig, Weights};
use recorder::Recorder;
use std::path::PathBuf;
use taproot_engine::trace::{Head, Model, Prompt, TraceSummary};

/// What to carve.
#[derive(Clone, Debug)]
pub struct CarveOptions {
    /// A Hugging Face folder or a GGUF file.
    pub model: PathBuf,
    /// Text that the model is run on.
    pub prompt: String,
    /// Folder of the trace, or a name that ends in `.zip`.
    pub output: PathBuf,
    /// Greedy decode steps after the prefill.
    pub decode: usize,
    /// Keeps only the first layers.
    pub layers: Option<usize>,
    /// What plain float weights are converted to; `None` leaves them as they are.
    pub weights: Option<FloatWeights>,
    /// Name of the model in the trace; what was cut or converted is added to it.
    pub name: Option<String>,
}

/// How far a carving is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A forward call begins.
    Step {
        /// Its name.
        name: String,
        /// Operators in it.
        operators: usize,
    },
    /// An operator is about to be computed.
    Operator {
        /// Its id.
        id: String,
    },
    /// Files are being closed.
    Writing,
}

/// Receives progress.
pub type OnProgress<'a> = &'a mut dyn FnMut(Progress);

/// What was carved.
#[derive(Clone, Debug)]
pub struct CarveReport {
    /// The model's name in the trace.
    pub model: String,
    /// Operators, tensors, bytes and hash.
    pub summary: TraceSummary,
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// What greedy decoding continued with, where the model generates text.
    pub generated: Option<String>,
    /// Whether decoding stopped before the steps asked for, because the text ended.
    pub ended_early: bool,
    /// Tensors of the checkpoint that the graph does not use.
    pub unused: Vec<String>,
    /// Operators whose two runs differed.
    pub nondeterministic: usize,
}

/// Carves a model's run on the CPU in f32.
///
/// # Errors
/// When the model cannot be read or is not supported, the prompt does not fit it, or the trace cannot be written; what
/// was written so far is removed.
pub fn carve(options: &CarveOptions, progress: OnProgress<'_>) -> Result<CarveReport, CarveError> {
    let destination = Destination::prepare(&options.output)?;
    let mut checkpoint = Checkpoint::open(&options.model)?;
    let mut changes = Vec::new();
    changes.extend(cut_layers(options.layers, &mut checkpoint.config)?);
    let (weights, converted) = convert(options.weights, checkpoint.weights);
    changes.extend(converted);
    let name = trace_name(options.name.as_deref().unwrap_or(&checkpoint.name), &changes);
    let prompt = checkpoint.tokenizer.encode(&options.prompt)?;
    let mut recorder = Recorder::new(destination.folder(), weights.as_ref())?;
    let parameters: &dyn Parameters = weights.as_ref();
    let run = match &checkpoint.config {
        ModelConfig::Bert(config) => runs::bert(config, parameters, &prompt, options.decode, &mut recorder, progress)?,
        ModelConfig::Llama(config) => {
            let decode = runs::Decode { tokenizer: &checkpoint.tokenizer, steps: options.decode };
            runs::llama(config, parameters, &prompt, decode, &mut recorder, progress)?
        }
    };
    progress(Progress::Writing);
    let nondeterministic = recorder.nondeterministic();
    let unused = unused(weights.as_ref(), &run.graph, &checkpoint.config);
    let head = Head {
        model: Model { name: name.clone(), architecture: checkpoint.architecture, config: checkpoint.raw_config },
        producer: producer::describe()?,
        prompt: Some(Prompt {
            text: options.prompt.clone(),
            token_ids: prompt.ids.clone(),
            tokens: prompt.tokens,
            generated: run.generated.clone(),
        }),
        steps: run.graph.steps.clone(),
        layers: run.graph.layers.clone(),
        outputs: Vec::new(),
    };
    let summary = recorder.finish(head, &run.graph)?;
    destination.commit()?;
    Ok(CarveReport {
        model: name,
        summary,
        prompt_tokens: prompt.ids.len(),
        generated: run.generated,
        ended_early: run.ended_early,
        unused,
        nondeterministic,
    })
}

/// Keeps the first layers, and says so where some were cut off.
fn cut_layers(asked: Option<usize>, config: &mut ModelConfig) -> Result<Option<String>, CarveError> {
    let all = config.num_hidden_layers();
    match asked {
        Some(asked) if asked == 0 || asked > all => Err(CarveError::Layers { asked, all }),
        Some(asked) if asked < all => {
            config.keep_layers(asked);
            Ok(Some(format!("first {asked} of {all} layers")))
        }
        _ => Ok(None),
    }
}

/// Converts weights, and says so where any were.
fn convert(to: Option<FloatWeights>, weights: Box<dyn Weights>) -> (Box<dyn Weights>, Option<String>) {
    let Some(to) = to else { return (weights, None) };
    let converted = Converted::new(weights, to);
    let dtypes: Vec<&str> = converted.converted_dtypes().iter().map(|dtype| dtype.name()).collect();
    let what = match to {
        FloatWeights::F32 => "weights converted to f32 from",
        FloatWeights::F16 => "matrices converted to f16 from",
    };
    let change = (!dtypes.is_empty()).then(|| format!("{what} {}", dtypes.join(" and ")));
    (Box::new(converted), change)
}

/// The model's name with what was cut or converted.
fn trace_name(name: &str, changes: &[String]) -> String {
    if changes.is_empty() { name.to_owned() } else { format!("{name} ({})", changes.join(", ")) }
}

/// Tensors of the checkpoint that the graph does not use, without those of layers that were cut off and without buffers
/// that older versions of transformers stored.
fn unused(weights: &dyn Weights, graph: &Graph, config: &ModelConfig) -> Vec<String> {
    let used: std::collections::HashSet<&str> = graph.tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    let layers = match config {
        ModelConfig::Bert(_) => "encoder.layer.",
        ModelConfig::Llama(_) => "model.layers.",
    };
    let is_cut = |name: &str| {
        let index = name.strip_prefix(layers).and_then(|rest| rest.split('.').next());
        index.and_then(|index| index.parse::<usize>().ok()).is_some_and(|index| index >= config.num_hidden_layers())
    };
    let is_buffer = |name: &str| {
        name.ends_with("rotary_emb.inv_freq") || name == "embeddings.position_ids" || name == "rope_freqs.weight"
    };
    let names = weights.names().into_iter();
    names.filter(|name| !used.contains(name.as_str()) && !is_cut(name) && !is_buffer(name)).collect()
}
