//! A Llama of two layers with grouped heads, as a Hugging Face folder and as a GGUF file with quantised weights.

use super::gguf::{GgufBuilder, Value};
use super::{Parameter, Random, write_safetensors_in, write_tokenizer};
use std::path::Path;
use taproot_engine::tensor::{DType, quantize_q4_1};

pub(crate) const HIDDEN: usize = 64;
pub(crate) const HEADS: usize = 4;
pub(crate) const KV_HEADS: usize = 2;
pub(crate) const HEAD_DIM: usize = 16;
const INTERMEDIATE: usize = 96;

/// Writes config.json, model.safetensors and tokenizer.json of a model with its own head (not tied), Qwen2's biases and
/// Qwen3's norms where `model_type` asks for them.
pub(crate) fn write(folder: &Path, model_type: &str) {
    write_in(DType::F32, folder, model_type);
}

/// The same with weights in f32, f16 or bf16.
pub(crate) fn write_in(dtype: DType, folder: &Path, model_type: &str) {
    let config = serde_json::json!({
        "architectures": ["LlamaForCausalLM"], "model_type": model_type, "vocab_size": 12, "hidden_size": HIDDEN,
        "num_hidden_layers": 2, "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS, "head_dim": HEAD_DIM,
        "intermediate_size": INTERMEDIATE, "hidden_act": "silu", "max_position_embeddings": 32,
        "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "tie_word_embeddings": false,
    });
    std::fs::write(folder.join("config.json"), config.to_string()).unwrap();
    write_safetensors_in(dtype, &folder.join("model.safetensors"), &parameters(12, model_type), &mut Random(2));
    write_tokenizer(&folder.join("tokenizer.json"), false);
}

/// Every parameter under PyTorch's names.
fn parameters(vocab: usize, model_type: &str) -> Vec<Parameter> {
    let mut parameters = vec![
        Parameter::new("model.embed_tokens.weight", &[vocab, HIDDEN]),
        Parameter::norm("model.norm.weight", HIDDEN),
        Parameter::new("lm_head.weight", &[vocab, HIDDEN]),
    ];
    for layer in 0..2 {
        for (module, rows, columns) in linears() {
            let name = format!("model.layers.{layer}.{module}");
            parameters.push(Parameter::new(format!("{name}.weight"), &[rows, columns]));
            let biased = ["q_proj", "k_proj", "v_proj"].iter().any(|projection| module.ends_with(projection));
            if model_type == "qwen2" && biased {
                parameters.push(Parameter::new(format!("{name}.bias"), &[rows]));
            }
        }
        for module in ["input_layernorm", "post_attention_layernorm"] {
            parameters.push(Parameter::norm(format!("model.layers.{layer}.{module}.weight"), HIDDEN));
        }
        if model_type == "qwen3" {
            for module in ["self_attn.q_norm", "self_attn.k_norm"] {
                parameters.push(Parameter::norm(format!("model.layers.{layer}.{module}.weight"), HEAD_DIM));
            }
        }
    }
    parameters
}

fn linears() -> [(&'static str, usize, usize); 7] {
    [
        ("self_attn.q_proj", HEADS * HEAD_DIM, HIDDEN),
        ("self_attn.k_proj", KV_HEADS * HEAD_DIM, HIDDEN),
        ("self_attn.v_proj", KV_HEADS * HEAD_DIM, HIDDEN),
        ("self_attn.o_proj", HIDDEN, HEADS * HEAD_DIM),
        ("mlp.gate_proj", INTERMEDIATE, HIDDEN),
        ("mlp.up_proj", INTERMEDIATE, HIDDEN),
        ("mlp.down_proj", HIDDEN, INTERMEDIATE),
    ]
}

/// A GGUF file with Q4_1 weights, a token table that is also the head, and a tokenizer.
pub(crate) fn gguf() -> GgufBuilder {
    let mut random = Random(3);
    let mut file = tokenizer();
    let vocab = super::gguf::VOCAB.len();
    file.set("general.architecture", Value::Text("llama".to_owned()));
    file.set("llama.block_count", Value::U32(2));
    file.set("llama.context_length", Value::U32(32));
    file.set("llama.embedding_length", Value::U32(HIDDEN as u32));
    file.set("llama.feed_forward_length", Value::U32(INTERMEDIATE as u32));
    file.set("llama.attention.head_count", Value::U32(HEADS as u32));
    file.set("llama.attention.head_count_kv", Value::U32(KV_HEADS as u32));
    file.set("llama.rope.freq_base", Value::F32(10_000.0));
    file.set("llama.attention.layer_norm_rms_epsilon", Value::F32(1e-5));
    file.tensor_f32("token_embd.weight", &[vocab, HIDDEN], &random.values(vocab * HIDDEN));
    file.tensor_f32("output_norm.weight", &[HIDDEN], &Parameter::norm("", HIDDEN).values(&mut random));
    let names = ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"];
    for layer in 0..2 {
        for (name, (_, rows, columns)) in names.iter().zip(linears()) {
            let blocks = quantize_q4_1(&random.values(rows * columns));
            file.tensor(&format!("blk.{layer}.{name}.weight"), &[rows, columns], 3, blocks);
        }
        for name in ["attn_norm", "ffn_norm"] {
            let values = Parameter::norm("", HIDDEN).values(&mut random);
            file.tensor_f32(&format!("blk.{layer}.{name}.weight"), &[HIDDEN], &values);
        }
    }
    file
}

/// Only the metadata of a tokenizer.
pub(crate) fn tokenizer() -> GgufBuilder {
    let mut file = GgufBuilder::default();
    let strings = |list: &[&str]| Value::Texts(list.iter().map(|&text| text.to_owned()).collect());
    file.set("tokenizer.ggml.model", Value::Text("gpt2".to_owned()));
    file.set("tokenizer.ggml.pre", Value::Text("smollm".to_owned()));
    file.set("tokenizer.ggml.tokens", strings(&super::gguf::VOCAB));
    file.set("tokenizer.ggml.merges", strings(&super::gguf::MERGES));
    file.set("tokenizer.ggml.token_type", Value::I32s(super::gguf::token_types()));
    file.set("tokenizer.ggml.bos_token_id", Value::U32(0));
    file.set("tokenizer.ggml.eos_token_id", Value::U32(1));
    file
}
