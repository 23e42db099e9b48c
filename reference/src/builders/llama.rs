//! The Llama family with SDPA attention and a KV cache, as transformers' `modeling_llama.py` exports it (Mistral, Qwen2
//! and Qwen3 differ in biases and in the norms of q and k).

use super::graph::{BuildError, GraphBuilder, Parameters};
use super::rotary::Rotation;
use super::{EMBEDDINGS, HEAD, LlamaConfig};
use taproot_engine::graph::Arg;
use taproot_engine::trace::TensorId;

/// Name of the table of tokens, and of the head where that is tied to it.
const TOKEN_TABLE: &str = "model.embed_tokens.weight";

/// Builds the prefill and the decode steps that follow it; they share weights, and each reads the cache of the one before.
#[derive(Debug)]
pub struct LlamaBuilder<'a> {
    config: &'a LlamaConfig,
    parameters: &'a dyn Parameters,
    graph: GraphBuilder,
    cache: Vec<KeysValues>,
    tokens: usize,
}

/// A layer's keys and values so far, each of shape `[1, kv_heads, tokens, head_dim]`.
#[derive(Clone, Copy, Debug)]
struct KeysValues {
    key: TensorId,
    value: TensorId,
}

impl<'a> LlamaBuilder<'a> {
    /// A builder that has built nothing yet.
    pub fn new(config: &'a LlamaConfig, parameters: &'a dyn Parameters) -> Self {
        LlamaBuilder { config, parameters, graph: GraphBuilder::default(), cache: Vec::new(), tokens: 0 }
    }

    /// What has been built so far.
    pub fn graph(&self) -> &GraphBuilder {
        &self.graph
    }

