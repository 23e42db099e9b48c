//! `BertModel` with eager attention, as transformers' `modeling_bert.py` exports it for one sequence without padding.

use super::graph::{BuildError, GraphBuilder, Parameters};
use super::{BertConfig, ConfigError, EMBEDDINGS, HEAD, sentence};
use taproot_engine::trace::TensorId;

/// Builds the forward call over one sequence; every token takes part, so there is no attention mask to add.
///
/// # Errors
/// When the sequence is empty or too long, or a parameter is missing or has another shape.
pub fn build(config: &BertConfig, parameters: &dyn Parameters, token_ids: &[i64]) -> Result<GraphBuilder, BuildError> {
    if token_ids.is_empty() {
        return Err(BuildError::NoTokens);
    }
    check_length(config, token_ids.len())?;
    let mut graph = GraphBuilder::default();
    graph.begin_step("forward", token_ids);
    let builder = Bert { config, parameters, length: token_ids.len() };
    let mut hidden = builder.embeddings(&mut graph, token_ids)?;
    for layer in 0..config.num_hidden_layers {
        hidden = builder.layer(&mut graph, layer, hidden)?;
    }
    graph.output("last_hidden_state", hidden);
    graph.enter_layer(HEAD);
    match config.head {
        Some(head) => sentence::build(&mut graph, head, hidden)?,
        None => builder.pooler(&mut graph, hidden)?,
    }
    Ok(graph)
}

fn check_length(config: &BertConfig, tokens: usize) -> Result<(), ConfigError> {
    let allowed = config.max_position_embeddings;
    if tokens <= allowed {
        return Ok(());
    }
    Err(ConfigError::Unsupported {
        source_name: "the configuration".to_owned(),
        key: "max_position_embeddings".to_owned(),
        value: allowed.to_string(),
        supported: format!("at least the {tokens} tokens of the prompt; give a shorter one"),
    })
}

struct Bert<'a> {
    config: &'a BertConfig,
    parameters: &'a dyn Parameters,
    length: usize,
}

impl Bert<'_> {
    fn embeddings(&self, graph: &mut GraphBuilder, token_ids: &[i64]) -> Result<TensorId, BuildError> {
        let BertConfig { vocab_size, type_vocab_size, max_position_embeddings, .. } = *self.config;
        let positions: Vec<i64> = (0i64..).take(self.length).collect();
        graph.enter_layer(EMBEDDINGS);
        let input_ids = graph.token_input("input_ids", token_ids);
        let token_type_ids = graph.token_input("token_type_ids", &vec![0; self.length]);
        let position_ids = graph.token_input("position_ids", &positions);
        let words = self.table(graph, "word_embeddings", vocab_size, input_ids)?;
        let types = self.table(graph, "token_type_embeddings", type_vocab_size, token_type_ids)?;
        graph.enter_module("embeddings");
        let sum = graph.add(words, types)?;
        let positions = self.table(graph, "position_embeddings", max_position_embeddings, position_ids)?;
        graph.enter_module("embeddings");
        let sum = graph.add(sum, positions)?;
        self.layer_norm(graph, "embeddings.LayerNorm", sum)
    }

    fn table(
        &self,
        graph: &mut GraphBuilder,
        name: &str,
        rows: usize,
        indices: TensorId,
    ) -> Result<TensorId, BuildError> {
        let module = format!("embeddings.{name}");
        graph.enter_module(&module);
        let weight = graph.parameter(self.parameters, &format!("{module}.weight"), &[rows, self.config.hidden_size])?;
        graph.embedding(weight, indices)
    }

    fn layer(&self, graph: &mut GraphBuilder, index: usize, hidden: TensorId) -> Result<TensorId, BuildError> {
        let BertConfig { hidden_size, intermediate_size, .. } = *self.config;
        let path = format!("encoder.layer.{index}");
        graph.enter_layer(&path);
        let context = self.attention(graph, &format!("{path}.attention.self"), hidden)?;
        let attended = self.residual(graph, &format!("{path}.attention.output"), context, hidden_size, hidden)?;
        let widened =
            self.linear(graph, &format!("{path}.intermediate.dense"), attended, intermediate_size, hidden_size)?;
        graph.enter_module(&format!("{path}.intermediate.intermediate_act_fn"));
        let activated = graph.activation(self.config.hidden_act, widened)?;
        self.residual(graph, &format!("{path}.output"), activated, intermediate_size, attended)
    }

    /// `eager_attention_forward`: softmax(q·kᵀ·d^−½)·v for each head.
    fn attention(&self, graph: &mut GraphBuilder, module: &str, hidden: TensorId) -> Result<TensorId, BuildError> {
        let BertConfig { hidden_size, num_attention_heads, .. } = *self.config;
        let head_dim = self.config.head_dim();
        let mut heads = [hidden; 3];
        for (name, projected) in ["query", "key", "value"].into_iter().zip(&mut heads) {
            let rows = self.linear(graph, &format!("{module}.{name}"), hidden, hidden_size, hidden_size)?;
            graph.enter_module(module);
            let split = graph.view(rows, &[1, self.length, num_attention_heads, head_dim])?;
            *projected = graph.transpose(split, 1, 2)?;
        }
        let [query, key, value] = heads;
        let key = graph.transpose(key, 2, 3)?;
        let scores = graph.matmul(query, key)?;
        let scaled = graph.mul_scalar(scores, (head_dim as f64).powf(-0.5))?;
        let weights = graph.softmax(scaled, -1)?;
        let context = graph.matmul(weights, value)?;
        let rows = graph.transpose(context, 1, 2)?;
        let rows = graph.contiguous(rows)?;
        graph.view(rows, &[1, self.length, hidden_size])
    }

    /// `BertSelfOutput` and `BertOutput`: a projection, the residual, a layer norm.
    fn residual(
        &self,
        graph: &mut GraphBuilder,
        module: &str,
        input: TensorId,
        columns: usize,
        residual: TensorId,
    ) -> Result<TensorId, BuildError> {
        let projected = self.linear(graph, &format!("{module}.dense"), input, self.config.hidden_size, columns)?;
        graph.enter_module(module);
        let sum = graph.add(projected, residual)?;
        self.layer_norm(graph, &format!("{module}.LayerNorm"), sum)
    }

    /// `BertPooler`, where the checkpoint has one: the first token through a projection and tanh.
    fn pooler(&self, graph: &mut GraphBuilder, hidden: TensorId) -> Result<(), BuildError> {
        if self.parameters.meta("pooler.dense.weight").is_none() {
            return Ok(());
        }
        let width = self.config.hidden_size;
        graph.enter_module("pooler");
        let first = graph.select(hidden, 1, 0)?;
        let projected = self.linear(graph, "pooler.dense", first, width, width)?;
        graph.enter_module("pooler.activation");
        let pooled = graph.unary("tanh", projected)?;
        graph.output("pooler_output", pooled);
        Ok(())
    }

    fn linear(
        &self,
        graph: &mut GraphBuilder,
        module: &str,
        input: TensorId,
        rows: usize,
        columns: usize,
    ) -> Result<TensorId, BuildError> {
        graph.linear_module(self.parameters, module, input, [rows, columns], true)
    }

    fn layer_norm(&self, graph: &mut GraphBuilder, module: &str, input: TensorId) -> Result<TensorId, BuildError> {
        graph.layer_norm_module(self.parameters, module, input, self.config.hidden_size, self.config.layer_norm_eps)
    }
}
