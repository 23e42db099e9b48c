//! GGUF's metadata: typed values by key.

use super::cursor::Cursor;
use crate::models::ModelError;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Arrays longer than this (vocabularies) are left out of the configuration that a trace carries.
const MAX_LISTED: usize = 64;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// u8, u16, u32, u64.
    Unsigned(u64),
    /// i8, i16, i32, i64.
    Signed(i64),
    /// f32, f64.
    Float(f64),
    /// bool.
    Bool(bool),
    /// string.
    Text(String),
    /// An array of strings.
    Texts(Vec<String>),
    /// An array of integers or bools.
    Integers(Vec<i64>),
    /// An array of floats.
    Floats(Vec<f64>),
}

/// All key-value pairs of a file.
#[derive(Clone, Debug)]
pub struct Metadata {
    path: PathBuf,
    values: BTreeMap<String, Value>,
}

impl Metadata {
    /// Reads `count` pairs.
    pub(super) fn read(cursor: &mut Cursor<'_>, count: u64, path: &Path) -> Result<Self, ModelError> {
        let mut values = BTreeMap::new();
        for _ in 0..count {
            let start = cursor.position();
            let key = cursor.string("a metadata key")?;
            let kind = cursor.u32(&key)?;
            let value = read_value(cursor, kind, &key)?;
            if values.insert(key.clone(), value).is_some() {
                return Err(cursor.error(start, format!("the metadata key '{key}' stands there twice")));
            }
        }
        Ok(Metadata { path: path.to_owned(), values })
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// Text of a key that may be missing.
    ///
    /// # Errors
    /// When it holds something else.
    pub fn opt_text(&self, key: &str) -> Result<Option<&str>, ModelError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(_) => Err(self.error(key, "must be a string")),
        }
    }

    /// Text of a key.
    ///
    /// # Errors
    /// When it is missing or holds something else.
    pub fn text(&self, key: &str) -> Result<&str, ModelError> {
        self.opt_text(key)?.ok_or_else(|| self.error(key, "is missing; a string is needed"))
    }

    /// A count of a key that may be missing.
    ///
    /// # Errors
    /// When it is negative, too large or something else.
    pub fn opt_usize(&self, key: &str) -> Result<Option<usize>, ModelError> {
        let value = match self.get(key) {
            None => return Ok(None),
            Some(Value::Unsigned(value)) => usize::try_from(*value).ok(),
            Some(Value::Signed(value)) => usize::try_from(*value).ok(),
            Some(_) => None,
        };
        value.map(Some).ok_or_else(|| self.error(key, "must be an integer of at least 0"))
    }

    /// A count.
    ///
    /// # Errors
    /// When it is missing, negative or something else.
    pub fn usize(&self, key: &str) -> Result<usize, ModelError> {
        self.opt_usize(key)?.ok_or_else(|| self.error(key, "is missing; an integer is needed"))
    }

    /// A float of a key that may be missing.
    ///
    /// # Errors
    /// When it holds something else.
    pub fn opt_float(&self, key: &str) -> Result<Option<f64>, ModelError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Float(value)) => Ok(Some(*value)),
            Some(_) => Err(self.error(key, "must be a float")),
        }
    }

    /// A flag of a key that may be missing.
    ///
    /// # Errors
    /// When it holds something else.
    pub fn opt_bool(&self, key: &str) -> Result<Option<bool>, ModelError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.error(key, "must be true or false")),
        }
    }

    /// An array of strings.
    ///
    /// # Errors
    /// When it is missing or something else.
    pub fn texts(&self, key: &str) -> Result<&[String], ModelError> {
        match self.get(key) {
            Some(Value::Texts(texts)) => Ok(texts),
            Some(_) => Err(self.error(key, "must be an array of strings")),
            None => Err(self.error(key, "is missing; an array of strings is needed")),
        }
    }

    /// An array of integers of a key that may be missing.
    ///
    /// # Errors
    /// When it holds something else.
    pub fn opt_integers(&self, key: &str) -> Result<Option<&[i64]>, ModelError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Integers(values)) => Ok(Some(values)),
            Some(_) => Err(self.error(key, "must be an array of integers")),
        }
    }

    /// An error about a key.
    pub fn error(&self, key: &str, rule: impl std::fmt::Display) -> ModelError {
        ModelError::Metadata { path: self.path.clone(), key: key.to_owned(), rule: rule.to_string() }
    }

    /// All values in JSON, long arrays replaced by their length.
    pub fn to_json(&self) -> serde_json::Value {
        let values = self.values.iter().map(|(key, value)| (key.clone(), to_json(value)));
        serde_json::Value::Object(values.collect())
    }
}

