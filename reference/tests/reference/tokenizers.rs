//! Tokenizers, as they are in folders and in GGUF files.

use crate::tiny::gguf::{GgufBuilder, Value};
use crate::tiny::{self, llama};
use taproot::models::gguf::GgufFile;
use taproot::tokenizer::{PromptTokenizer, TokenizerError};

fn from_gguf(change: impl Fn(&mut GgufBuilder)) -> Result<PromptTokenizer, TokenizerError> {
    let mut file = llama::tokenizer();
    change(&mut file);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    file.write(&path);
    PromptTokenizer::from_gguf(GgufFile::open(&path).unwrap().metadata())
}

#[test]
fn merges_apply_in_order_and_digits_stand_alone() {
    let tokenizer = from_gguf(|_| {}).unwrap();
    let prompt = tokenizer.encode("roots grow 12").unwrap();
    // "roots", " grow", " ", "1", "2": smollm cuts every digit off.
    assert_eq!(prompt.ids, [19, 23, 13, 14, 15]);
    assert_eq!(prompt.tokens, ["roots", " grow", " ", "1", "2"]);
    assert_eq!(tokenizer.decode(&prompt.ids).unwrap(), "roots grow 12");
    let gpt2 = from_gguf(|file| file.set("tokenizer.ggml.pre", Value::Text("gpt-2".to_owned()))).unwrap();
    assert_eq!(gpt2.encode("roots grow").unwrap().ids, [19, 23]);
}

#[test]
fn control_tokens_stand_for_themselves_and_end_a_text() {
    let tokenizer = from_gguf(|_| {}).unwrap();
    assert_eq!(tokenizer.encode("<s>root</s>").unwrap().ids, [0, 18, 1]);
    assert!(tokenizer.is_end(1) && !tokenizer.is_end(0));
}

#[test]
fn bos_and_eos_are_added_where_the_metadata_says_so() {
    let both = from_gguf(|file| {
        file.set("tokenizer.ggml.add_bos_token", Value::Bool(true));
        file.set("tokenizer.ggml.add_eos_token", Value::Bool(true));
    });
    assert_eq!(both.unwrap().encode("root").unwrap().ids, [0, 18, 1]);
    // Llama 3 begins with BOS unless the metadata says otherwise, and takes whole words before merges.
    let llama3 = |file: &mut GgufBuilder| file.set("tokenizer.ggml.pre", Value::Text("llama-bpe".to_owned()));
    assert_eq!(from_gguf(llama3).unwrap().encode("root").unwrap().ids, [0, 18]);
    let without = from_gguf(|file| {
        llama3(file);
        file.set("tokenizer.ggml.add_bos_token", Value::Bool(false));
    });
    assert_eq!(without.unwrap().encode("root").unwrap().ids, [18]);
}

#[test]
fn an_empty_prompt_is_an_error() {
    assert!(matches!(from_gguf(|_| {}).unwrap().encode(""), Err(TokenizerError::Empty)));
}

#[test]
fn broken_tokenizers_name_the_key() {
    let error = |change: &dyn Fn(&mut GgufBuilder)| from_gguf(change).err().map(|e| e.to_string()).unwrap_or_default();
    let text = |value: &str| Value::Text(value.to_owned());
    let cases: Vec<(String, &[&str])> = vec![
        (
            error(&|file| file.set("tokenizer.ggml.model", text("llama"))),
            &["'tokenizer.ggml.model'", "'llama'", "gpt2"],
        ),
        (error(&|file| file.set("tokenizer.ggml.pre", text("novel"))), &["'tokenizer.ggml.pre'", "'novel'", "smollm"]),
        (error(&|file| file.unset("tokenizer.ggml.tokens")), &["'tokenizer.ggml.tokens'", "missing"]),
        (
            error(&|file| file.set("tokenizer.ggml.merges", Value::Texts(vec!["root root".to_owned()]))),
            &["'tokenizer.ggml.merges'", "'rootroot'", "missing"],
        ),
        (
            error(&|file| file.set("tokenizer.ggml.merges", Value::Texts(vec!["root".to_owned()]))),
            &["'tokenizer.ggml.merges'", "no pair"],
        ),
        (
            error(&|file| file.set("tokenizer.ggml.token_type", Value::I32s(vec![1; 3]))),
            &["'tokenizer.ggml.token_type'", "3 values for 24 tokens"],
        ),
        (
            error(&|file| file.set("tokenizer.ggml.eos_token_id", Value::U32(24))),
            &["'tokenizer.ggml.eos_token_id'", "is 24, but there are 24 tokens"],
        ),
    ];
    for (message, parts) in cases {
        assert!(parts.iter().all(|part| message.contains(part)), "'{message}' lacks one of {parts:?}");
    }
}

#[test]
fn every_kind_of_pre_tokenizer_compiles_and_keeps_the_text() {
    for pre in ["default", "gpt-2", "smollm", "llama-bpe", "qwen2", "tekken"] {
        let tokenizer = from_gguf(|file| {
            file.set("tokenizer.ggml.pre", Value::Text(pre.to_owned()));
            file.set("tokenizer.ggml.add_bos_token", Value::Bool(false));
        });
        let tokenizer = tokenizer.unwrap_or_else(|error| panic!("{pre}: {error}"));
        let prompt = tokenizer.encode("roots grow 12. root").unwrap();
        assert_eq!(tokenizer.decode(&prompt.ids).unwrap(), "roots grow 12. root", "{pre}");
    }
}

#[test]
fn a_folders_truncation_and_padding_do_not_touch_a_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokenizer.json");
    tiny::write_tokenizer(&path, true);
    let tokenizer = PromptTokenizer::from_file(&path, Some(6)).unwrap();
    let prompt = tokenizer.encode("roots grow straight down").unwrap();
    assert_eq!(prompt.ids, [2, 4, 5, 6, 7, 3]);
    assert_eq!(prompt.tokens[0], "[CLS]");
    let message = tokenizer.encode("roots grow straight down and").err().map(|error| error.to_string());
    assert_eq!(message.as_deref(), Some("the prompt has 7 tokens, but the model takes at most 6; give a shorter one"));
    let missing = PromptTokenizer::from_file(&folder.path().join("nothing.json"), None);
    assert!(missing.err().map(|error| error.to_string()).unwrap_or_default().contains("nothing.json is no tokenizer"));
}
