//! A GGUF file's metadata as a configuration of the Llama family.

use super::names::Rotary;
use super::{GgufFile, Metadata};
use crate::builders::{Activation, LlamaConfig, Rope, RopeScaling};
use crate::models::ModelError;

/// Architectures of the family, and whether the converter has reordered their q and k rows.
const ARCHITECTURES: [(&str, bool); 3] = [("llama", true), ("qwen2", false), ("qwen3", false)];

/// The configuration of a file, and how its q and k rows are reordered.
///
/// # Errors
/// When the architecture is not of the family, or a key is missing or asks for something that the builder does not know.
pub fn read(file: &GgufFile) -> Result<(LlamaConfig, Option<Rotary>), ModelError> {
    let metadata = file.metadata();
    let architecture = metadata.text("general.architecture")?;
    let known = ARCHITECTURES.iter().find(|(name, _)| *name == architecture);
    let reordered = known.map(|(_, reordered)| *reordered).ok_or_else(|| {
        let names = ARCHITECTURES.map(|(name, _)| name).join(", ");
        metadata.error("general.architecture", format!("is '{architecture}'; supported: {names}"))
    })?;
    let keys = Keys { metadata, architecture };
    let hidden_size = keys.size("embedding_length")?;
    let num_attention_heads = keys.size("attention.head_count")?;
    let head_dim = keys.opt_size("attention.key_length")?.unwrap_or(hidden_size / num_attention_heads);
    let has = |name: &str| file.tensors().contains_key(name);
    let config = LlamaConfig {
        vocab_size: vocab_size(file)?,
        hidden_size,
        num_hidden_layers: keys.size("block_count")?,
        num_attention_heads,
        num_key_value_heads: keys.opt_size("attention.head_count_kv")?.unwrap_or(num_attention_heads),
        head_dim,
        intermediate_size: keys.size("feed_forward_length")?,
        hidden_act: Activation::Silu,
        max_position_embeddings: keys.size("context_length")?,
        rms_norm_eps: keys.rms_norm_eps()?,
        rope: keys.rope(file)?,
        qkv_bias: has("blk.0.attn_q.bias"),
        output_bias: has("blk.0.attn_output.bias"),
        mlp_bias: has("blk.0.ffn_up.bias"),
        qk_norm: has("blk.0.attn_q_norm.weight"),
        tie_word_embeddings: !has("output.weight"),
        sliding_window: keys.opt_size("attention.sliding_window")?,
    };
    keys.check(&config)?;
    let rotary = Rotary { heads: config.num_attention_heads, kv_heads: config.num_key_value_heads };
    Ok((config, reordered.then_some(rotary)))
}

/// The token table decides: `vocab_size` is not in every file.
fn vocab_size(file: &GgufFile) -> Result<usize, ModelError> {
    let table = file.tensors().get("token_embd.weight").and_then(|info| info.shape.first().copied());
    table.ok_or_else(|| file.tensor_error("token_embd.weight", "is missing"))
}

/// Keys below the architecture's name.
struct Keys<'a> {
    metadata: &'a Metadata,
    architecture: &'a str,
}

impl Keys<'_> {
    fn name(&self, key: &str) -> String {
        format!("{}.{key}", self.architecture)
    }

    fn error(&self, key: &str, rule: impl std::fmt::Display) -> ModelError {
        self.metadata.error(&self.name(key), rule)
    }

    fn opt_size(&self, key: &str) -> Result<Option<usize>, ModelError> {
        match self.metadata.opt_usize(&self.name(key))? {
            Some(0) => Err(self.error(key, "must be at least 1")),
            // 2³² bounds every size of every model, and keeps products of two in range.
            Some(size) if size as u64 > 1 << 32 => Err(self.error(key, "is larger than any model's")),
            size => Ok(size),
        }
    }

    fn size(&self, key: &str) -> Result<usize, ModelError> {
        self.opt_size(key)?.ok_or_else(|| self.error(key, "is missing; an integer is needed"))
    }

    /// Stored as f32; the shortest decimal that rounds to it is what the configuration said (1e-5, not 9.999999747e-6).
    fn rms_norm_eps(&self) -> Result<f64, ModelError> {
        let key = "attention.layer_norm_rms_epsilon";
        let stored = self.metadata.opt_float(&self.name(key))?;
        let stored = stored.ok_or_else(|| self.error(key, "is missing; a float is needed"))?;
        Ok((stored as f32).to_string().parse().unwrap_or(stored))
    }

    fn rope(&self, file: &GgufFile) -> Result<Rope, ModelError> {
        let theta = self.metadata.opt_float(&self.name("rope.freq_base"))?.unwrap_or(10_000.0);
        let kind = "rope.scaling.type";
        let scaling = match self.metadata.opt_text(&self.name(kind))? {
            None | Some("none") => RopeScaling::None,
            Some("linear") => {
                let key = "rope.scaling.factor";
                let factor = self.metadata.opt_float(&self.name(key))?;
                RopeScaling::Linear { factor: factor.ok_or_else(|| self.error(key, "is missing; a float is needed"))? }
            }
            Some(other) => return Err(self.error(kind, format!("is '{other}'; supported: none, linear"))),
        };
        let factors = "rope_freqs.weight";
        if !file.tensors().contains_key(factors) {
            return Ok(Rope { theta, scaling });
        }
        if scaling != RopeScaling::None {
            return Err(self.error(kind, format!("cannot be given together with the tensor '{factors}'")));
        }
        Ok(Rope { theta, scaling: RopeScaling::Factors(file.read(factors)?.to_f32()) })
    }

    fn check(&self, config: &LlamaConfig) -> Result<(), ModelError> {
        let (heads, kv_heads) = (config.num_attention_heads, config.num_key_value_heads);
        if heads % kv_heads != 0 {
            return Err(self.error("attention.head_count_kv", format!("is {kv_heads}; supported: divisors of {heads}")));
        }
        if !LlamaConfig::HEAD_DIMS.contains(&config.head_dim) || !config.head_dim.is_multiple_of(2) {
            let rule = format!("is {}; supported: even numbers from 2 to 65536", config.head_dim);
            return Err(self.error("attention.key_length", rule));
        }
        for key in ["rope.dimension_count", "attention.value_length"] {
            let size = self.opt_size(key)?.unwrap_or(config.head_dim);
            if size != config.head_dim {
                return Err(self.error(key, format!("is {size}; supported: the width of a head, {}", config.head_dim)));
            }
        }
        match self.metadata.opt_usize(&self.name("expert_count"))? {
            None | Some(0) => Ok(()),
            Some(count) => Err(self.error("expert_count", format!("is {count}; supported: 0"))),
        }
    }
}