    /// Tensors that the next step reads.
    pub fn cached(&self) -> impl Iterator<Item = TensorId> + '_ {
        self.cache.iter().flat_map(|layer| [layer.key, layer.value])
    }

    /// Builds the next forward call over `token_ids`: the prefill first, then one token at a time. Gives the tensor that
    /// holds the most likely next token, of shape `[1]`.
    ///
    /// # Errors
    /// When there are no tokens, the sequence grows too long, or a parameter is missing or has another shape.
    pub fn step(&mut self, token_ids: &[i64]) -> Result<TensorId, BuildError> {
        if token_ids.is_empty() {
            return Err(BuildError::NoTokens);
        }
        self.config.check_length(self.tokens + token_ids.len())?;
        let decoded = self.graph.graph().steps.len();
        let name = if decoded == 0 { "prefill".to_owned() } else { format!("decode {decoded}") };
        self.graph.begin_step(name, token_ids);
        let (mut hidden, rotation) = self.embeddings(token_ids)?;
        let past = std::mem::take(&mut self.cache);
        for layer in 0..self.config.num_hidden_layers {
            hidden = self.layer(layer, hidden, rotation, past.get(layer).copied())?;
        }
        self.tokens += token_ids.len();
        self.head(hidden)
    }

    fn embeddings(&mut self, token_ids: &[i64]) -> Result<(TensorId, Rotation), BuildError> {
        let LlamaConfig { vocab_size, hidden_size, head_dim, .. } = *self.config;
        self.graph.enter_layer(EMBEDDINGS);
        self.graph.enter_module("model.embed_tokens");
        let input_ids = self.graph.token_input("input_ids", token_ids);
        let table = self.graph.parameter(self.parameters, TOKEN_TABLE, &[vocab_size, hidden_size])?;
        let hidden = self.graph.embedding(table, input_ids)?;
        // Sequences are far shorter than 2⁶³ tokens.
        let positions: Vec<i64> = (self.tokens as i64..).take(token_ids.len()).collect();
        let inverse_frequencies = self.config.rope.inverse_frequencies(head_dim);
        Ok((hidden, Rotation::build(&mut self.graph, &inverse_frequencies, &positions)?))
    }

    fn layer(
        &mut self,
        index: usize,
        hidden: TensorId,
        rotation: Rotation,
        past: Option<KeysValues>,
    ) -> Result<TensorId, BuildError> {
        let path = format!("model.layers.{index}");
        self.graph.enter_layer(&path);
        let normed = self.rms_norm(&format!("{path}.input_layernorm"), hidden, self.config.hidden_size)?;
        let attended = self.attention(&format!("{path}.self_attn"), normed, rotation, past)?;
        self.graph.enter_module(&path);
        let hidden = self.graph.add(hidden, attended)?;
        let normed = self.rms_norm(&format!("{path}.post_attention_layernorm"), hidden, self.config.hidden_size)?;
        let fed = self.feed_forward(&format!("{path}.mlp"), normed)?;
        self.graph.enter_module(&path);
        self.graph.add(hidden, fed)
    }

    fn attention(
        &mut self,
        module: &str,
        hidden: TensorId,
        rotation: Rotation,
        past: Option<KeysValues>,
    ) -> Result<TensorId, BuildError> {
        let LlamaConfig { hidden_size, num_attention_heads, num_key_value_heads, head_dim, .. } = *self.config;
        let tokens = self.graph.meta(hidden).shape.get(1).copied().unwrap_or(0);
        let query = self.project(module, "q", hidden, num_attention_heads)?;
        let key = self.project(module, "k", hidden, num_key_value_heads)?;
        let value = self.project(module, "v", hidden, num_key_value_heads)?;
        let (query, key) = rotation.apply(&mut self.graph, query, key)?;
        let KeysValues { key, value } = self.extend_cache(past, KeysValues { key, value })?;
        let attended = self.graph.call(
            "scaled_dot_product_attention",
            &[
                ("query", Arg::Tensor(query)),
                ("key", Arg::Tensor(key)),
                ("value", Arg::Tensor(value)),
                ("attn_mask", Arg::None),
                ("dropout_p", Arg::Float(0.0)),
                // A single token looks at everything before it; the prefill has nothing before its first token.
                ("is_causal", Arg::Bool(tokens > 1)),
                ("scale", Arg::Float((head_dim as f64).powf(-0.5))),
                ("enable_gqa", Arg::Bool(num_key_value_heads != num_attention_heads)),
            ],
        )?;
        let rows = self.graph.transpose(attended, 1, 2)?;
        let rows = self.graph.contiguous(rows)?;
        let width = num_attention_heads * head_dim;
        let rows = self.graph.view(rows, &[1, tokens, width])?;
        self.linear(&format!("{module}.o_proj"), rows, [hidden_size, width], self.config.output_bias)
    }

    /// q, k or v: a projection split into heads, q and k normalised where the configuration says so, `[1, heads, tokens,
    /// head_dim]`.
    fn project(&mut self, module: &str, name: &str, hidden: TensorId, heads: usize) -> Result<TensorId, BuildError> {
        let LlamaConfig { hidden_size, head_dim, qkv_bias, qk_norm, .. } = *self.config;
        let tokens = self.graph.meta(hidden).shape.get(1).copied().unwrap_or(0);
        let rows = self.linear(&format!("{module}.{name}_proj"), hidden, [heads * head_dim, hidden_size], qkv_bias)?;
        self.graph.enter_module(module);
        let mut split = self.graph.view(rows, &[1, tokens, heads, head_dim])?;
        if qk_norm && name != "v" {
            split = self.rms_norm(&format!("{module}.{name}_norm"), split, head_dim)?;
            self.graph.enter_module(module);
        }
        self.graph.transpose(split, 1, 2)
    }

    /// `DynamicCache.update`: new keys and values follow those of the steps before.
    fn extend_cache(&mut self, past: Option<KeysValues>, new: KeysValues) -> Result<KeysValues, BuildError> {
        let extended = match past {
            Some(past) => KeysValues {
                key: self.graph.cat(&[past.key, new.key], 2)?,
                value: self.graph.cat(&[past.value, new.value], 2)?,
            },
            None => new,
        };
        self.cache.push(extended);
        Ok(extended)
    }

    fn feed_forward(&mut self, module: &str, hidden: TensorId) -> Result<TensorId, BuildError> {
        let LlamaConfig { hidden_size, intermediate_size, hidden_act, mlp_bias, .. } = *self.config;
        let wide = [intermediate_size, hidden_size];
        let gate = self.linear(&format!("{module}.gate_proj"), hidden, wide, mlp_bias)?;
        self.graph.enter_module(&format!("{module}.act_fn"));
        let gate = self.graph.activation(hidden_act, gate)?;
        let up = self.linear(&format!("{module}.up_proj"), hidden, wide, mlp_bias)?;
        self.graph.enter_module(module);
        let product = self.graph.mul(gate, up)?;
        self.linear(&format!("{module}.down_proj"), product, [hidden_size, intermediate_size], mlp_bias)
    }

    /// Final norm, logits of every position, and the most likely token after the last one.
    fn head(&mut self, hidden: TensorId) -> Result<TensorId, BuildError> {
        let LlamaConfig { vocab_size, hidden_size, tie_word_embeddings, .. } = *self.config;
        self.graph.enter_layer(HEAD);
        let normed = self.rms_norm("model.norm", hidden, hidden_size)?;
        self.graph.enter_module("lm_head");
        let weight = if tie_word_embeddings { TOKEN_TABLE } else { "lm_head.weight" };
        let weight = self.graph.parameter(self.parameters, weight, &[vocab_size, hidden_size])?;
        let logits = self.graph.linear(normed, weight, None)?;
        self.graph.output("logits", logits);
        self.graph.enter_module("");
        let last = self.graph.select(logits, 1, -1)?;
        let next = self.graph.argmax(last, -1)?;
        self.graph.output("next_token", next);
        Ok(next)
    }

    fn linear(&mut self, module: &str, input: TensorId, shape: [usize; 2], bias: bool) -> Result<TensorId, BuildError> {
        self.graph.linear_module(self.parameters, module, input, shape, bias)
    }

    fn rms_norm(&mut self, module: &str, input: TensorId, width: usize) -> Result<TensorId, BuildError> {
        self.graph.rms_norm_module(self.parameters, module, input, width, self.config.rms_norm_eps)
    }
}
