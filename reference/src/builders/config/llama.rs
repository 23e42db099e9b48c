//! The Llama family: `LlamaForCausalLM`, `MistralForCausalLM`, `Qwen2ForCausalLM`, `Qwen3ForCausalLM`.

use super::{Activation, ConfigError, Keys, Rope};
use serde_json::json;

/// What shapes the graph of a decoder of the Llama family.
#[derive(Clone, Debug, PartialEq)]
pub struct LlamaConfig {
    /// Rows of the token table.
    pub vocab_size: usize,
    /// Width of the hidden state.
    pub hidden_size: usize,
    /// Decoder layers.
    pub num_hidden_layers: usize,
    /// Heads of q.
    pub num_attention_heads: usize,
    /// Heads of k and v.
    pub num_key_value_heads: usize,
    /// Width of a head.
    pub head_dim: usize,
    /// Width of the feed-forward network.
    pub intermediate_size: usize,
    /// Its activation.
    pub hidden_act: Activation,
    /// The longest sequence.
    pub max_position_embeddings: usize,
    /// Epsilon of every RMS norm.
    pub rms_norm_eps: f64,
    /// Rotary position embeddings.
    pub rope: Rope,
    /// Whether q, k and v have a bias.
    pub qkv_bias: bool,
    /// Whether the attention's output projection has a bias.
    pub output_bias: bool,
    /// Whether the feed-forward network has biases.
    pub mlp_bias: bool,
    /// Whether q and k are normalised per head (Qwen3).
    pub qk_norm: bool,
    /// Whether lm_head is the token table.
    pub tie_word_embeddings: bool,
    /// Tokens that attention looks back, where that is limited: sequences up to this length are not affected.
    pub sliding_window: Option<usize>,
}

const MODEL_TYPES: [&str; 4] = ["llama", "mistral", "qwen2", "qwen3"];

impl LlamaConfig {
    /// Widths of a head that are taken for one: tables of frequencies are made before any weight has confirmed them.
    pub const HEAD_DIMS: std::ops::RangeInclusive<usize> = 2..=65_536;

    /// Whether `model_type` is one of the family.
    pub fn knows(model_type: &str) -> bool {
        MODEL_TYPES.contains(&model_type)
    }

    /// Reads `config.json`.
    ///
    /// # Errors
    /// When a key is missing, or asks for something that the builder does not know.
    pub fn read(keys: &Keys<'_>) -> Result<Self, ConfigError> {
        let model_type = keys.text("model_type")?;
        keys.only("model_type", &MODEL_TYPES.map(|name| json!(name)))?;
        keys.only("quantization_config", &[json!(null)])?;
        keys.only("partial_rotary_factor", &[json!(1.0), json!(null)])?;
        let hidden_size = keys.size("hidden_size")?;
        let num_attention_heads = keys.size("num_attention_heads")?;
        let attention_bias = keys.bool("attention_bias", false)?;
        let default_theta = if model_type == "qwen3" { 1_000_000.0 } else { 10_000.0 };
        let config = LlamaConfig {
            vocab_size: keys.size("vocab_size")?,
            hidden_size,
            num_hidden_layers: keys.size("num_hidden_layers")?,
            num_attention_heads,
            num_key_value_heads: keys.opt_usize("num_key_value_heads")?.unwrap_or(num_attention_heads),
            head_dim: keys.opt_usize("head_dim")?.unwrap_or(hidden_size / num_attention_heads),
            intermediate_size: keys.size("intermediate_size")?,
            hidden_act: Activation::read(keys, "hidden_act")?,
            max_position_embeddings: keys.size("max_position_embeddings")?,
            rms_norm_eps: keys.opt_float("rms_norm_eps")?.unwrap_or(1e-6),
            rope: Rope::read(keys, default_theta)?,
            // Qwen2's biases on q, k and v are not a matter of configuration.
            qkv_bias: model_type == "qwen2" || attention_bias,
            output_bias: model_type != "qwen2" && attention_bias,
            mlp_bias: keys.bool("mlp_bias", false)?,
            qk_norm: model_type == "qwen3",
            tie_word_embeddings: keys.bool("tie_word_embeddings", false)?,
            sliding_window: sliding_window(keys, model_type)?,
        };
        config.check(keys)?;
        Ok(config)
    }

    /// Checks what must fit together, naming `keys`.
    ///
    /// # Errors
    /// When heads do not divide, or a head cannot be rotated by halves.
    pub fn check(&self, keys: &Keys<'_>) -> Result<(), ConfigError> {
        let (heads, kv_heads) = (self.num_attention_heads, self.num_key_value_heads);
        if kv_heads == 0 || heads % kv_heads != 0 {
            return Err(keys.unsupported("num_key_value_heads", &format!("divisors of num_attention_heads, {heads}")));
        }
        if !Self::HEAD_DIMS.contains(&self.head_dim) || !self.head_dim.is_multiple_of(2) {
            return Err(keys.unsupported("head_dim", "even numbers from 2 to 65536"));
        }
        Ok(())
    }

