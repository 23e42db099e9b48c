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

/// The float type that plain float weights are converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatWeights {
    /// All of them to f32.
    F32,
    /// Matrices to f16. Vectors (biases, the weights of norms) stay as they are, as in f16 files of GGUF: they are
    /// small, and rounding them costs most.
    F16,
}

impl FloatWeights {
    /// The dtype that a tensor is converted to, or `None` where it stays. Quantised tensors always stay.
    fn target(self, meta: &Meta) -> Option<DType> {
        let plain = matches!(meta.dtype, DType::F32 | DType::F16 | DType::BF16 | DType::F64);
        let target = match self {
            FloatWeights::F32 => DType::F32,
            FloatWeights::F16 if meta.rank() >= 2 => DType::F16,
            FloatWeights::F16 => return None,
        };
        (plain && meta.dtype != target).then_some(target)
    }
}

/// Weights of which plain floats are converted; whatever runs with them runs with the converted values.
#[derive(Debug)]
pub struct Converted {
    inner: Box<dyn Weights>,
    to: FloatWeights,
}

impl Converted {
    /// Converts the weights of `inner`.
    pub fn new(inner: Box<dyn Weights>, to: FloatWeights) -> Self {
        Converted { inner, to }
    }

    /// dtypes that are converted, in alphabetical order.
    pub fn converted_dtypes(&self) -> Vec<DType> {
        let metas = self.inner.names().into_iter().filter_map(|name| self.inner.meta(&name));
        let mut dtypes: Vec<DType> =
            metas.filter(|meta| self.to.target(meta).is_some()).map(|meta| meta.dtype).collect();
        dtypes.sort_unstable_by_key(|dtype| dtype.name());
        dtypes.dedup();
        dtypes
    }
}

impl Parameters for Converted {
    fn meta(&self, name: &str) -> Option<Meta> {
        let meta = self.inner.meta(name)?;
        let dtype = self.to.target(&meta).unwrap_or(meta.dtype);
        Some(Meta { dtype, ..meta })
    }
}

impl Weights for Converted {
    fn names(&self) -> Vec<String> {
        self.inner.names()
    }

    fn read(&self, name: &str) -> Result<HostTensor, ModelError> {
        let tensor = self.inner.read(name)?;
        let Some(target) = self.to.target(&Meta::new(tensor.dtype(), tensor.shape())) else { return Ok(tensor) };
        HostTensor::from_f64(target, tensor.shape(), &tensor.to_f64())
            .map_err(|error| ModelError::Value { tensor: name.to_owned(), error })
    }

    fn note(&self, name: &str) -> Option<String> {
        let meta = self.inner.meta(name);
        let converted =
            meta.and_then(|meta| Some(format!("converted from {} to {}", meta.dtype, self.to.target(&meta)?)));
        match (self.inner.note(name), converted) {
            (Some(before), Some(converted)) => Some(format!("{before}, {converted}")),
            (before, converted) => before.or(converted),
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
    fn conversions_say_so_and_leave_vectors_alone() -> Result<(), ModelError> {
        let weights = Converted::new(Box::new(Renamed::new(Two, "bert.")), FloatWeights::F16);
        assert_eq!(weights.names(), ["matrix", "bias"]);
        assert_eq!(weights.meta("matrix"), Some(Meta::new(DType::F16, &[1, 2])));
        assert_eq!(weights.note("matrix").as_deref(), Some("converted from f32 to f16"));
        assert_eq!(weights.read("matrix")?.to_f32(), [1.0, half::f16::from_f32(0.1).to_f32()]);
        assert_eq!((weights.note("bias"), weights.read("bias")?.to_f32()), (None, vec![1.0, 0.1]));
        assert_eq!(weights.converted_dtypes(), [DType::F32]);
        let widened = Converted::new(Box::new(weights), FloatWeights::F32);
        assert_eq!(widened.meta("matrix"), Some(Meta::new(DType::F32, &[1, 2])));
        let note = "converted from f32 to f16, converted from f16 to f32";
        assert_eq!((widened.note("matrix").as_deref(), widened.converted_dtypes()), (Some(note), vec![DType::F16]));
        Ok(())
    }
}
