//! Typed look-ups in a configuration in JSON.

use super::ConfigError;
use serde_json::{Map, Value};

/// A JSON object, with a name for messages.
#[derive(Clone, Debug)]
pub struct Keys<'a> {
    source_name: String,
    prefix: String,
    object: &'a Map<String, Value>,
}

impl<'a> Keys<'a> {
    /// Keys of `object`, called `source_name` in messages.
    pub fn new(source_name: &str, object: &'a Map<String, Value>) -> Self {
        Keys { source_name: source_name.to_owned(), prefix: String::new(), object }
    }

    /// The value of a key; null counts as missing.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.object.get(key).filter(|value| !value.is_null())
    }

    /// An object below this one that may be missing.
    ///
    /// # Errors
    /// When it is something else.
    pub fn object(&self, key: &str) -> Result<Option<Keys<'a>>, ConfigError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Object(object)) => {
                let prefix = format!("{}{key}.", self.prefix);
                Ok(Some(Keys { source_name: self.source_name.clone(), prefix, object }))
            }
            Some(_) => Err(self.unsupported(key, "an object")),
        }
    }

    /// A count that may be missing.
    ///
    /// # Errors
    /// When it is something else, or too large for any model.
    pub fn opt_usize(&self, key: &str) -> Result<Option<usize>, ConfigError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        // 2³² bounds every size of every model, and keeps products of two in range.
        let count = value.as_u64().filter(|&count| count <= 1 << 32).and_then(|count| usize::try_from(count).ok());
        count.map(Some).ok_or_else(|| self.unsupported(key, "an integer of at least 0"))
    }

    /// A count of at least 1.
    ///
    /// # Errors
    /// When it is missing or something else.
    pub fn size(&self, key: &str) -> Result<usize, ConfigError> {
        let count = self.opt_usize(key)?.ok_or_else(|| self.missing(key, "an integer"))?;
        if count == 0 { Err(self.unsupported(key, "an integer of at least 1")) } else { Ok(count) }
    }

    /// A float that may be missing; integers count.
    ///
    /// # Errors
    /// When it is something else.
    pub fn opt_float(&self, key: &str) -> Result<Option<f64>, ConfigError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.as_f64().map(Some).ok_or_else(|| self.unsupported(key, "a number"))
    }

    /// A float.
    ///
    /// # Errors
    /// When it is missing or something else.
    pub fn float(&self, key: &str) -> Result<f64, ConfigError> {
        self.opt_float(key)?.ok_or_else(|| self.missing(key, "a number"))
    }

    /// A flag, or `default` where it is missing.
    ///
    /// # Errors
    /// When it is something else.
    pub fn bool(&self, key: &str, default: bool) -> Result<bool, ConfigError> {
        match self.get(key) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.unsupported(key, "true, false")),
        }
    }

    /// Text that may be missing.
    ///
    /// # Errors
    /// When it is something else.
    pub fn opt_text(&self, key: &str) -> Result<Option<&'a str>, ConfigError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| self.unsupported(key, "a string"))
    }

    /// Text.
    ///
    /// # Errors
    /// When it is missing or something else.
    pub fn text(&self, key: &str) -> Result<&'a str, ConfigError> {
        self.opt_text(key)?.ok_or_else(|| self.missing(key, "a string"))
    }

    /// Refuses every value but those of `allowed`, and a missing key only where `allowed` holds null.
    ///
    /// # Errors
    /// When the value is another one.
    pub fn only(&self, key: &str, allowed: &[Value]) -> Result<(), ConfigError> {
        let value = self.object.get(key).unwrap_or(&Value::Null);
        let same = |allowed: &Value| match (allowed.as_f64(), value.as_f64()) {
            (Some(a), Some(b)) => a == b,
            _ => allowed == value,
        };
        if allowed.iter().any(same) {
            return Ok(());
        }
        let supported: Vec<String> = allowed.iter().map(ToString::to_string).collect();
        Err(self.unsupported(key, &supported.join(", ")))
    }

    /// An error about a key's value.
    pub fn unsupported(&self, key: &str, supported: &str) -> ConfigError {
        let value = self.object.get(key).map_or_else(|| "missing".to_owned(), |value| shortened(&value.to_string()));
        ConfigError::Unsupported {
            source_name: self.source_name.clone(),
            key: format!("{}{key}", self.prefix),
            value,
            supported: supported.to_owned(),
        }
    }

    fn missing(&self, key: &str, needed: &str) -> ConfigError {
        ConfigError::Missing {
            source_name: self.source_name.clone(),
            key: format!("{}{key}", self.prefix),
            needed: needed.to_owned(),
        }
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 120 { text.to_owned() } else { text.chars().take(120).chain(['…']).collect() }
}