    /// Checks a run of `tokens` tokens in all.
    ///
    /// # Errors
    /// When the run is longer than the model allows, or long enough that a sliding window would matter.
    pub fn check_length(&self, tokens: usize) -> Result<(), ConfigError> {
        let error = |key: &str, value: usize| ConfigError::Unsupported {
            source_name: "the configuration".to_owned(),
            key: key.to_owned(),
            value: value.to_string(),
            supported: format!("at least the {tokens} tokens of this run; give a shorter prompt or decode less"),
        };
        if tokens > self.max_position_embeddings {
            return Err(error("max_position_embeddings", self.max_position_embeddings));
        }
        match self.sliding_window {
            Some(window) if tokens > window => Err(error("sliding_window", window)),
            _ => Ok(()),
        }
    }
}

/// Mistral always slides where the key is given; Qwen2 and Qwen3 only with `use_sliding_window`.
fn sliding_window(keys: &Keys<'_>, model_type: &str) -> Result<Option<usize>, ConfigError> {
    let used = match model_type {
        "mistral" => true,
        "qwen2" | "qwen3" => keys.bool("use_sliding_window", false)?,
        _ => false,
    };
    if used { keys.opt_usize("sliding_window") } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::super::RopeScaling;
    use super::*;
    use serde_json::{Map, Value};

    fn config(changes: &[(&str, Value)]) -> Result<LlamaConfig, ConfigError> {
        let base = json!({
            "model_type": "llama", "vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 48, "hidden_act": "silu",
            "max_position_embeddings": 128, "rms_norm_eps": 1e-5,
        });
        let mut object: Map<String, Value> = base.as_object().cloned().unwrap_or_default();
        object.extend(changes.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        LlamaConfig::read(&Keys::new("config.json", &object))
    }

    #[test]
    fn the_family_differs_in_biases_and_norms() -> Result<(), ConfigError> {
        let llama = config(&[])?;
        assert_eq!((llama.head_dim, llama.qkv_bias, llama.qk_norm), (8, false, false));
        let qwen2 = config(&[
            ("model_type", json!("qwen2")),
            ("use_sliding_window", json!(false)),
            ("sliding_window", json!(4)),
        ])?;
        assert_eq!((qwen2.qkv_bias, qwen2.output_bias, qwen2.sliding_window), (true, false, None));
        let qwen3 = config(&[("model_type", json!("qwen3")), ("head_dim", json!(16))])?;
        assert_eq!((qwen3.head_dim, qwen3.qk_norm, qwen3.rope.theta), (16, true, 1_000_000.0));
        let mistral = config(&[("model_type", json!("mistral")), ("sliding_window", json!(16))])?;
        assert!(mistral.check_length(16).is_ok());
        let message = mistral.check_length(17).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(message.contains("'sliding_window' is 16; supported: at least the 17 tokens"), "{message}");
        Ok(())
    }

    #[test]
    fn rope_is_read_in_both_spellings() -> Result<(), ConfigError> {
        let old = config(&[("rope_theta", json!(5000.0)), ("rope_scaling", json!({"type": "linear", "factor": 4.0}))])?;
        assert_eq!(old.rope, Rope { theta: 5000.0, scaling: RopeScaling::Linear { factor: 4.0 } });
        let new = config(&[("rope_parameters", json!({"rope_theta": 5000.0, "rope_type": "default"}))])?;
        assert_eq!(new.rope, Rope { theta: 5000.0, scaling: RopeScaling::None });
        let error = config(&[("rope_scaling", json!({"rope_type": "yarn", "factor": 4.0}))]);
        let message = error.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(message.contains("'rope_scaling.rope_type' is \"yarn\"; supported: \"default\""), "{message}");
        Ok(())
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let cases: [(&str, Value, &str); 4] = [
            ("num_key_value_heads", json!(3), "'num_key_value_heads' is 3; supported: divisors"),
            ("head_dim", json!(7), "'head_dim' is 7; supported: even numbers from 2"),
            ("model_type", json!("gemma"), "'model_type' is \"gemma\"; supported: \"llama\""),
            ("partial_rotary_factor", json!(0.5), "'partial_rotary_factor' is 0.5; supported: 1.0, null"),
        ];
        for (key, value, expected) in cases {
            let message = config(&[(key, value)]).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(message.contains(expected), "{message}");
        }
    }
}
