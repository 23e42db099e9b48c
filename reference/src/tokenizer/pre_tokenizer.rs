//! How a text is cut into words before merges apply: the rules behind GGUF's `tokenizer.ggml.pre`.
//!
//! The expressions are those of the models' own `tokenizer.json` files, which llama.cpp's `llama-vocab.cpp` follows.

use super::TokenizerError;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{PreTokenizerWrapper, SplitDelimiterBehavior};

/// A kind of pre-tokenizer.
#[derive(Debug)]
pub(super) struct PreTokenizer {
    /// Values of `tokenizer.ggml.pre` that mean it.
    names: &'static [&'static str],
    /// Expressions that cut the text one after the other.
    expressions: &'static [&'static str],
    /// Whether GPT-2's expression cuts last.
    gpt2: bool,
    /// Whether a word that is a token is not built from merges.
    pub(super) ignore_merges: bool,
    /// Whether a text begins with the BOS token where the metadata does not say.
    pub(super) add_bos: bool,
}

static KNOWN: [PreTokenizer; 6] = [
    PreTokenizer {
        names: &["default"],
        // llama.cpp cuts off punctuation and digits around GPT-2's expression; the order of the four does not matter,
        // because each only cuts what the others leave whole.
        expressions: &[r"[\p{P}\$\+<=>\^~\|]+", GPT2, r"\p{N}+", "[0-9][0-9][0-9]"],
        gpt2: false,
        ignore_merges: false,
        add_bos: false,
    },
    PreTokenizer {
        names: &["gpt-2", "mpt", "olmo", "jais", "exaone4"],
        expressions: &[],
        gpt2: true,
        ignore_merges: false,
        add_bos: false,
    },
    PreTokenizer {
        names: &["smollm", "starcoder", "refact", "command-r", "codeshell", "exaone"],
        expressions: &[r"\p{N}"],
        gpt2: true,
        ignore_merges: false,
        add_bos: false,
    },
    PreTokenizer {
        names: &["llama-bpe", "llama3", "llama-v3", "falcon3"],
        expressions: &[
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        ],
        gpt2: false,
        ignore_merges: true,
        add_bos: true,
    },
    PreTokenizer {
        names: &["qwen2", "deepseek-r1-qwen"],
        expressions: &[
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        ],
        gpt2: false,
        ignore_merges: false,
        add_bos: false,
    },
    PreTokenizer {
        names: &["tekken"],
        expressions: &[
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        ],
        gpt2: false,
        ignore_merges: true,
        add_bos: true,
    },
];

const GPT2: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";

impl PreTokenizer {
    /// The kind that a value of `tokenizer.ggml.pre` means.
    pub(super) fn find(name: &str) -> Option<&'static PreTokenizer> {
        KNOWN.iter().find(|known| known.names.contains(&name))
    }

    /// Every value of `tokenizer.ggml.pre` that is known, for messages.
    pub(super) fn names() -> String {
        KNOWN.iter().flat_map(|known| known.names).copied().collect::<Vec<_>>().join(", ")
    }

    /// The same for the `tokenizers` crate; the last part maps bytes to characters.
    pub(super) fn build(&self) -> Result<Sequence, TokenizerError> {
        let mut parts: Vec<PreTokenizerWrapper> = Vec::new();
        for expression in self.expressions {
            let pattern = SplitPattern::Regex((*expression).to_owned());
            let split = Split::new(pattern, SplitDelimiterBehavior::Isolated, false);
            let split = split.map_err(|error| TokenizerError::Metadata {
                key: "tokenizer.ggml.pre",
                reason: format!("the expression '{expression}' cannot be compiled: {error}"),
            })?;
            parts.push(split.into());
        }
        parts.push(ByteLevel::new(false, false, self.gpt2).into());
        Ok(Sequence::new(parts))
    }
}
