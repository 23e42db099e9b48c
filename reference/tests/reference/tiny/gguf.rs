//! Writes GGUF files, right ones and broken ones.

/// A tokenizer's tokens: two control tokens, single characters (Ġ stands for a space), and what the merges give.
pub(crate) const VOCAB: [&str; 24] = [
    "<s>", "</s>", "r", "o", "t", "s", "g", "w", "d", "n", "e", "p", ".", "Ġ", "1", "2", "oo", "roo", "root", "roots",
    "Ġg", "Ġgr", "Ġgro", "Ġgrow",
];
/// In order of rank.
pub(crate) const MERGES: [&str; 8] = ["o o", "r oo", "roo t", "root s", "Ġ g", "Ġg r", "Ġgr o", "Ġgro w"];

/// Type 3 (control) for the first two, type 1 (normal) for the rest.
pub(crate) fn token_types() -> Vec<i32> {
    (0..VOCAB.len()).map(|id| if id < 2 { 3 } else { 1 }).collect()
}

/// A metadata value.
#[derive(Clone)]
pub(crate) enum Value {
    U32(u32),
    F32(f32),
    Bool(bool),
    Text(String),
    Texts(Vec<String>),
    I32s(Vec<i32>),
}

/// A file in the making. The public fields let a test break it.
#[derive(Clone, Default)]
pub(crate) struct GgufBuilder {
    pub(crate) version: Option<u32>,
    pub(crate) pair_count: Option<u64>,
    pub(crate) tensor_count: Option<u64>,
    pairs: Vec<(String, Value)>,
    pub(crate) tensors: Vec<Tensor>,
    data: Vec<u8>,
}

/// A row of the tensor table, in GGUF's order of sizes.
#[derive(Clone)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) sizes: Vec<u64>,
    pub(crate) kind: u32,
    pub(crate) offset: u64,
}

impl GgufBuilder {
    /// Sets a key, in the place of an older value.
    pub(crate) fn set(&mut self, key: &str, value: Value) {
        self.pairs.retain(|(known, _)| known != key);
        self.pairs.push((key.to_owned(), value));
    }

    /// Takes a key out.
    pub(crate) fn unset(&mut self, key: &str) {
        self.pairs.retain(|(known, _)| known != key);
    }

    /// Adds a tensor in PyTorch's order of sizes.
    pub(crate) fn tensor(&mut self, name: &str, shape: &[usize], kind: u32, bytes: Vec<u8>) {
        let sizes = shape.iter().rev().map(|&size| size as u64).collect();
        self.tensors.push(Tensor { name: name.to_owned(), sizes, kind, offset: self.data.len() as u64 });
        self.data.extend(bytes);
        self.data.resize(self.data.len().next_multiple_of(32), 0);
    }

    /// Adds a tensor in f32.
    pub(crate) fn tensor_f32(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        self.tensor(name, shape, 0, values.iter().flat_map(|value| value.to_le_bytes()).collect());
    }

    /// The file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = b"GGUF".to_vec();
        out.extend(self.version.unwrap_or(3).to_le_bytes());
        out.extend(self.tensor_count.unwrap_or(self.tensors.len() as u64).to_le_bytes());
        out.extend(self.pair_count.unwrap_or(self.pairs.len() as u64).to_le_bytes());
        for (key, value) in &self.pairs {
            text(&mut out, key);
            put(&mut out, value);
        }
        for tensor in &self.tensors {
            text(&mut out, &tensor.name);
            out.extend((tensor.sizes.len() as u32).to_le_bytes());
            tensor.sizes.iter().for_each(|size| out.extend(size.to_le_bytes()));
            out.extend(tensor.kind.to_le_bytes());
            out.extend(tensor.offset.to_le_bytes());
        }
        out.resize(out.len().next_multiple_of(32), 0);
        out.extend(&self.data);
        out
    }

    /// Writes the file.
    pub(crate) fn write(&self, path: &std::path::Path) {
        std::fs::write(path, self.bytes()).unwrap();
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

fn put(out: &mut Vec<u8>, value: &Value) {
    let kind: u32 = match value {
        Value::U32(_) => 4,
        Value::F32(_) => 6,
        Value::Bool(_) => 7,
        Value::Text(_) => 8,
        Value::Texts(_) | Value::I32s(_) => 9,
    };
    out.extend(kind.to_le_bytes());
    match value {
        Value::U32(value) => out.extend(value.to_le_bytes()),
        Value::F32(value) => out.extend(value.to_le_bytes()),
        Value::Bool(value) => out.push(u8::from(*value)),
        Value::Text(value) => text(out, value),
        Value::Texts(values) => {
            out.extend(8u32.to_le_bytes());
            out.extend((values.len() as u64).to_le_bytes());
            values.iter().for_each(|value| text(out, value));
        }
        Value::I32s(values) => {
            out.extend(5u32.to_le_bytes());
            out.extend((values.len() as u64).to_le_bytes());
            values.iter().for_each(|value| out.extend(value.to_le_bytes()));
        }
    }
}
