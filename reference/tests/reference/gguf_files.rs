//! The GGUF reader on right files and on broken ones.

use crate::tiny::gguf::{GgufBuilder, Value};
use crate::tiny::llama;
use std::path::PathBuf;
use taproot::builders::Parameters as _;
use taproot::models::gguf::{GgufFile, GgufWeights, Packed, Rotary};
use taproot::models::{Checkpoint, ModelError, Weights as _};
use tempfile::TempDir;

fn open(bytes: &[u8]) -> Result<GgufFile, ModelError> {
    let (_folder, path) = written(bytes);
    GgufFile::open(&path)
}

/// The file stays as long as the folder does.
fn written(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn message(bytes: &[u8]) -> String {
    open(bytes).err().map(|error| error.to_string()).unwrap_or_default()
}

fn checkpoint_message(file: &GgufBuilder) -> String {
    let (_folder, path) = written(&file.bytes());
    Checkpoint::open(&path).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn metadata_and_tensors_are_read_as_written() {
    let mut file = GgufBuilder::default();
    file.set("a.number", Value::U32(7));
    file.set("a.flag", Value::Bool(true));
    file.set("a.text", Value::Text("Wurzel ñ".to_owned()));
    file.set("a.list", Value::I32s(vec![-1, 2]));
    file.tensor_f32("matrix", &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    file.tensor_f32("vector", &[1], &[7.0]);
    let (_folder, path) = written(&file.bytes());
    let read = GgufFile::open(&path).unwrap();
    assert_eq!(read.metadata().usize("a.number").unwrap(), 7);
    assert_eq!(read.metadata().opt_bool("a.flag").unwrap(), Some(true));
    assert_eq!(read.metadata().text("a.text").unwrap(), "Wurzel ñ");
    assert_eq!(read.metadata().opt_integers("a.list").unwrap(), Some([-1i64, 2].as_slice()));
    let matrix = read.read("matrix").unwrap();
    assert_eq!((matrix.shape(), matrix.to_f32()), ([2, 3].as_slice(), vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert_eq!(read.read("vector").unwrap().to_f32(), [7.0]);
}

#[test]
fn a_file_cut_off_anywhere_is_an_error_and_never_a_panic() {
    let whole = llama::gguf().bytes();
    for length in (0..whole.len() - 32).step_by(7) {
        assert!(open(&whole[..length]).is_err(), "cut off at {length}");
    }
    let cut = message(&whole[..whole.len() - 64]);
    assert!(cut.contains("blk.1.ffn_norm.weight") && cut.contains("truncated"), "{cut}");
}

#[test]
fn random_damage_to_the_header_never_panics() {
    let whole = llama::gguf().bytes();
    for at in 0..1500 {
        for value in [0x00, 0x7f, 0xff] {
            let mut damaged = whole.clone();
            damaged[at] = value;
            let (_folder, path) = written(&damaged);
            if let Ok(checkpoint) = Checkpoint::open(&path) {
                // What still opens must also be usable, or say why not.
                let _ = checkpoint.tokenizer.encode("root 12");
            }
        }
    }
}

#[test]
fn broken_files_say_what_is_wrong_and_where() {
    let base = llama::gguf();
    let broken = |change: &dyn Fn(&mut GgufBuilder)| {
        let mut file = base.clone();
        change(&mut file);
        message(&file.bytes())
    };
    let last = base.tensors.len() - 1;
    let cases: Vec<(String, &[&str])> = vec![
        (message(b"PK\x03\x04 something else entirely"), &["bytes 0..4", "does not begin with 'GGUF'"]),
        (broken(&|file| file.version = Some(1)), &["GGUF version 1 is not supported", "2 and 3"]),
        (broken(&|file| file.version = Some(3u32.swap_bytes())), &["big endian"]),
        (broken(&|file| file.pair_count = Some(u64::MAX)), &["18446744073709551615 metadata pairs", "bytes are left"]),
        (broken(&|file| file.tensor_count = Some(1 << 60)), &["tensors", "bytes are left"]),
        (broken(&|file| file.set("general.alignment", Value::U32(24))), &["'general.alignment'", "power of two"]),
        (broken(&|file| file.tensors[0].offset = 7), &["'token_embd.weight'", "offset 7", "alignment 32"]),
        (
            broken(&|file| file.tensors[last].offset = 1 << 40),
            &["'blk.1.ffn_norm.weight'", "1099511627776..", "truncated"],
        ),
        (broken(&|file| file.tensors[last].offset = u64::MAX - 31), &["'blk.1.ffn_norm.weight'", "overflows"]),
        (broken(&|file| file.tensors[0].sizes = vec![u64::MAX, 2]), &["'token_embd.weight'", "overflows"]),
        (broken(&|file| file.tensors[0].sizes = vec![1; 9]), &["'token_embd.weight' has 9 dimensions"]),
        (broken(&|file| file.tensors[2].sizes[0] = 33), &["'blk.0.attn_q.weight'", "whole number of blocks"]),
        (broken(&|file| file.tensors[2].kind = 16), &["'blk.0.attn_q.weight'", "IQ2_XXS", "supported are F32"]),
        (broken(&|file| file.tensors[2].kind = 4711), &["'blk.0.attn_q.weight'", "number 4711"]),
        (broken(&|file| file.tensors[1].name = "token_embd.weight".to_owned()), &["'token_embd.weight'", "twice"]),
    ];
    for (message, parts) in cases {
        assert!(parts.iter().all(|part| message.contains(part)), "'{message}' lacks one of {parts:?}");
    }
}

#[test]
fn configurations_that_are_not_supported_are_named() {
    let changed = |change: &dyn Fn(&mut GgufBuilder)| {
        let mut file = llama::gguf();
        change(&mut file);
        checkpoint_message(&file)
    };
    let cases: Vec<(String, &[&str])> = vec![
        (
            changed(&|file| file.set("general.architecture", Value::Text("mamba".to_owned()))),
            &["'general.architecture'", "'mamba'", "supported: llama, qwen2, qwen3"],
        ),
        (changed(&|file| file.unset("llama.block_count")), &["'llama.block_count'", "missing"]),
        (
            changed(&|file| file.set("llama.rope.scaling.type", Value::Text("yarn".to_owned()))),
            &["'llama.rope.scaling.type'", "'yarn'", "supported: none, linear"],
        ),
        (
            changed(&|file| file.set("llama.rope.dimension_count", Value::U32(8))),
            &["'llama.rope.dimension_count'", "is 8", "the width of a head, 16"],
        ),
        (changed(&|file| file.set("llama.expert_count", Value::U32(4))), &["'llama.expert_count'", "is 4"]),
        (
            changed(&|file| file.set("llama.attention.head_count_kv", Value::U32(3))),
            &["'llama.attention.head_count_kv'", "is 3", "divisors of 4"],
        ),
        (
            changed(&|file| file.set("llama.embedding_length", Value::Text("64".to_owned()))),
            &["'llama.embedding_length'", "must be an integer"],
        ),
    ];
    for (message, parts) in cases {
        assert!(parts.iter().all(|part| message.contains(part)), "'{message}' lacks one of {parts:?}");
    }
}

/// The rows of q and k, as a converter would reorder them, come back in PyTorch's order; blocks stay as they are.
#[test]
fn rotary_rows_are_put_back_without_touching_their_blocks() {
    let (heads, width, columns) = (2, 4, 32);
    // Each row is one block whose scale tells the row of PyTorch's matrix that it was.
    let block = |row: usize| {
        let scale = half::f16::from_f32(row as f32).to_le_bytes();
        [scale.as_slice(), &[0, 0], &[0x11; 16]].concat()
    };
    // PyTorch's rows 0 1 2 3 of a head are stored as 0 2 1 3: pairs (0, 2) and (1, 3) rotate together.
    let stored: Vec<u8> = [0, 2, 1, 3, 4, 6, 5, 7].into_iter().flat_map(block).collect();
    let mut file = GgufBuilder::default();
    for name in ["blk.0.attn_q.weight", "blk.0.attn_v.weight"] {
        file.tensor(name, &[heads * width, columns], 3, stored.clone());
    }
    let (_folder, path) = written(&file.bytes());
    let read = std::sync::Arc::new(GgufFile::open(&path).unwrap());
    let weights = GgufWeights::new(read, Some(Rotary { heads, kv_heads: 1 }));
    let expected: Vec<u8> = (0..8).flat_map(block).collect();
    assert_eq!(weights.read("model.layers.0.self_attn.q_proj.weight").unwrap().bytes(), expected);
    assert_eq!(weights.read("model.layers.0.self_attn.v_proj.weight").unwrap().bytes(), stored);
}

/// Against gguf's own Python package (`tests/vectors/make_ggml_blocks.py`).
#[test]
fn blocks_that_a_trace_does_not_hold_are_dequantised_as_ggml_does() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/ggml_blocks.safetensors");
    let bytes = std::fs::read(path).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    for packed in [Packed::Q5_0, Packed::Q5_1, Packed::Q4K, Packed::Q5K, Packed::Q6K] {
        let tensor = |what: &str| file.tensor(&format!("{}.{what}", packed.name())).unwrap();
        let expected: Vec<f32> =
            tensor("values").data().as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        let found = packed.dequantize(tensor("blocks").data());
        assert_eq!(found.len(), expected.len());
        for (at, (&found, &expected)) in found.iter().zip(&expected).enumerate() {
            // One rounding more or less: the package multiplies scales in another order.
            let close = (found - expected).abs() <= 2.0 * f32::EPSILON * expected.abs().max(found.abs()).max(1e-3);
            assert!(close, "{} element {at}: {found}, not {expected}", packed.name());
        }
    }
}

/// A tensor that must be dequantised says so, and has the dtype that it is stored in.
#[test]
fn a_dequantised_tensor_says_what_it_was() {
    let mut file = GgufBuilder::default();
    file.tensor("output.weight", &[2, 256], 14, vec![0x22; 420]);
    let (_folder, path) = written(&file.bytes());
    let weights = GgufWeights::new(std::sync::Arc::new(GgufFile::open(&path).unwrap()), None);
    let meta = weights.meta("lm_head.weight").unwrap();
    assert_eq!(
        (meta.to_string().as_str(), weights.note("lm_head.weight").as_deref()),
        ("f32[2, 256]", Some("dequantised from Q6_K"))
    );
    assert_eq!(weights.read("lm_head.weight").unwrap().numel(), 512);
}
