//! Runs of the supported models: what is built and recorded, in which order.

use super::{CarveError, OnProgress, Recorder};
use crate::builders::{BertConfig, Graph, LlamaBuilder, LlamaConfig, Parameters, build_bert};
use crate::tokenizer::{PromptTokenizer, TokenizedPrompt};
use taproot_engine::trace::TensorId;

/// A run that has been recorded.
#[derive(Debug)]
pub(super) struct Run {
    /// The graph of all its steps.
    pub(super) graph: Graph,
    /// What greedy decoding continued with.
    pub(super) generated: Option<String>,
    /// Whether the text ended before the steps asked for.
    pub(super) ended_early: bool,
}

/// How far to decode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decode<'a> {
    /// Turns tokens into text, and knows where a text ends.
    pub(super) tokenizer: &'a PromptTokenizer,
    /// Steps after the prefill.
    pub(super) steps: usize,
}

/// One forward call of an encoder.
pub(super) fn bert(
    config: &BertConfig,
    parameters: &dyn Parameters,
    prompt: &TokenizedPrompt,
    decode: usize,
    recorder: &mut Recorder<'_>,
    progress: OnProgress<'_>,
) -> Result<Run, CarveError> {
    if decode > 0 {
        return Err(CarveError::NoDecode { asked: decode });
    }
    let builder = build_bert(config, parameters, &prompt.ids)?;
    recorder.record(builder.graph(), &[], progress)?;
    Ok(Run { graph: builder.graph().clone(), generated: None, ended_early: false })
}

/// The prefill of a decoder, then greedy steps, each fed with the token that the one before found most likely.
pub(super) fn llama(
    config: &LlamaConfig,
    parameters: &dyn Parameters,
    prompt: &TokenizedPrompt,
    decode: Decode<'_>,
    recorder: &mut Recorder<'_>,
    progress: OnProgress<'_>,
) -> Result<Run, CarveError> {
    config.check_length(prompt.ids.len().saturating_add(decode.steps))?;
    let mut builder = LlamaBuilder::new(config, parameters);
    let mut generated = Vec::new();
    let mut feed = prompt.ids.clone();
    for step in 0..=decode.steps {
        let next = builder.step(&feed)?;
        let keep: Vec<TensorId> = builder.cached().chain([next]).collect();
        recorder.record(builder.graph().graph(), &keep, progress)?;
        let token = recorder.integer(builder.graph().graph(), next)?;
        generated.push(token);
        if decode.tokenizer.is_end(token) {
            let ended_early = step < decode.steps;
            return finished(&builder, decode, &generated, ended_early);
        }
        feed = vec![token];
    }
    finished(&builder, decode, &generated, false)
}

fn finished(
    builder: &LlamaBuilder<'_>,
    decode: Decode<'_>,
    generated: &[i64],
    ended_early: bool,
) -> Result<Run, CarveError> {
    let text = decode.tokenizer.decode(generated)?;
    Ok(Run { graph: builder.graph().graph().clone(), generated: Some(text), ended_early })
}
