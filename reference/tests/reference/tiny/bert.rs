//! A BERT of two layers with a sentence head.

use super::{Parameter, Random, write_safetensors, write_tokenizer};
use std::path::Path;

const HIDDEN: usize = 32;
const INTERMEDIATE: usize = 48;
const VOCAB: usize = 12;

/// Writes config.json, modules.json, model.safetensors and tokenizer.json.
pub(crate) fn write(folder: &Path) {
    write_config(folder, &serde_json::json!({}));
    std::fs::write(
        folder.join("modules.json"),
        serde_json::json!([
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
        ])
        .to_string(),
    )
    .unwrap();
    std::fs::create_dir_all(folder.join("1_Pooling")).unwrap();
    let pooling = serde_json::json!({"word_embedding_dimension": HIDDEN, "pooling_mode_mean_tokens": true});
    std::fs::write(folder.join("1_Pooling/config.json"), pooling.to_string()).unwrap();
    write_safetensors(&folder.join("model.safetensors"), &parameters(), &mut Random(1));
    write_tokenizer(&folder.join("tokenizer.json"), true);
}

/// Writes config.json with some keys changed; null takes a key out.
pub(crate) fn write_config(folder: &Path, changes: &serde_json::Value) {
    let mut config = serde_json::json!({
        "architectures": ["BertModel"], "model_type": "bert", "vocab_size": VOCAB, "hidden_size": HIDDEN,
        "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": INTERMEDIATE, "hidden_act": "gelu",
        "max_position_embeddings": 24, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
    });
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    std::fs::write(folder.join("config.json"), config.to_string()).unwrap();
}

/// Every parameter of the model.
pub(crate) fn parameters() -> Vec<Parameter> {
    let mut parameters = vec![
        Parameter::new("embeddings.word_embeddings.weight", &[VOCAB, HIDDEN]),
        Parameter::new("embeddings.position_embeddings.weight", &[24, HIDDEN]),
        Parameter::new("embeddings.token_type_embeddings.weight", &[2, HIDDEN]),
        Parameter::new("pooler.dense.weight", &[HIDDEN, HIDDEN]),
        Parameter::new("pooler.dense.bias", &[HIDDEN]),
    ];
    let norm = |parameters: &mut Vec<Parameter>, module: &str| {
        parameters.push(Parameter::norm(format!("{module}.weight"), HIDDEN));
        parameters.push(Parameter::new(format!("{module}.bias"), &[HIDDEN]));
    };
    norm(&mut parameters, "embeddings.LayerNorm");
    for layer in 0..2 {
        let path = format!("encoder.layer.{layer}");
        let linears = [
            ("attention.self.query", HIDDEN, HIDDEN),
            ("attention.self.key", HIDDEN, HIDDEN),
            ("attention.self.value", HIDDEN, HIDDEN),
            ("attention.output.dense", HIDDEN, HIDDEN),
            ("intermediate.dense", INTERMEDIATE, HIDDEN),
            ("output.dense", HIDDEN, INTERMEDIATE),
        ];
        for (module, rows, columns) in linears {
            parameters.push(Parameter::new(format!("{path}.{module}.weight"), &[rows, columns]));
            parameters.push(Parameter::new(format!("{path}.{module}.bias"), &[rows]));
        }
        norm(&mut parameters, &format!("{path}.attention.output.LayerNorm"));
        norm(&mut parameters, &format!("{path}.output.LayerNorm"));
    }
    parameters
}
