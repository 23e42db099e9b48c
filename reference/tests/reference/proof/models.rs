//! Random models of three layers whose sizes are no multiples of a kernel's tiles: with 37 tokens a prefill takes the
//! kernel of matrix products that works in tiles of 64 columns, a decode step the one for few rows.

use crate::tiny::{Parameter, Random, write_tokenizer};
use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Value, json};
use std::path::Path;

pub(super) const LAYERS: usize = 3;
/// Narrower than a tile.
const HIDDEN: usize = 60;
/// Wider than a tile.
const INTERMEDIATE: usize = 100;
/// Words that the tokenizer knows; the table of a Llama, which is wider than a tile, has more rows.
const WORDS: usize = 12;
const LLAMA_VOCAB: usize = 70;
const POSITIONS: usize = 64;
/// Tokens of the prompt in a BERT, which puts two around them, are 37.
const PROMPT_WORDS: usize = 35;

/// A prompt with every word many times.
pub(super) fn prompt() -> String {
    let words = ["roots", "grow", "straight", "down", "and", "deep", "end"];
    words.iter().cycle().take(PROMPT_WORDS).copied().collect::<Vec<_>>().join(" ")
}

/// A configuration, parameters, and what some of them are multiplied by.
pub(super) struct Model {
    config: Value,
    parameters: Vec<Parameter>,
    factors: Vec<(&'static str, f32)>,
}

impl Model {
    /// A BERT without a head.
    pub(super) fn bert() -> Self {
        let config = json!({
            "architectures": ["BertModel"], "model_type": "bert", "vocab_size": WORDS, "hidden_size": HIDDEN,
            "num_hidden_layers": LAYERS, "num_attention_heads": 4, "intermediate_size": INTERMEDIATE,
            "hidden_act": "gelu", "max_position_embeddings": POSITIONS, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
        });
        let mut parameters: Vec<Parameter> = [("word", WORDS), ("position", POSITIONS), ("token_type", 2)]
            .map(|(table, rows)| Parameter::new(format!("embeddings.{table}_embeddings.weight"), &[rows, HIDDEN]))
            .into();
        layer_norm(&mut parameters, "embeddings.LayerNorm");
        for layer in 0..LAYERS {
            let path = format!("encoder.layer.{layer}");
            for name in ["self.query", "self.key", "self.value", "output.dense"] {
                linear(&mut parameters, &format!("{path}.attention.{name}"), HIDDEN, HIDDEN);
            }
            linear(&mut parameters, &format!("{path}.intermediate.dense"), INTERMEDIATE, HIDDEN);
            linear(&mut parameters, &format!("{path}.output.dense"), HIDDEN, INTERMEDIATE);
            layer_norm(&mut parameters, &format!("{path}.attention.output.LayerNorm"));
            layer_norm(&mut parameters, &format!("{path}.output.LayerNorm"));
        }
        Model { config, parameters, factors: Vec::new() }
    }

    /// A Llama with three heads of q to each of k and v, and a head of its own.
    pub(super) fn llama() -> Self {
        let (heads, kv_heads, head_dim) = (6, 2, 10);
        let config = json!({
            "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": LLAMA_VOCAB,
            "hidden_size": HIDDEN, "num_hidden_layers": LAYERS, "num_attention_heads": heads,
            "num_key_value_heads": kv_heads, "head_dim": head_dim, "intermediate_size": INTERMEDIATE,
            "hidden_act": "silu", "max_position_embeddings": POSITIONS, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
            "tie_word_embeddings": false,
        });
        let matrix = |name: String, rows: usize, columns: usize| Parameter::new(name, &[rows, columns]);
        let mut parameters = vec![
            matrix("model.embed_tokens.weight".to_owned(), LLAMA_VOCAB, HIDDEN),
            Parameter::norm("model.norm.weight", HIDDEN),
            matrix("lm_head.weight".to_owned(), LLAMA_VOCAB, HIDDEN),
        ];
        for layer in 0..LAYERS {
            let path = format!("model.layers.{layer}");
            for (name, rows, columns) in [
                ("self_attn.q_proj", heads * head_dim, HIDDEN),
                ("self_attn.k_proj", kv_heads * head_dim, HIDDEN),
                ("self_attn.v_proj", kv_heads * head_dim, HIDDEN),
                ("self_attn.o_proj", HIDDEN, heads * head_dim),
                ("mlp.gate_proj", INTERMEDIATE, HIDDEN),
                ("mlp.up_proj", INTERMEDIATE, HIDDEN),
                ("mlp.down_proj", HIDDEN, INTERMEDIATE),
            ] {
                parameters.push(matrix(format!("{path}.{name}.weight"), rows, columns));
            }
            for name in ["input_layernorm", "post_attention_layernorm"] {
                parameters.push(Parameter::norm(format!("{path}.{name}.weight"), HIDDEN));
            }
        }
        Model { config, parameters, factors: Vec::new() }
    }

    /// Multiplies the parameters whose name begins with `prefix`.
    pub(super) fn scaled(mut self, prefix: &'static str, factor: f32) -> Self {
        assert!(self.parameters.iter().any(|parameter| parameter.name.starts_with(prefix)), "no parameter {prefix}");
        self.factors.push((prefix, factor));
        self
    }

    /// Writes config.json, model.safetensors and tokenizer.json, the same in every run.
    pub(super) fn write(&self, folder: &Path) {
        std::fs::write(folder.join("config.json"), self.config.to_string()).unwrap();
        write_tokenizer(&folder.join("tokenizer.json"), self.config["model_type"] == "bert");
        let mut random = Random(7);
        let data: Vec<Vec<u8>> = self.parameters.iter().map(|parameter| self.bytes(parameter, &mut random)).collect();
        let views = self.parameters.iter().zip(&data).map(|(parameter, bytes)| {
            (parameter.name.clone(), TensorView::new(Dtype::F32, parameter.shape.clone(), bytes).unwrap())
        });
        safetensors::serialize_to_file(views, None, &folder.join("model.safetensors")).unwrap();
    }

    fn bytes(&self, parameter: &Parameter, random: &mut Random) -> Vec<u8> {
        let applies = |(prefix, _): &&(&str, f32)| parameter.name.starts_with(*prefix);
        let factor: f32 = self.factors.iter().filter(applies).map(|(_, factor)| factor).product();
        parameter.values(random).into_iter().flat_map(|value| (value * factor).to_le_bytes()).collect()
    }
}

fn linear(parameters: &mut Vec<Parameter>, module: &str, rows: usize, columns: usize) {
    parameters.push(Parameter::new(format!("{module}.weight"), &[rows, columns]));
    parameters.push(Parameter::new(format!("{module}.bias"), &[rows]));
}

fn layer_norm(parameters: &mut Vec<Parameter>, module: &str) {
    parameters.push(Parameter::norm(format!("{module}.weight"), HIDDEN));
    parameters.push(Parameter::new(format!("{module}.bias"), &[HIDDEN]));
}
