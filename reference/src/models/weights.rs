//! The weights of a checkpoint, by the names of PyTorch's modules, and what can be done to them on the way.

use super::ModelError;
use crate::builders::Parameters;
use taproot_engine::graph::Meta;
use taproot_engine::tensor::{DType, HostTensor};

/// Tensors by name, read when asked for.
pub trait Weights: Parameters {
    /// Every name.
    fn names(&self) -> Vec<String>;

    /// Reads a tensor.
    ///
    /// # Errors
    /// When there is none of this name, or it cannot be read.
    fn read(&self, name: &str) -> Result<HostTensor, ModelError>;

    /// What was done to a tensor's values on the way, where anything was: it belongs to the tensor's name in a trace.
    fn note(&self, _name: &str) -> Option<String> {
        None
    }
}

/// Weights whose names begin with a prefix that the base model does not have: `bert.` in a `BertForMaskedLM`.
#[derive(Debug)]
pub struct Renamed<W> {
    inner: W,
    prefix: String,
}

impl<W: Weights> Renamed<W> {
    /// Takes `prefix` off every name that has it.
    pub fn new(inner: W, prefix: &str) -> Self {
        Renamed { inner, prefix: prefix.to_owned() }
    }

    fn original(&self, name: &str) -> String {
        let prefixed = format!("{}{name}", self.prefix);
        if self.inner.meta(&prefixed).is_some() { prefixed } else { name.to_owned() }
    }
}

impl<W: Weights> Parameters for Renamed<W> {
    fn meta(&self, name: &str) -> Option<Meta> {
        self.inner.meta(&self.original(name))
    }
}

impl<W: Weights> Weights for Renamed<W> {
    fn names(&self) -> Vec<String> {
        let names = self.inner.names();
        names.into_iter().map(|name| name.strip_prefix(&self.prefix).map_or(name.clone(), str::to_owned)).collect()
    }

    fn read(&self, name: &str) -> Result<HostTensor, ModelError> {
        self.inner.read(&self.original(name))
    }

    fn note(&self, name: &str) -> Option<String> {
        self.inner.note(&self.original(name))
    }
}

/// Weights with every matrix of plain floats rounded to f16.
///
/// Vectors (biases, the weights of norms) stay as they are, as in f16 files of GGUF: they are small, and rounding them
/// costs most. Quantised matrices stay as they are too.
#[derive(Debug)]
pub struct HalfWeights {
    inner: Box<dyn Weights>,
}

impl HalfWeights {
    /// Rounds the matrices of `inner`.
    pub fn new(inner: Box<dyn Weights>) -> Self {
        HalfWeights { inner }
    }
}

fn is_rounded(meta: &Meta) -> bool {
    meta.rank() >= 2 && matches!(meta.dtype, DType::F32 | DType::BF16 | DType::F64)
}

impl Parameters for HalfWeights {
    fn meta(&self, name: &str) -> Option<Meta> {
        let meta = self.inner.meta(name)?;
        Some(if is_rounded(&meta) { Meta { dtype: DType::F16, ..meta } } else { meta })
    }
}

impl Weights for HalfWeights {
    fn names(&self) -> Vec<String> {
        self.inner.names()
    }

    fn read(&self, name: &str) -> Result<HostTensor, ModelError> {
        let tensor = self.inner.read(name)?;
        if !is_rounded(&Meta::new(tensor.dtype(), tensor.shape())) {
            return Ok(tensor);
        }
        HostTensor::from_f64(DType::F16, tensor.shape(), &tensor.to_f64())
            .map_err(|error| ModelError::Value { tensor: name.to_owned(), error })
    }

    fn note(&self, name: &str) -> Option<String> {
        let rounded = self.inner.meta(name).filter(is_rounded);
        let rounded = rounded.map(|meta| format!("rounded from {} to f16", meta.dtype));
        match (self.inner.note(name), rounded) {
            (Some(before), Some(rounded)) => Some(format!("{before}, {rounded}")),
            (before, rounded) => before.or(rounded),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Two;

    impl Parameters for Two {
        fn meta(&self, name: &str) -> Option<Meta> {
            match name {
                "bert.matrix" => Some(Meta::new(DType::F32, &[1, 2])),
                "bias" => Some(Meta::new(DType::F32, &[2])),
                _ => None,
            }
        }
    }

    impl Weights for Two {
        fn names(&self) -> Vec<String> {
            vec!["bert.matrix".to_owned(), "bias".to_owned()]
        }

        fn read(&self, name: &str) -> Result<HostTensor, ModelError> {
            let meta = self.meta(name).unwrap_or(Meta::new(DType::F32, &[0]));
            HostTensor::from_f32(&meta.shape, &[1.0, 0.1])
                .map_err(|error| ModelError::Value { tensor: name.to_owned(), error })
        }
    }

    #[test]
    fn matrices_are_rounded_and_say_so_and_vectors_are_not() -> Result<(), ModelError> {
        let weights = HalfWeights::new(Box::new(Renamed::new(Two, "bert.")));
        assert_eq!(weights.names(), ["matrix", "bias"]);
        assert_eq!(weights.meta("matrix"), Some(Meta::new(DType::F16, &[1, 2])));
        assert_eq!(weights.note("matrix").as_deref(), Some("rounded from f32 to f16"));
        assert_eq!(weights.read("matrix")?.to_f32(), [1.0, half::f16::from_f32(0.1).to_f32()]);
        assert_eq!((weights.note("bias"), weights.read("bias")?.to_f32()), (None, vec![1.0, 0.1]));
        Ok(())
    }
}
