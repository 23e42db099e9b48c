//! The byte-level BPE tokenizer in a GGUF file's metadata (`tokenizer.ggml.*`).

use super::pre_tokenizer::PreTokenizer;
use super::{PromptTokenizer, TokenizerError};
use crate::models::gguf::Metadata;
use tokenizers::models::bpe::{BPE, Merges, Vocab};
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::{AddedToken, Tokenizer};

const MODEL: &str = "tokenizer.ggml.model";
const PRE: &str = "tokenizer.ggml.pre";
const TOKENS: &str = "tokenizer.ggml.tokens";
const TOKEN_TYPE: &str = "tokenizer.ggml.token_type";
const MERGES: &str = "tokenizer.ggml.merges";

/// `LLAMA_TOKEN_TYPE_CONTROL`: never the result of merges, stands for itself in a text.
const CONTROL: i64 = 3;
/// `LLAMA_TOKEN_TYPE_USER_DEFINED`: the same, but part of the text.
const USER_DEFINED: i64 = 4;

/// Builds the tokenizer.
///
/// # Errors
/// When it is broken, or of a kind that is not supported.
pub(super) fn build(metadata: &Metadata) -> Result<PromptTokenizer, TokenizerError> {
    let key = |error: crate::models::ModelError| TokenizerError::Key(error.to_string());
    let model = metadata.text(MODEL).map_err(key)?;
    if model != "gpt2" {
        return Err(invalid(MODEL, format!("is '{model}'; supported: gpt2 (byte-level BPE)")));
    }
    let pre = metadata.text(PRE).map_err(key)?;
    let pre = PreTokenizer::find(pre)
        .ok_or_else(|| invalid(PRE, format!("is '{pre}'; supported: {}", PreTokenizer::names())))?;
    let tokens = metadata.texts(TOKENS).map_err(key)?;
    let bpe = bpe(tokens, metadata.texts(MERGES).map_err(key)?, pre.ignore_merges)?;
    let mut inner = Tokenizer::new(bpe);
    inner.with_pre_tokenizer(Some(pre.build()?)).with_decoder(Some(ByteLevel::default()));
    let types = metadata.opt_integers(TOKEN_TYPE).map_err(key)?.unwrap_or_default();
    if !types.is_empty() && types.len() != tokens.len() {
        return Err(invalid(TOKEN_TYPE, format!("has {} values for {} tokens", types.len(), tokens.len())));
    }
    inner.add_tokens(added_tokens(tokens, types)).map_err(|error| invalid(TOKENS, error.to_string()))?;

    let special = |name: &'static str| special_token(metadata, name, tokens.len());
    let add = |name: &str| metadata.opt_bool(&format!("tokenizer.ggml.add_{name}_token")).map_err(key);
    let (bos, eos) = (special("tokenizer.ggml.bos_token_id")?, special("tokenizer.ggml.eos_token_id")?);
    let end_of_turn = special("tokenizer.ggml.eot_token_id")?;
    let before = if add("bos")?.unwrap_or(pre.add_bos) { bos } else { None };
    let after = if add("eos")?.unwrap_or(false) { eos } else { None };
    Ok(PromptTokenizer {
        inner,
        around: [before, after],
        longest: None,
        ends: eos.into_iter().chain(end_of_turn).map(i64::from).collect(),
    })
}

fn invalid(key: &'static str, reason: String) -> TokenizerError {
    TokenizerError::Metadata { key, reason }
}

/// A merge is two tokens with a space between them, in order of rank; the two and their union must be tokens.
fn bpe(tokens: &[String], merges: &[String], ignore_merges: bool) -> Result<BPE, TokenizerError> {
    let ids = 0..u32::try_from(tokens.len()).map_err(|_| invalid(TOKENS, "has too many values".to_owned()))?;
    let vocab: Vocab = tokens.iter().cloned().zip(ids).collect();
    let mut pairs = Merges::with_capacity(merges.len());
    for merge in merges {
        // The first character is part of the first token even if it is a space.
        let pair = merge.char_indices().skip(1).find(|(_, c)| *c == ' ').map(|(at, _)| merge.split_at(at));
        let (left, right) = pair
            .and_then(|(left, right)| Some((left, right.strip_prefix(' ')?)))
            .ok_or_else(|| invalid(MERGES, format!("'{merge}' is no pair of tokens")))?;
        // The crate takes merges on trust; an unknown union would make it read past its buffer.
        for token in [left.to_owned(), right.to_owned(), format!("{left}{right}")] {
            if !vocab.contains_key(&token) {
                return Err(invalid(MERGES, format!("'{merge}' needs the token '{token}', which is missing")));
            }
        }
        pairs.push((left.to_owned(), right.to_owned()));
    }
    BPE::builder()
        .vocab_and_merges(vocab, pairs)
        .ignore_merges(ignore_merges)
        .build()
        .map_err(|error| invalid(MERGES, error.to_string()))
}

fn added_tokens<'a>(tokens: &'a [String], types: &'a [i64]) -> impl Iterator<Item = AddedToken> + 'a {
    tokens.iter().zip(types).filter_map(|(token, kind)| match *kind {
        CONTROL => Some(AddedToken::from(token.clone(), true)),
        USER_DEFINED => Some(AddedToken::from(token.clone(), false).normalized(false)),
        _ => None,
    })
}

fn special_token(metadata: &Metadata, key: &'static str, tokens: usize) -> Result<Option<u32>, TokenizerError> {
    let id = metadata.opt_usize(key).map_err(|error| TokenizerError::Key(error.to_string()))?;
    match id {
        Some(id) if id >= tokens => Err(invalid(key, format!("is {id}, but there are {tokens} tokens"))),
        // Ids below the number of tokens fit, as `bpe` has checked.
        id => Ok(id.and_then(|id| u32::try_from(id).ok())),
    }
}
