//! A GGUF file's weights under the names, and in the order of rows, that PyTorch's modules have.

use super::{GgufFile, Storage};
use crate::builders::Parameters;
use crate::models::{ModelError, Weights};
use std::collections::BTreeMap;
use std::sync::Arc;
use taproot_engine::graph::Meta;
use taproot_engine::tensor::HostTensor;

/// The weights of a model of the Llama family.
#[derive(Debug)]
pub struct GgufWeights {
    file: Arc<GgufFile>,
    /// GGUF's name by PyTorch's.
    names: BTreeMap<String, String>,
    rotary: Option<Rotary>,
}

/// The rows of q and k that llama.cpp's converter has reordered.
///
/// For the architecture `llama` (Llama, Mistral) `convert_hf_to_gguf.py` reorders the rows of each head of q_proj and
/// k_proj, so that the pairs that rotate together are neighbours (`LlamaModel.permute`); transformers rotates row i with
/// row i + d/2. Other architectures keep the order (`LLAMA_ROPE_TYPE_NEOX`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rotary {
    /// Heads of q.
    pub heads: usize,
    /// Heads of k.
    pub kv_heads: usize,
}

impl GgufWeights {
    /// The weights of `file`; `rotary` where its q and k rows are reordered.
    pub fn new(file: Arc<GgufFile>, rotary: Option<Rotary>) -> Self {
        let names = file.tensors().keys().map(|name| (pytorch_name(name), name.clone())).collect();
        GgufWeights { file, names, rotary }
    }

    /// Heads by which the rows of a tensor are to be put back in PyTorch's order.
    fn reordered_heads(&self, name: &str) -> Option<usize> {
        let rotary = self.rotary?;
        let module = name.strip_suffix(".weight").or_else(|| name.strip_suffix(".bias"))?;
        if module.ends_with(".self_attn.q_proj") {
            Some(rotary.heads)
        } else if module.ends_with(".self_attn.k_proj") {
            Some(rotary.kv_heads)
        } else {
            None
        }
    }
}

impl Parameters for GgufWeights {
    fn meta(&self, name: &str) -> Option<Meta> {
        self.file.tensors().get(self.names.get(name)?).map(super::TensorInfo::meta)
    }
}

impl Weights for GgufWeights {
    fn names(&self) -> Vec<String> {
        self.names.keys().cloned().collect()
    }

    fn read(&self, name: &str) -> Result<HostTensor, ModelError> {
        let own = self.names.get(name).ok_or_else(|| self.file.tensor_error(name, "is missing"))?;
        let tensor = self.file.read(own)?;
        match self.reordered_heads(name) {
            Some(heads) => deinterleave_rows(&tensor, heads).ok_or_else(|| {
                self.file.tensor_error(own, format!("has rows that {heads} heads do not divide into pairs"))
            }),
            None => Ok(tensor),
        }
    }

    fn note(&self, name: &str) -> Option<String> {
        match self.file.tensors().get(self.names.get(name)?)?.storage {
            Storage::Packed(packed) => Some(format!("dequantised from {}", packed.name())),
            Storage::Plain(_) => None,
        }
    }
}

/// Puts each head's rows from pairs (0, d/2, 1, d/2 + 1, …) back to (0, 1, …). Rows are whole runs of bytes, quantised or
/// not, so nothing is rounded. `None` where the heads do not divide the rows evenly.
fn deinterleave_rows(tensor: &HostTensor, heads: usize) -> Option<HostTensor> {
    let rows = *tensor.shape().first()?;
    let width = rows.checked_div(heads).filter(|width| width % 2 == 0 && width * heads == rows && rows > 0)?;
    let row_bytes = tensor.bytes().len() / rows;
    let mut bytes = Vec::with_capacity(tensor.bytes().len());
    for row in 0..rows {
        let (head, at) = (row / width, row % width);
        let (half, pair) = (at / (width / 2), at % (width / 2));
        let from = head * width + 2 * pair + half;
        bytes.extend_from_slice(tensor.bytes().get(from * row_bytes..(from + 1) * row_bytes)?);
    }
    HostTensor::new(tensor.dtype(), tensor.shape(), bytes).ok()
}

/// `blk.3.attn_q.weight` → `model.layers.3.self_attn.q_proj.weight`; unknown names stay as they are.
fn pytorch_name(name: &str) -> String {
    let outer = match name {
        "token_embd.weight" => Some("model.embed_tokens.weight"),
        "output_norm.weight" => Some("model.norm.weight"),
        "output.weight" => Some("lm_head.weight"),
        _ => None,
    };
    if let Some(outer) = outer {
        return outer.to_owned();
    }
    let inner = || {
        let (layer, rest) = name.strip_prefix("blk.")?.split_once('.')?;
        let (module, parameter) = rest.rsplit_once('.')?;
        let module = match module {
            "attn_norm" => "input_layernorm",
            "attn_q" => "self_attn.q_proj",
            "attn_k" => "self_attn.k_proj",
            "attn_v" => "self_attn.v_proj",
            "attn_output" => "self_attn.o_proj",
            "attn_q_norm" => "self_attn.q_norm",
            "attn_k_norm" => "self_attn.k_norm",
            "ffn_norm" => "post_attention_layernorm",
            "ffn_gate" => "mlp.gate_proj",
            "ffn_up" => "mlp.up_proj",
            "ffn_down" => "mlp.down_proj",
            _ => return None,
        };
        Some(format!("model.layers.{layer}.{module}.{parameter}"))
    };
    inner().unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `LlamaModel.permute`: reshape (heads, 2, d/2), swap the last two.
    fn interleave(rows: &[f32], heads: usize) -> Vec<f32> {
        let width = rows.len() / heads;
        (0..rows.len())
            .map(|row| {
                let (head, at) = (row / width, row % width);
                rows[head * width + (at % 2) * (width / 2) + at / 2]
            })
            .collect()
    }

    #[test]
    fn rows_come_back_from_the_converter_in_pytorch_order() -> Result<(), Box<dyn std::error::Error>> {
        let rows: Vec<f32> = (0..12u8).map(f32::from).collect();
        let stored = HostTensor::from_f32(&[12, 1], &interleave(&rows, 3))?;
        assert_ne!(stored.to_f32(), rows);
        let restored = deinterleave_rows(&stored, 3).ok_or("rows do not divide")?;
        assert_eq!(restored.to_f32(), rows);
        assert!(deinterleave_rows(&stored, 5).is_none());
        Ok(())
    }

    #[test]
    fn names_follow_pytorch_modules() {
        assert_eq!(pytorch_name("blk.11.ffn_gate.weight"), "model.layers.11.mlp.gate_proj.weight");
        assert_eq!(pytorch_name("blk.0.attn_q.bias"), "model.layers.0.self_attn.q_proj.bias");
        assert_eq!(pytorch_name("token_embd.weight"), "model.embed_tokens.weight");
        assert_eq!(pytorch_name("rope_freqs.weight"), "rope_freqs.weight");
    }
}
