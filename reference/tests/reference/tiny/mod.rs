//! Tiny random checkpoints, written as the real ones are.

pub(crate) mod bert;
pub(crate) mod gguf;
pub(crate) mod llama;

use safetensors::tensor::{Dtype, TensorView};
use std::path::Path;
use taproot_engine::tensor::{DType, HostTensor};

/// Pseudo-random numbers in [−0.5, 0.5), the same in every run (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1 << 24) as f32 - 0.5
    }

    pub(crate) fn values(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.next()).collect()
    }
}

/// A parameter: its name, its shape, and what its values lie around.
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) around: f32,
}

impl Parameter {
    pub(crate) fn new(name: impl Into<String>, shape: &[usize]) -> Self {
        Parameter { name: name.into(), shape: shape.to_vec(), around: 0.0 }
    }

    /// Weights of norms lie around 1.
    pub(crate) fn norm(name: impl Into<String>, width: usize) -> Self {
        Parameter { name: name.into(), shape: vec![width], around: 1.0 }
    }

    pub(crate) fn values(&self, random: &mut Random) -> Vec<f32> {
        random.values(self.shape.iter().product()).into_iter().map(|value| self.around + value).collect()
    }
}

/// Writes parameters with random values as a safetensors file in f32.
pub(crate) fn write_safetensors(path: &Path, parameters: &[Parameter], random: &mut Random) {
    write_safetensors_in(DType::F32, path, parameters, random);
}

/// The same in f32, f16 or bf16.
pub(crate) fn write_safetensors_in(dtype: DType, path: &Path, parameters: &[Parameter], random: &mut Random) {
    let stored = match dtype {
        DType::F32 => Dtype::F32,
        DType::F16 => Dtype::F16,
        DType::BF16 => Dtype::BF16,
        _ => panic!("{dtype} is no dtype of a checkpoint's floats"),
    };
    let tensors: Vec<HostTensor> = parameters
        .iter()
        .map(|parameter| {
            let values: Vec<f64> = parameter.values(random).into_iter().map(f64::from).collect();
            HostTensor::from_f64(dtype, &parameter.shape, &values).unwrap()
        })
        .collect();
    let views = parameters.iter().zip(&tensors).map(|(parameter, tensor)| {
        (parameter.name.clone(), TensorView::new(stored, parameter.shape.clone(), tensor.bytes()).unwrap())
    });
    safetensors::serialize_to_file(views, None, path).unwrap();
}

/// A word-level tokenizer over a few words, with `[CLS]` and `[SEP]` around a prompt where `bert` is set.
pub(crate) fn write_tokenizer(path: &Path, bert: bool) {
    let words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "roots", "grow", "straight", "down", "and", "deep", "end", "."];
    let vocab: serde_json::Map<String, serde_json::Value> =
        words.iter().enumerate().map(|(id, word)| ((*word).to_owned(), id.into())).collect();
    let processor = serde_json::json!({
        "type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2],
    });
    let tokenizer = serde_json::json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 16}, "direction": "Right", "pad_to_multiple_of": null,
                    "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": if bert { processor } else { serde_json::Value::Null },
        "decoder": null,
        "model": {"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"},
    });
    std::fs::write(path, tokenizer.to_string()).unwrap();
}
