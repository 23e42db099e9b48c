//! Rotary position embeddings, as transformers' `LlamaRotaryEmbedding` and `apply_rotary_pos_emb` export them.

use super::graph::{BuildError, GraphBuilder};
use taproot_engine::tensor::DType;
use taproot_engine::trace::TensorId;

/// cos and sin of every position, each of shape `[1, tokens, head_dim]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rotation {
    cos: TensorId,
    sin: TensorId,
}

impl Rotation {
    /// cos and sin of position·inv_freq, the frequencies twice side by side.
    ///
    /// transformers multiplies both by `attention_scaling`, which is 1 for every supported type of RoPE; so does this,
    /// to give the operators that an export gives.
    pub(super) fn build(
        graph: &mut GraphBuilder,
        inverse_frequencies: &[f32],
        positions: &[i64],
    ) -> Result<Self, BuildError> {
        graph.enter_module("model.rotary_emb");
        let inv_freq = graph.vector_constant("model.rotary_emb.inv_freq", inverse_frequencies);
        let inv_freq = graph.unsqueeze(inv_freq, 0)?;
        let inv_freq = graph.unsqueeze(inv_freq, 2)?;
        let inv_freq = graph.expand(inv_freq, &[1, inverse_frequencies.len(), 1])?;
        let position_ids = graph.token_input("position_ids", positions);
        let position_ids = graph.unsqueeze(position_ids, 1)?;
        let position_ids = graph.to(position_ids, DType::F32)?;
        let freqs = graph.matmul(inv_freq, position_ids)?;
        let freqs = graph.transpose(freqs, 1, 2)?;
        let emb = graph.cat(&[freqs, freqs], -1)?;
        let cos = graph.unary("cos", emb)?;
        let cos = graph.mul_scalar(cos, 1.0)?;
        let sin = graph.unary("sin", emb)?;
        let sin = graph.mul_scalar(sin, 1.0)?;
        Ok(Rotation { cos, sin })
    }

    /// Rotates q and k, both of shape `[1, heads, tokens, head_dim]`.
    pub(super) fn apply(
        self,
        graph: &mut GraphBuilder,
        query: TensorId,
        key: TensorId,
    ) -> Result<(TensorId, TensorId), BuildError> {
        let cos = graph.unsqueeze(self.cos, 1)?;
        let sin = graph.unsqueeze(self.sin, 1)?;
        Ok((rotate(graph, query, cos, sin)?, rotate(graph, key, cos, sin)?))
    }
}

/// x·cos + rotate_half(x)·sin.
fn rotate(graph: &mut GraphBuilder, x: TensorId, cos: TensorId, sin: TensorId) -> Result<TensorId, BuildError> {
    let scaled = graph.mul(x, cos)?;
    let half = rotate_half(graph, x)?;
    let rotated = graph.mul(half, sin)?;
    graph.add(scaled, rotated)
}

/// The second half negated, then the first.
fn rotate_half(graph: &mut GraphBuilder, x: TensorId) -> Result<TensorId, BuildError> {
    let width = graph.meta(x).shape.last().copied().unwrap_or(0);
    let first = graph.slice(x, -1, 0, width / 2)?;
    let second = graph.slice(x, -1, width / 2, width)?;
    let negated = graph.unary("neg", second)?;
    graph.cat(&[negated, first], -1)
}
