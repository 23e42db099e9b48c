//! What sentence-transformers puts after the encoder: `Pooling` and `Normalize`.

use super::graph::{BuildError, GraphBuilder};
use super::{Pooling, SentenceHead};
use taproot_engine::trace::TensorId;

/// Builds the head over `hidden` of shape `[1, tokens, width]`; the result is the output `sentence_embedding`.
///
/// # Errors
/// When `hidden` has another rank.
pub(super) fn build(graph: &mut GraphBuilder, head: SentenceHead, hidden: TensorId) -> Result<(), BuildError> {
    graph.enter_module("pooling");
    let pooled = match head.pooling {
        Pooling::Mean => mean(graph, hidden)?,
        Pooling::Cls => graph.select(hidden, 1, 0)?,
    };
    let embedding = if head.normalize { normalize(graph, pooled)? } else { pooled };
    graph.output("sentence_embedding", embedding);
    Ok(())
}

/// `Pooling`: Σ hidden·mask / max(Σ mask, 1e-9). All tokens of a single sequence take part.
fn mean(graph: &mut GraphBuilder, hidden: TensorId) -> Result<TensorId, BuildError> {
    let shape = graph.meta(hidden).shape.clone();
    let dtype = graph.meta(hidden).dtype;
    let mask = graph.token_input("attention_mask", &vec![1; shape.get(1).copied().unwrap_or(0)]);
    let mask = graph.unsqueeze(mask, -1)?;
    let mask = graph.expand(mask, &shape)?;
    let mask = graph.to(mask, dtype)?;
    let masked = graph.mul(hidden, mask)?;
    let sum = graph.sum(masked, 1)?;
    let count = graph.sum(mask, 1)?;
    let count = graph.clamp_min(count, 1e-9)?;
    graph.div(sum, count)
}

/// `torch.nn.functional.normalize(input, p=2, dim=1)`: input / max(‖input‖₂, 1e-12).
fn normalize(graph: &mut GraphBuilder, input: TensorId) -> Result<TensorId, BuildError> {
    graph.enter_module("normalize");
    let shape = graph.meta(input).shape.clone();
    let norm = graph.vector_norm(input, 1)?;
    let norm = graph.clamp_min(norm, 1e-12)?;
    let norm = graph.expand(norm, &shape)?;
    graph.div(input, norm)
}
