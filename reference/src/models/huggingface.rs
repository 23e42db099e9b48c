//! A Hugging Face folder: `config.json`, `model.safetensors` (or several with an index), `tokenizer.json`.

use super::{Checkpoint, ModelConfig, ModelError, Renamed, SafetensorsWeights, Weights};
use crate::builders::{BertConfig, Keys, LlamaConfig, Parameters as _, Pooling, SentenceHead};
use crate::tokenizer::PromptTokenizer;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use taproot_engine::trace::validate::check_path;

/// Opens a folder.
///
/// # Errors
/// When a file is missing or broken, or the configuration is not supported.
pub(super) fn open(folder: &Path) -> Result<Checkpoint, ModelError> {
    if !folder.join("config.json").is_file() {
        let reason = "the folder has no config.json; give the folder that holds it, or a .gguf file".to_owned();
        return Err(ModelError::NotAModel { path: folder.to_owned(), reason });
    }
    let raw_config = read_object(&folder.join("config.json"))?;
    let weights = SafetensorsWeights::open(&weight_files(folder)?)?;
    let config = read_config(folder, &raw_config)?;
    let longest = match &config {
        ModelConfig::Bert(_) => sentence_length(folder)?,
        ModelConfig::Llama(_) => None,
    };
    Ok(Checkpoint {
        name: folder_name(folder),
        architecture: architecture(&raw_config),
        weights: base_model(weights, &config),
        tokenizer: PromptTokenizer::from_file(&folder.join("tokenizer.json"), longest)?
            .with_ends(end_tokens(folder, &raw_config)?),
        raw_config: Value::Object(raw_config),
        config,
    })
}

fn read_config(folder: &Path, raw: &Map<String, Value>) -> Result<ModelConfig, ModelError> {
    let keys = Keys::new("config.json", raw);
    match keys.text("model_type")? {
        "bert" => {
            let config = BertConfig::read(&keys)?;
            Ok(ModelConfig::Bert(BertConfig { head: sentence_head(folder)?, ..config }))
        }
        model_type if LlamaConfig::knows(model_type) => Ok(ModelConfig::Llama(LlamaConfig::read(&keys)?)),
        _ => Err(keys.unsupported("model_type", "\"bert\", \"llama\", \"mistral\", \"qwen2\", \"qwen3\"").into()),
    }
}

/// `modules.json` of sentence-transformers: a Transformer, then Pooling, then perhaps Normalize.
fn sentence_head(folder: &Path) -> Result<Option<SentenceHead>, ModelError> {
    let path = folder.join("modules.json");
    if !path.is_file() {
        return Ok(None);
    }
    let modules = match read_json(&path)? {
        Value::Array(modules) => modules,
        _ => return Err(ModelError::Json { path, reason: "a list of modules is needed".to_owned() }),
    };
    let (mut pooling, mut normalize) = (None, false);
    for module in &modules {
        let object = module.as_object();
        let object =
            object.ok_or_else(|| ModelError::Json { path: path.clone(), reason: format!("{module} is no module") })?;
        let keys = Keys::new("modules.json", object);
        // sentence-transformers 5.2 moved the classes; the last part of the path stayed.
        match keys.text("type")?.rsplit('.').next() {
            Some("Transformer") => {}
            Some("Pooling") if pooling.is_none() => pooling = Some(read_pooling(folder, keys.text("path")?)?),
            Some("Normalize") if pooling.is_some() => normalize = true,
            _ => return Err(keys.unsupported("type", "Transformer, then Pooling, then perhaps Normalize").into()),
        }
    }
    Ok(pooling.map(|pooling| SentenceHead { pooling, normalize }))
}

fn read_pooling(folder: &Path, module: &str) -> Result<Pooling, ModelError> {
    check_path(module).map_err(|rule| ModelError::Json {
        path: folder.join("modules.json"),
        reason: format!("the path '{module}' {rule}"),
    })?;
    let object = read_object(&folder.join(module).join("config.json"))?;
    Ok(Pooling::read(&Keys::new(&format!("{module}/config.json"), &object))?)
}