fn to_json(value: &Value) -> serde_json::Value {
    let omitted = |length: usize| json!(format!("[{length} values]"));
    match value {
        Value::Unsigned(value) => json!(value),
        Value::Signed(value) => json!(value),
        Value::Float(value) => json!(value),
        Value::Bool(value) => json!(value),
        Value::Text(value) => json!(value),
        Value::Texts(values) if values.len() <= MAX_LISTED => json!(values),
        Value::Integers(values) if values.len() <= MAX_LISTED => json!(values),
        Value::Floats(values) if values.len() <= MAX_LISTED => json!(values),
        Value::Texts(values) => omitted(values.len()),
        Value::Integers(values) => omitted(values.len()),
        Value::Floats(values) => omitted(values.len()),
    }
}

const STRING: u32 = 8;
const ARRAY: u32 = 9;

fn read_value(cursor: &mut Cursor<'_>, kind: u32, key: &str) -> Result<Value, ModelError> {
    match kind {
        STRING => Ok(Value::Text(cursor.string(key)?)),
        ARRAY => read_array(cursor, key),
        _ => read_scalar(cursor, kind, key),
    }
}

fn read_scalar(cursor: &mut Cursor<'_>, kind: u32, key: &str) -> Result<Value, ModelError> {
    let start = cursor.position();
    Ok(match kind {
        0 => Value::Unsigned(u64::from(u8::from_le_bytes(cursor.array(key)?))),
        1 => Value::Signed(i64::from(i8::from_le_bytes(cursor.array(key)?))),
        2 => Value::Unsigned(u64::from(u16::from_le_bytes(cursor.array(key)?))),
        3 => Value::Signed(i64::from(i16::from_le_bytes(cursor.array(key)?))),
        4 => Value::Unsigned(u64::from(cursor.u32(key)?)),
        5 => Value::Signed(i64::from(i32::from_le_bytes(cursor.array(key)?))),
        6 => Value::Float(f64::from(f32::from_le_bytes(cursor.array(key)?))),
        7 => match cursor.array::<1>(key)? {
            [0] => Value::Bool(false),
            [1] => Value::Bool(true),
            [byte] => return Err(cursor.error(start, format!("'{key}' is a bool, but holds {byte}"))),
        },
        10 => Value::Unsigned(cursor.u64(key)?),
        11 => Value::Signed(i64::from_le_bytes(cursor.array(key)?)),
        12 => Value::Float(f64::from_le_bytes(cursor.array(key)?)),
        _ => return Err(cursor.error(start, format!("'{key}' has the value type {kind}; GGUF knows 0 to 12"))),
    })
}

fn read_array(cursor: &mut Cursor<'_>, key: &str) -> Result<Value, ModelError> {
    let start = cursor.position();
    let kind = cursor.u32(key)?;
    let count = cursor.u64(key)?;
    let smallest: u64 = match kind {
        0 | 1 | 7 => 1,
        2 | 3 => 2,
        4..=6 => 4,
        STRING | 10 | 11 | 12 => 8,
        ARRAY => return Err(cursor.error(start, format!("'{key}' is an array of arrays, which no known key is"))),
        _ => return Err(cursor.error(start, format!("'{key}' has the value type {kind}; GGUF knows 0 to 12"))),
    };
    if count.checked_mul(smallest).is_none_or(|bytes| bytes > cursor.remaining()) {
        return Err(cursor.error(
            start,
            format!(
                "'{key}' is said to hold {count} values, but only {} bytes are left in the file",
                cursor.remaining()
            ),
        ));
    }
    if kind == STRING {
        return (0..count).map(|_| cursor.string(key)).collect::<Result<_, _>>().map(Value::Texts);
    }
    let (mut integers, mut floats) = (Vec::new(), Vec::new());
    for _ in 0..count {
        match read_scalar(cursor, kind, key)? {
            Value::Float(value) => floats.push(value),
            Value::Signed(value) => integers.push(value),
            Value::Bool(flag) => integers.push(i64::from(flag)),
            Value::Unsigned(value) => integers.push(
                i64::try_from(value)
                    .map_err(|_| cursor.error(start, format!("'{key}' holds {value}, which is too large")))?,
            ),
            // `read_scalar` gives no others.
            _ => {}
        }
    }
    Ok(if matches!(kind, 6 | 12) { Value::Floats(floats) } else { Value::Integers(integers) })
}
