//! `BertModel`, and the sentence head that sentence-transformers puts on it.

use super::{Activation, ConfigError, Keys};
use serde_json::json;

/// What shapes the graph of a BERT encoder.
#[derive(Clone, Debug, PartialEq)]
pub struct BertConfig {
    /// Rows of the word table.
    pub vocab_size: usize,
    /// Width of the hidden state.
    pub hidden_size: usize,
    /// Encoder layers.
    pub num_hidden_layers: usize,
    /// Heads.
    pub num_attention_heads: usize,
    /// Width of the feed-forward network.
    pub intermediate_size: usize,
    /// Its activation.
    pub hidden_act: Activation,
    /// Rows of the position table: the longest sequence.
    pub max_position_embeddings: usize,
    /// Rows of the token type table.
    pub type_vocab_size: usize,
    /// Epsilon of every layer norm.
    pub layer_norm_eps: f64,
    /// What follows the encoder.
    pub head: Option<SentenceHead>,
}

/// sentence-transformers' modules after the encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentenceHead {
    /// How token embeddings become one.
    pub pooling: Pooling,
    /// Whether the result is divided by its length.
    pub normalize: bool,
}

/// How token embeddings become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// Mean over the tokens that the mask lets through.
    Mean,
    /// The first token's.
    Cls,
}

impl BertConfig {
    /// Reads `config.json`.
    ///
    /// # Errors
    /// When a key is missing, or asks for something that the builder does not know.
    pub fn read(keys: &Keys<'_>) -> Result<Self, ConfigError> {
        keys.only("model_type", &[json!("bert")])?;
        keys.only("position_embedding_type", &[json!("absolute"), json!(null)])?;
        keys.only("is_decoder", &[json!(false), json!(null)])?;
        keys.only("add_cross_attention", &[json!(false), json!(null)])?;
        keys.only("quantization_config", &[json!(null)])?;
        let config = BertConfig {
            vocab_size: keys.size("vocab_size")?,
            hidden_size: keys.size("hidden_size")?,
            num_hidden_layers: keys.size("num_hidden_layers")?,
            num_attention_heads: keys.size("num_attention_heads")?,
            intermediate_size: keys.size("intermediate_size")?,
            hidden_act: Activation::read(keys, "hidden_act")?,
            max_position_embeddings: keys.size("max_position_embeddings")?,
            type_vocab_size: keys.size("type_vocab_size")?,
            layer_norm_eps: keys.opt_float("layer_norm_eps")?.unwrap_or(1e-12),
            head: None,
        };
        if !config.hidden_size.is_multiple_of(config.num_attention_heads) {
            let supported = format!("divisors of hidden_size, {}", config.hidden_size);
            return Err(keys.unsupported("num_attention_heads", &supported));
        }
        Ok(config)
    }

    /// Width of a head.
    pub fn head_dim(&self) -> usize {
        self.hidden_size / self.num_attention_heads
    }
}

impl Pooling {
    /// Reads `1_Pooling/config.json`.
    ///
    /// # Errors
    /// When it asks for another pooling than the mean or the first token.
    pub fn read(keys: &Keys<'_>) -> Result<Self, ConfigError> {
        // sentence-transformers 5.2 and later write the mode as one key.
        let chosen = match keys.opt_text("pooling_mode")? {
            Some("mean") => Some(Pooling::Mean),
            Some("cls") => Some(Pooling::Cls),
            Some(_) => return Err(keys.unsupported("pooling_mode", "\"mean\", \"cls\"")),
            None => None,
        };
        for key in ["max_tokens", "mean_sqrt_len_tokens", "weightedmean_tokens", "lasttoken"] {
            keys.only(&format!("pooling_mode_{key}"), &[json!(false), json!(null)])?;
        }
        if let Some(chosen) = chosen {
            return Ok(chosen);
        }
        match (keys.bool("pooling_mode_mean_tokens", false)?, keys.bool("pooling_mode_cls_token", false)?) {
            (true, false) => Ok(Pooling::Mean),
            (false, true) => Ok(Pooling::Cls),
            (true, true) => Err(keys.unsupported("pooling_mode_cls_token", "false beside pooling_mode_mean_tokens")),
            (false, false) => Err(keys.unsupported("pooling_mode_mean_tokens", "true, or pooling_mode_cls_token true")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, Value};

    fn config(change: impl Fn(&mut Map<String, Value>)) -> Result<BertConfig, ConfigError> {
        let mut object = Map::new();
        for (key, value) in [
            ("model_type", json!("bert")),
            ("vocab_size", json!(100)),
            ("hidden_size", json!(16)),
            ("num_hidden_layers", json!(2)),
            ("num_attention_heads", json!(4)),
            ("intermediate_size", json!(32)),
            ("hidden_act", json!("gelu")),
            ("max_position_embeddings", json!(64)),
            ("type_vocab_size", json!(2)),
        ] {
            object.insert(key.to_owned(), value);
        }
        change(&mut object);
        BertConfig::read(&Keys::new("config.json", &object))
    }

    #[test]
    fn a_plain_bert_is_read() {
        let config = config(|_| {}).map(|config| (config.head_dim(), config.layer_norm_eps));
        assert_eq!(config, Ok((4, 1e-12)));
    }

    #[test]
    fn what_is_not_supported_is_named_with_its_value() {
        let cases: [(&str, Value, &str); 4] = [
            ("hidden_act", json!("mish"), "'hidden_act' is \"mish\"; supported: silu"),
            ("position_embedding_type", json!("relative_key"), "supported: \"absolute\", null"),
            ("model_type", json!("roberta"), "'model_type' is \"roberta\"; supported: \"bert\""),
            ("num_attention_heads", json!(3), "'num_attention_heads' is 3; supported: divisors of hidden_size, 16"),
        ];
        for (key, value, expected) in cases {
            let error = config(|object| {
                object.insert(key.to_owned(), value.clone());
            });
            let message = error.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(message.contains(expected), "{message}");
        }
        let missing = config(|object| {
            object.remove("vocab_size");
        });
        let message = missing.err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(message, "config.json: 'vocab_size' is missing; an integer is needed");
    }
}
