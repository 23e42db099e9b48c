//! Hugging Face folders, right ones and broken ones.

use crate::tiny::{self, bert};
use std::path::Path;
use taproot::models::{Checkpoint, ModelConfig};
use tempfile::TempDir;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    bert::write(folder.path());
    folder
}

fn message(path: &Path) -> String {
    Checkpoint::open(path).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn a_sentence_encoder_is_read_whole() {
    let folder = folder();
    let checkpoint = Checkpoint::open(folder.path()).unwrap();
    assert_eq!(checkpoint.architecture, "BertModel");
    let ModelConfig::Bert(config) = &checkpoint.config else { panic!("not a BERT") };
    assert!(config.head.is_some_and(|head| head.normalize));
    assert_eq!(checkpoint.weights.names().len(), bert::parameters().len());
    assert_eq!(checkpoint.weights.read("pooler.dense.weight").unwrap().shape(), [32, 32]);
}

#[test]
fn weights_in_several_files_and_under_a_prefix_are_found() {
    let folder = folder();
    std::fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    let mut parameters = bert::parameters();
    parameters.iter_mut().for_each(|parameter| parameter.name.insert_str(0, "bert."));
    let second = parameters.split_off(10);
    let mut map = serde_json::Map::new();
    for (file, parameters) in [("part-1.safetensors", &parameters), ("part-2.safetensors", &second)] {
        tiny::write_safetensors(&folder.path().join(file), parameters, &mut tiny::Random(4));
        map.extend(parameters.iter().map(|parameter| (parameter.name.clone(), file.into())));
    }
    let index = folder.path().join("model.safetensors.index.json");
    std::fs::write(&index, serde_json::json!({"weight_map": map}).to_string()).unwrap();
    let checkpoint = Checkpoint::open(folder.path()).unwrap();
    assert_eq!(checkpoint.weights.read("encoder.layer.1.output.dense.bias").unwrap().shape(), [32]);

    std::fs::write(&index, r#"{"weight_map": {"a": "../elsewhere.safetensors"}}"#).unwrap();
    assert!(message(folder.path()).contains("'../elsewhere.safetensors' must stay inside"));
}

#[test]
fn what_is_no_model_says_what_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    assert!(message(folder.path()).contains("no config.json"));
    let file = folder.path().join("model.onnx");
    std::fs::write(&file, "onnx").unwrap();
    assert!(message(&file).contains("ends in .gguf, is needed"));
    assert!(message(&folder.path().join("nowhere")).contains("there is nothing at this path"));
}

#[test]
fn broken_folders_name_the_file_and_the_place() {
    let folder = folder();
    let weights = folder.path().join("model.safetensors");
    let whole = std::fs::read(&weights).unwrap();
    let with_weights = |bytes: &[u8]| {
        std::fs::write(&weights, bytes).unwrap();
        message(folder.path())
    };
    let truncated = with_weights(&whole[..whole.len() - 100]);
    assert!(truncated.contains("past the end of the file") && truncated.contains("truncated"), "{truncated}");
    assert!(with_weights(&whole[..5]).contains("ends at byte 5"));
    let huge = [&u64::MAX.to_le_bytes()[..], &whole[8..]].concat();
    assert!(with_weights(&huge).contains("header is said to have 18446744073709551615 bytes"));
    let mut garbled = whole.clone();
    garbled[8] = b'[';
    assert!(with_weights(&garbled).contains("header is broken"));
    std::fs::write(&weights, &whole).unwrap();

    bert::write_config(folder.path(), &serde_json::json!({"model_type": "roberta"}));
    assert!(message(folder.path()).contains("'model_type' is \"roberta\"; supported: \"bert\", \"llama\""));
    bert::write_config(folder.path(), &serde_json::json!({"hidden_act": "mish"}));
    assert!(message(folder.path()).contains("'hidden_act' is \"mish\"; supported: silu"));
    std::fs::write(folder.path().join("config.json"), "{").unwrap();
    assert!(message(folder.path()).contains("config.json is not valid"));

    bert::write_config(folder.path(), &serde_json::json!({}));
    let pooling = serde_json::json!({"pooling_mode_max_tokens": true}).to_string();
    std::fs::write(folder.path().join("1_Pooling/config.json"), pooling).unwrap();
    assert!(message(folder.path()).contains("'pooling_mode_max_tokens' is true; supported: false, null"));
}