/// The longest sequence that sentence-transformers feeds the model.
fn sentence_length(folder: &Path) -> Result<Option<usize>, ModelError> {
    let path = folder.join("sentence_bert_config.json");
    if !path.is_file() {
        return Ok(None);
    }
    let object = read_object(&path)?;
    Ok(Keys::new("sentence_bert_config.json", &object).opt_usize("max_seq_length")?)
}

/// `model.safetensors`, or the files that `model.safetensors.index.json` names.
fn weight_files(folder: &Path) -> Result<Vec<PathBuf>, ModelError> {
    let single = folder.join("model.safetensors");
    let index = folder.join("model.safetensors.index.json");
    if single.is_file() {
        return Ok(vec![single]);
    }
    if !index.is_file() {
        let reason = "the folder has neither model.safetensors nor model.safetensors.index.json; convert the weights \
                      to safetensors"
            .to_owned();
        return Err(ModelError::NotAModel { path: folder.to_owned(), reason });
    }
    let object = read_object(&index)?;
    let error = |reason: String| ModelError::Json { path: index.clone(), reason };
    let map = object.get("weight_map").and_then(Value::as_object);
    let map = map.ok_or_else(|| error("'weight_map' is missing; an object is needed".to_owned()))?;
    let mut files = Vec::new();
    for file in map.values() {
        let name = file.as_str().ok_or_else(|| error(format!("{file} is no file name")))?;
        check_path(name).map_err(|rule| error(format!("the file name '{name}' {rule}")))?;
        files.push(folder.join(name));
    }
    files.sort();
    files.dedup();
    Ok(files)
}

/// Checkpoints of a model with a task's head hold the base model under a prefix, which transformers takes off too.
fn base_model(weights: SafetensorsWeights, config: &ModelConfig) -> Box<dyn Weights> {
    match config {
        ModelConfig::Bert(_) if weights.meta("bert.embeddings.word_embeddings.weight").is_some() => {
            Box::new(Renamed::new(weights, "bert."))
        }
        _ => Box::new(weights),
    }
}

/// `eos_token_id`, an id or a list of them: of the generation's configuration where it has one.
fn end_tokens(folder: &Path, config: &Map<String, Value>) -> Result<Vec<i64>, ModelError> {
    let path = folder.join("generation_config.json");
    let generation = if path.is_file() { read_object(&path)? } else { Map::new() };
    let ends = match generation.get("eos_token_id").or_else(|| config.get("eos_token_id")) {
        Some(Value::Array(ids)) => ids.iter().filter_map(Value::as_i64).collect(),
        Some(id) => id.as_i64().into_iter().collect(),
        None => Vec::new(),
    };
    Ok(ends)
}

fn architecture(config: &Map<String, Value>) -> String {
    let first = config.get("architectures").and_then(|list| list.get(0)).and_then(Value::as_str);
    first.or_else(|| config.get("model_type").and_then(Value::as_str)).unwrap_or("unknown").to_owned()
}

/// The folder's name as given, or its own where that says nothing (`.`).
fn folder_name(folder: &Path) -> String {
    let resolved = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = folder.file_name().or_else(|| resolved.file_name());
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn read_object(path: &Path) -> Result<Map<String, Value>, ModelError> {
    match read_json(path)? {
        Value::Object(object) => Ok(object),
        _ => Err(ModelError::Json { path: path.to_owned(), reason: "an object is needed".to_owned() }),
    }
}

fn read_json(path: &Path) -> Result<Value, ModelError> {
    let bytes = std::fs::read(path).map_err(|error| super::FileError::Io { path: path.to_owned(), error })?;
    serde_json::from_slice(&bytes)
        .map_err(|error| ModelError::Json { path: path.to_owned(), reason: error.to_string() })
}
