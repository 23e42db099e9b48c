//! Arguments of operators as they stand in `trace.json`.

use crate::trace::TensorId;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

/// One argument: tensors by reference, everything else by value.
///
/// In JSON: `{"tensor": 3}`, `{"tensors": [3, 4]}`, `{"tensors": [3, null]}`, `null`, `true`, `7`, `0.5`, `"none"`, `[1, 2]`; floats that JSON
/// cannot hold are `{"float": "inf"}`, `"-inf"` or `"nan"`. A float is always written with a decimal point or exponent.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A tensor of the trace.
    Tensor(TensorId),
    /// A list of tensors (`cat`, `stack`).
    Tensors(Vec<TensorId>),
    /// A list of tensors some of which are None (`index`).
    SomeTensors {
        /// Those that are given, in order.
        ids: Vec<TensorId>,
        /// For each place of the list whether a tensor is given.
        given: Vec<bool>,
    },
    /// `None`: PyTorch's "not given".
    None,
    /// A flag.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A keyword (`approximate="tanh"`) or a dtype name.
    Str(String),
    /// A list of integers (`normalized_shape`, `dim`).
    Ints(Vec<i64>),
}

impl Arg {
    /// Tensors that this argument refers to.
    pub fn tensors(&self) -> &[TensorId] {
        match self {
            Arg::Tensor(id) => std::slice::from_ref(id),
            Arg::Tensors(ids) | Arg::SomeTensors { ids, .. } => ids,
            _ => &[],
        }
    }
}

impl Serialize for Arg {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = match self {
            Arg::Tensor(id) => json!({ "tensor": id }),
            Arg::Tensors(ids) => json!({ "tensors": ids }),
            Arg::SomeTensors { ids, given } => {
                let mut ids = ids.iter();
                let places: Vec<_> = given.iter().map(|&given| if given { ids.next() } else { None }).collect();
                json!({ "tensors": places })
            }
            Arg::None => Value::Null,
            Arg::Bool(flag) => json!(flag),
            Arg::Int(value) => json!(value),
            Arg::Float(value) if value.is_finite() => json!(value),
            Arg::Float(value) => json!({ "float": non_finite_name(*value) }),
            Arg::Str(text) => json!(text),
            Arg::Ints(values) => json!(values),
        };
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Arg {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        parse(&value).ok_or_else(|| {
            D::Error::custom(format!(
                "argument {value} is none of: {{\"tensor\": id}}, {{\"tensors\": [id, …]}}, {{\"float\": \"inf\"}}, null, a flag, a number, a string, a list of integers"
            ))
        })
    }
}

fn parse(value: &Value) -> Option<Arg> {
    Some(match value {
        Value::Null => Arg::None,
        Value::Bool(flag) => Arg::Bool(*flag),
        Value::Number(number) => match number.as_i64() {
            Some(value) => Arg::Int(value),
            None => Arg::Float(number.as_f64()?),
        },
        Value::String(text) => Arg::Str(text.clone()),
        Value::Array(items) => Arg::Ints(items.iter().map(Value::as_i64).collect::<Option<_>>()?),
        Value::Object(object) if object.len() == 1 => {
            if let Some(id) = object.get("tensor") {
                Arg::Tensor(tensor_id(id)?)
            } else if let Some(ids) = object.get("tensors") {
                let places = ids.as_array()?;
                let given: Vec<bool> = places.iter().map(|place| !place.is_null()).collect();
                let ids = places.iter().filter(|place| !place.is_null()).map(tensor_id).collect::<Option<_>>()?;
                if given.contains(&false) { Arg::SomeTensors { ids, given } } else { Arg::Tensors(ids) }
            } else {
                Arg::Float(match object.get("float")?.as_str()? {
                    "inf" => f64::INFINITY,
                    "-inf" => f64::NEG_INFINITY,
                    "nan" => f64::NAN,
                    _ => return None,
                })
            }
        }
        Value::Object(_) => return None,
    })
}

fn tensor_id(value: &Value) -> Option<TensorId> {
    value.as_u64()?.try_into().ok()
}

fn non_finite_name(value: f64) -> &'static str {
    if value.is_nan() {
        "nan"
    } else if value > 0.0 {
        "inf"
    } else {
        "-inf"
    }
}
