//! An operator call with its arguments looked up: the one form in which every implementation receives its arguments.

use super::{Arg, OpError};
use crate::tensor::DType;
use crate::trace::{Operator, TensorId};
use std::collections::BTreeMap;

/// An argument whose tensors are of type `T`: descriptions, f64 arrays, GPU buffers.
#[derive(Clone, Debug)]
pub enum Value<T> {
    /// A tensor.
    Tensor(T),
    /// A list of tensors.
    Tensors(Vec<T>),
    /// A list of tensors some of which are None.
    SomeTensors(Vec<Option<T>>),
    /// Anything else.
    Plain(Arg),
}

/// An operator call: its name and its arguments by PyTorch's names.
#[derive(Clone, Debug)]
pub struct Call<T> {
    op: String,
    args: BTreeMap<String, Value<T>>,
}

impl<T> Call<T> {
    /// An empty call of `op`, to be filled with [`Call::with`].
    pub fn new(op: impl Into<String>) -> Self {
        Call { op: op.into(), args: BTreeMap::new() }
    }

    /// Looks up every tensor of `operator`.
    ///
    /// # Errors
    /// The first error of `tensor`.
    pub fn resolve<E>(operator: &Operator, mut tensor: impl FnMut(TensorId) -> Result<T, E>) -> Result<Self, E> {
        let mut call = Call::new(&operator.op);
        for (name, arg) in &operator.args {
            let value = match arg {
                Arg::Tensor(id) => Value::Tensor(tensor(*id)?),
                Arg::Tensors(ids) => Value::Tensors(ids.iter().map(|&id| tensor(id)).collect::<Result<_, E>>()?),
                Arg::SomeTensors { ids, given } => {
                    let mut ids = ids.iter();
                    let mut place = |given: &bool| if *given { ids.next().copied() } else { None };
                    let places: Vec<_> = given.iter().map(&mut place).collect();
                    let look_up = |id: Option<TensorId>| id.map(&mut tensor).transpose();
                    Value::SomeTensors(places.into_iter().map(look_up).collect::<Result<_, E>>()?)
                }
                plain => Value::Plain(plain.clone()),
            };
            call.args.insert(name.clone(), value);
        }
        Ok(call)
    }

    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value<T>) -> Self {
        self.args.insert(name.to_owned(), value);
        self
    }

    /// Adds a tensor.
    #[must_use]
    pub fn tensor_arg(self, name: &str, tensor: T) -> Self {
        self.with(name, Value::Tensor(tensor))
    }

    /// Adds a plain argument.
    #[must_use]
    pub fn arg(self, name: &str, arg: Arg) -> Self {
        self.with(name, Value::Plain(arg))
    }

    /// The operator's ATen name.
    pub fn op(&self) -> &str {
        &self.op
    }

    /// Names and values of all arguments given.
    pub fn args(&self) -> impl Iterator<Item = (&str, &Value<T>)> {
        self.args.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The same call over another form of its tensors.
    pub fn map_tensors<U>(&self, mut map: impl FnMut(&T) -> U) -> Call<U> {
        match self.try_map_tensors(|tensor| Ok::<_, std::convert::Infallible>(map(tensor))) {
            Ok(call) => call,
            Err(never) => match never {},
        }
    }

    /// The same call over another form of its tensors.
    ///
    /// # Errors
    /// The first error of `map`.
    pub fn try_map_tensors<U, E>(&self, mut map: impl FnMut(&T) -> Result<U, E>) -> Result<Call<U>, E> {
        let mut call = Call::new(&self.op);
        for (name, value) in &self.args {
            let value = match value {
                Value::Tensor(tensor) => Value::Tensor(map(tensor)?),
                Value::Tensors(tensors) => Value::Tensors(tensors.iter().map(&mut map).collect::<Result<_, E>>()?),
                Value::SomeTensors(tensors) => Value::SomeTensors(
                    tensors.iter().map(|place| place.as_ref().map(&mut map).transpose()).collect::<Result<_, E>>()?,
                ),
                Value::Plain(arg) => Value::Plain(arg.clone()),
            };
            call.args.insert(name.clone(), value);
        }
        Ok(call)
    }

    /// A tensor that must be given.
    ///
    /// # Errors
    /// When it is missing or no tensor.
    pub fn tensor(&self, name: &str) -> Result<&T, OpError> {
        self.opt_tensor(name)?.ok_or_else(|| self.error(name, "is missing; a tensor is needed"))
    }

    /// A tensor that may be left out or None.
    ///
    /// # Errors
    /// When something else is given.
    pub fn opt_tensor(&self, name: &str) -> Result<Option<&T>, OpError> {
        match self.args.get(name) {
            None | Some(Value::Plain(Arg::None)) => Ok(None),
            Some(Value::Tensor(tensor)) => Ok(Some(tensor)),
            Some(_) => Err(self.error(name, "must be a tensor")),
        }
    }

    /// A list of tensors.
    ///
    /// # Errors
    /// When it is missing or anything else.
    pub fn tensors(&self, name: &str) -> Result<&[T], OpError> {
        match self.args.get(name) {
            Some(Value::Tensors(tensors)) => Ok(tensors),
            _ => Err(self.error(name, "must be a list of tensors")),
        }
    }

    /// A list of tensors some of which may be None.
    ///
    /// # Errors
    /// When it is missing or anything else.
    pub fn some_tensors(&self, name: &str) -> Result<Vec<Option<&T>>, OpError> {
        match self.args.get(name) {
            Some(Value::Tensors(tensors)) => Ok(tensors.iter().map(Some).collect()),
            Some(Value::SomeTensors(tensors)) => Ok(tensors.iter().map(Option::as_ref).collect()),
            _ => Err(self.error(name, "must be a list of tensors or None")),
        }
    }

    /// A scalar or a tensor, as PyTorch's overloads `add.Tensor` and `add.Scalar` take.
    ///
    /// # Errors
    /// When it is missing or neither.
    pub fn tensor_or_scalar(&self, name: &str) -> Result<Operand<'_, T>, OpError> {
        match self.args.get(name) {
            Some(Value::Tensor(tensor)) => Ok(Operand::Tensor(tensor)),
            Some(Value::Plain(Arg::Int(value))) => Ok(Operand::Int(*value)),
            Some(Value::Plain(Arg::Float(value))) => Ok(Operand::Float(*value)),
            Some(Value::Plain(Arg::Bool(value))) => Ok(Operand::Int(i64::from(*value))),
            _ => Err(self.error(name, "must be a tensor or a number")),
        }
    }

    /// A plain argument, None where it is left out.
    pub fn plain(&self, name: &str) -> &Arg {
        match self.args.get(name) {
            Some(Value::Plain(arg)) => arg,
            _ => &Arg::None,
        }
    }

    /// A float, or `default` where it is left out or None. Integers count as floats.
    ///
    /// # Errors
    /// When something else is given.
    pub fn float(&self, name: &str, default: f64) -> Result<f64, OpError> {
        Ok(self.opt_float(name)?.unwrap_or(default))
    }

    /// A float that may be left out or None.
    ///
    /// # Errors
    /// When something else is given.
    pub fn opt_float(&self, name: &str) -> Result<Option<f64>, OpError> {
        match self.plain_checked(name)? {
            Arg::None => Ok(None),
            Arg::Float(value) => Ok(Some(*value)),
            Arg::Int(value) => Ok(Some(*value as f64)),
            _ => Err(self.error(name, "must be a number")),
        }
    }

    /// An integer, or `default` where it is left out or None.
    ///
    /// # Errors
    /// When something else is given.
    pub fn int(&self, name: &str, default: i64) -> Result<i64, OpError> {
        Ok(self.opt_int(name)?.unwrap_or(default))
    }

    /// An integer that may be left out or None.
    ///
    /// # Errors
    /// When something else is given.
    pub fn opt_int(&self, name: &str) -> Result<Option<i64>, OpError> {
        match self.plain_checked(name)? {
            Arg::None => Ok(None),
            Arg::Int(value) => Ok(Some(*value)),
            _ => Err(self.error(name, "must be an integer")),
        }
    }

    /// An integer that must be given.
    ///
    /// # Errors
    /// When it is missing or anything else.
    pub fn required_int(&self, name: &str) -> Result<i64, OpError> {
        self.opt_int(name)?.ok_or_else(|| self.error(name, "is missing; an integer is needed"))
    }

    /// A flag, or `default` where it is left out or None.
    ///
    /// # Errors
    /// When something else is given.
    pub fn bool(&self, name: &str, default: bool) -> Result<bool, OpError> {
        match self.plain_checked(name)? {
            Arg::None => Ok(default),
            Arg::Bool(flag) => Ok(*flag),
            _ => Err(self.error(name, "must be true or false")),
        }
    }

    /// A keyword, or `default` where it is left out or None.
    ///
    /// # Errors
    /// When something else is given.
    pub fn str<'a>(&'a self, name: &str, default: &'a str) -> Result<&'a str, OpError> {
        match self.plain_checked(name)? {
            Arg::None => Ok(default),
            Arg::Str(text) => Ok(text),
            _ => Err(self.error(name, "must be a string")),
        }
    }

    /// A list of integers, None where it is left out; a single integer counts as a list of one (as in PyTorch).
    ///
    /// # Errors
    /// When something else is given.
    pub fn opt_ints(&self, name: &str) -> Result<Option<Vec<i64>>, OpError> {
        match self.plain_checked(name)? {
            Arg::None => Ok(None),
            Arg::Int(value) => Ok(Some(vec![*value])),
            Arg::Ints(values) => Ok(Some(values.clone())),
            _ => Err(self.error(name, "must be a list of integers")),
        }
    }

    /// A list of integers that must be given.
    ///
    /// # Errors
    /// When it is missing or anything else.
    pub fn ints(&self, name: &str) -> Result<Vec<i64>, OpError> {
        self.opt_ints(name)?.ok_or_else(|| self.error(name, "is missing; a list of integers is needed"))
    }

    /// A dtype by name, None where it is left out.
    ///
    /// # Errors
    /// When something else is given.
    pub fn opt_dtype(&self, name: &str) -> Result<Option<DType>, OpError> {
        match self.plain_checked(name)? {
            Arg::None => Ok(None),
            Arg::Str(text) => text.parse().map(Some).map_err(|error| self.error(name, error)),
            _ => Err(self.error(name, "must be a dtype's name")),
        }
    }

    /// An error about one argument of this call.
    pub fn error(&self, argument: &str, rule: impl std::fmt::Display) -> OpError {
        OpError::Argument { op: self.op.clone(), argument: argument.to_owned(), rule: rule.to_string() }
    }

    fn plain_checked(&self, name: &str) -> Result<&Arg, OpError> {
        match self.args.get(name) {
            None => Ok(&Arg::None),
            Some(Value::Plain(arg)) => Ok(arg),
            Some(_) => Err(self.error(name, "must not be a tensor")),
        }
    }
}

/// A tensor or a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand<'a, T> {
    /// A tensor.
    Tensor(&'a T),
    /// An integer (bool counts as 0 or 1).
    Int(i64),
    /// A float.
    Float(f64),
}

/// A dimension index as PyTorch takes it: negative counts from the end. `None` where it is out of range.
pub fn wrap_dim(dim: i64, rank: usize) -> Option<usize> {
    // A rank-0 tensor has one virtual dimension in PyTorch.
    let size = i64::try_from(rank.max(1)).ok()?;
    let wrapped = if dim < 0 { dim.checked_add(size)? } else { dim };
    (0..size).contains(&wrapped).then_some(wrapped as usize)
}
