//! Tokenizing a prompt: `tokenizer.json` of a Hugging Face folder, or the tokenizer in a GGUF file's metadata.

mod gguf;
mod pre_tokenizer;

use std::path::{Path, PathBuf};
use tokenizers::Tokenizer;

/// Why a prompt cannot be tokenized, or a tokenizer not be built.
#[derive(Debug, thiserror::Error)]
pub enum TokenizerError {
    /// `tokenizer.json` is missing or broken.
    #[error("{path} is no tokenizer: {reason}")]
    File {
        /// File.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The tokenizer in a GGUF file is broken or not supported.
    #[error("the tokenizer in the file's metadata, key '{key}': {reason}")]
    Metadata {
        /// Key.
        key: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// A key of a GGUF file's metadata is missing or of another type.
    #[error("{0}")]
    Key(String),
    /// The prompt cannot be tokenized.
    #[error("the prompt cannot be tokenized: {0}")]
    Encode(String),
    /// The prompt gives no tokens at all.
    #[error("the prompt gives no tokens; give a longer one")]
    Empty,
    /// The prompt is longer than the model takes.
    #[error("the prompt has {tokens} tokens, but the model takes at most {longest}; give a shorter one")]
    TooLong {
        /// Tokens of the prompt.
        tokens: usize,
        /// Tokens that the model takes.
        longest: usize,
    },
    /// Token ids cannot be turned back into text.
    #[error("the tokens {ids:?} cannot be turned into text: {reason}")]
    Decode {
        /// Tokens.
        ids: Vec<i64>,
        /// What is wrong.
        reason: String,
    },
}

/// A tokenized prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenizedPrompt {
    /// Ids, special tokens included.
    pub ids: Vec<i64>,
    /// Each token as text; where it is only a part of a character, as the vocabulary spells it.
    pub tokens: Vec<String>,
}

/// Turns prompts into tokens, and tokens into text.
#[derive(Debug)]
pub struct PromptTokenizer {
    inner: Tokenizer,
    /// Ids put before and after every prompt, where the tokenizer itself does not.
    around: [Option<u32>; 2],
    longest: Option<usize>,
    ends: Vec<i64>,
}

impl PromptTokenizer {
    /// Reads `tokenizer.json`. Its own truncation and padding are switched off: a prompt of more than `longest` tokens is
    /// an error, and one sequence needs no padding.
    ///
    /// # Errors
    /// When the file is missing or broken.
    pub fn from_file(path: &Path, longest: Option<usize>) -> Result<Self, TokenizerError> {
        let error = |reason: String| TokenizerError::File { path: path.to_owned(), reason };
        let bytes = std::fs::read(path).map_err(|e| error(e.to_string()))?;
        let mut inner = Tokenizer::from_bytes(bytes).map_err(|e| error(e.to_string()))?;
        inner.with_truncation(None).map_err(|e| error(e.to_string()))?.with_padding(None);
        Ok(PromptTokenizer { inner, around: [None; 2], longest, ends: Vec::new() })
    }

    /// Builds the tokenizer that a GGUF file's metadata describes.
    ///
    /// # Errors
    /// When it is broken, or of a kind that is not supported.
    pub fn from_gguf(metadata: &crate::models::gguf::Metadata) -> Result<Self, TokenizerError> {
        gguf::build(metadata)
    }

    /// The same tokenizer, knowing at which tokens a text ends.
    #[must_use]
    pub fn with_ends(self, ends: Vec<i64>) -> Self {
        PromptTokenizer { ends, ..self }
    }

    /// Tokenizes a prompt.
    ///
    /// # Errors
    /// When it gives no tokens, or more than the model takes.
    pub fn encode(&self, text: &str) -> Result<TokenizedPrompt, TokenizerError> {
        let encoding = self.inner.encode(text, true).map_err(|error| TokenizerError::Encode(error.to_string()))?;
        let [before, after] = self.around;
        let ids: Vec<u32> = before.into_iter().chain(encoding.get_ids().iter().copied()).chain(after).collect();
        match self.longest {
            _ if ids.is_empty() => return Err(TokenizerError::Empty),
            Some(longest) if ids.len() > longest => {
                return Err(TokenizerError::TooLong { tokens: ids.len(), longest });
            }
            _ => {}
        }
        let tokens = ids.iter().map(|&id| self.token_text(id)).collect();
        Ok(TokenizedPrompt { ids: ids.into_iter().map(i64::from).collect(), tokens })
    }

    /// The text of a run of tokens, special ones included.
    ///
    /// # Errors
    /// When an id is no token.
    pub fn decode(&self, ids: &[i64]) -> Result<String, TokenizerError> {
        let error = |reason: String| TokenizerError::Decode { ids: ids.to_vec(), reason };
        let narrow: Result<Vec<u32>, _> = ids.iter().map(|&id| u32::try_from(id)).collect();
        let narrow = narrow.map_err(|_| error("an id is negative or too large".to_owned()))?;
        self.inner.decode(&narrow, false).map_err(|e| error(e.to_string()))
    }

    /// Whether a text ends with this token.
    pub fn is_end(&self, id: i64) -> bool {
        self.ends.contains(&id)
    }

    fn token_text(&self, id: u32) -> String {
        let decoded = self.inner.decode(&[id], false).ok().filter(|text| !text.contains('\u{fffd}'));
        decoded.or_else(|| self.inner.id_to_token(id)).unwrap_or_default()
    }
}
