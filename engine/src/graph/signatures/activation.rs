//! Activations: functions of one float with numbers beside it, and those of two.

use super::clamp::fits;
use super::elementwise::float_unary;
use super::{Family, Signature, require};
use crate::graph::{Call, Meta, OpError, wrap_dim};
use crate::tensor::DType;

macro_rules! signatures {
    ($($constant:ident $path:literal $name:literal $params:expr, $infer:expr;)*) => { $(
        #[doc = concat!("`torch.", $path, $name, "`.")]
        pub static $constant: Signature = Signature {
            name: $name, family: Family::Elementwise, params: $params, infer: $infer,
        };
    )* };
}

signatures! {
    SOFTPLUS "nn.functional." "softplus" &["input", "beta", "threshold"], softplus;
    LEAKY_RELU "nn.functional." "leaky_relu" &["input", "negative_slope"], leaky_relu;
    ELU "nn.functional." "elu" &["input", "alpha", "scale", "input_scale"], elu;
    CELU "nn.functional." "celu" &["input", "alpha"], celu;
    SELU "nn.functional." "selu" &["input"], floats;
    RELU6 "nn.functional." "relu6" &["input"], number;
    HARDTANH "nn.functional." "hardtanh" &["input", "min_val", "max_val"], hardtanh;
    HARDSIGMOID "nn.functional." "hardsigmoid" &["input"], floats;
    HARDSWISH "nn.functional." "hardswish" &["input"], floats;
    HARDSHRINK "nn.functional." "hardshrink" &["input", "lambd"], hardshrink;
    SOFTSHRINK "nn.functional." "softshrink" &["input", "lambd"], softshrink;
    THRESHOLD "nn.functional." "threshold" &["input", "threshold", "value"], threshold;
    MISH "nn.functional." "mish" &["input"], floats;
    SOFTSIGN "nn.functional." "softsign" &["input"], softsign;
    LOGSIGMOID "nn.functional." "logsigmoid" &["input"], floats;
    LOG_SIGMOID "ops.aten." "log_sigmoid" &["input"], floats;
    ERFC "" "erfc" &["input"], float_unary;
    SINC "" "sinc" &["input"], float_unary;
    GLU "nn.functional." "glu" &["input", "dim"], glu;
    PRELU "nn.functional." "prelu" &["input", "weight"], prelu;
}

type Metas = Result<Vec<Meta>, OpError>;

/// The input's dtype, which must be a float.
fn floats(call: &Call<Meta>) -> Metas {
    let input = call.tensor("input")?;
    require(input.dtype.is_float(), call, "input", || format!("must hold floats, not {}", input.dtype))?;
    Ok(vec![input.clone()])
}

/// The input's dtype, which must not be bool.
fn number(call: &Call<Meta>) -> Metas {
    let input = call.tensor("input")?;
    require(input.dtype != DType::Bool, call, "input", || "must not be bool".to_owned())?;
    Ok(vec![input.clone()])
}

fn softsign(call: &Call<Meta>) -> Metas {
    number(call)?;
    float_unary(call)
}

fn softplus(call: &Call<Meta>) -> Metas {
    call.float("beta", 1.0)?;
    call.float("threshold", 20.0)?;
    floats(call)
}

fn leaky_relu(call: &Call<Meta>) -> Metas {
    call.float("negative_slope", 0.01)?;
    floats(call)
}

fn elu(call: &Call<Meta>) -> Metas {
    for name in ["alpha", "scale", "input_scale"] {
        call.float(name, 1.0)?;
    }
    floats(call)
}

fn celu(call: &Call<Meta>) -> Metas {
    let alpha = call.float("alpha", 1.0)?;
    require(alpha != 0.0, call, "alpha", || "must not be 0".to_owned())?;
    floats(call)
}

fn hardtanh(call: &Call<Meta>) -> Metas {
    let (min, max) = (call.float("min_val", -1.0)?, call.float("max_val", 1.0)?);
    require(min <= max, call, "min_val", || format!("{min} must not be greater than max_val {max}"))?;
    number(call)
}

fn hardshrink(call: &Call<Meta>) -> Metas {
    call.float("lambd", 0.5)?;
    floats(call)
}

fn softshrink(call: &Call<Meta>) -> Metas {
    let lambd = call.float("lambd", 0.5)?;
    require(lambd >= 0.0, call, "lambd", || format!("must not be negative, but is {lambd}"))?;
    floats(call)
}

fn threshold(call: &Call<Meta>) -> Metas {
    let metas = number(call)?;
    let dtype = call.tensor("input")?.dtype;
    for name in ["threshold", "value"] {
        let value = call.opt_float(name)?.ok_or_else(|| call.error(name, "is missing; a number is needed"))?;
        require(fits(dtype, value.trunc()), call, name, || format!("{value} is beyond what {dtype} holds"))?;
    }
    Ok(metas)
}

/// The dimension that `glu` halves.
///
/// # Errors
/// When it is out of range, or its size is odd.
pub(crate) fn halved<T>(call: &Call<T>, shape: &[usize]) -> Result<usize, OpError> {
    let dim = call.int("dim", -1)?;
    let at = wrap_dim(dim, shape.len()).filter(|&at| at < shape.len());
    let at = at.ok_or_else(|| call.error("dim", format!("{dim} is out of range for shape {shape:?}")))?;
    match shape.get(at) {
        Some(size) if size % 2 == 0 => Ok(at),
        _ => Err(call.error("input", format!("of shape {shape:?} must have an even size in dimension {at}"))),
    }
}

fn glu(call: &Call<Meta>) -> Metas {
    let mut metas = floats(call)?;
    let at = halved(call, &call.tensor("input")?.shape)?;
    for size in metas.iter_mut().filter_map(|meta| meta.shape.get_mut(at)) {
        *size /= 2;
    }
    Ok(metas)
}

/// One weight, or one for each channel, which is dimension 1.
fn prelu(call: &Call<Meta>) -> Metas {
    let metas = floats(call)?;
    let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
    require(weight.rank() <= 1, call, "weight", || format!("must have 1 dimension, not shape {:?}", weight.shape))?;
    require(weight.dtype == input.dtype, call, "weight", || format!("must be {}, not {}", input.dtype, weight.dtype))?;
    let count = weight.shape.first().copied().unwrap_or(1);
    let channels = input.shape.get(1).copied().unwrap_or(1);
    let fits = count == 1 || (count == channels && input.rank() > 1);
    require(fits, call, "weight", || format!("must hold 1 number or {channels}, one per channel, not {count}"))?;
    Ok(metas)
}

/// The shape as which `prelu` broadcasts its weight to an input of `rank` dimensions.
pub(crate) fn weight_shape(count: usize, rank: usize) -> Vec<usize> {
    (0..rank).map(|dim| if dim == 1 { count } else { 1 }).collect()
}

/// What the numbers of an activation do: `hardtanh`'s bounds and the like, by name, or their defaults.
///
/// # Errors
/// When one is no number.
pub(crate) fn bounds<T>(call: &Call<T>) -> Result<(f64, f64), OpError> {
    match call.op() {
        "relu6" => Ok((0.0, 6.0)),
        _ => Ok((call.float("min_val", -1.0)?, call.float("max_val", 1.0)?)),
    }
}

/// The three numbers of an exponential unit: `negative · (e^(inner·x) − 1)` below 0, `positive · x` above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exponential {
    pub(crate) negative: f64,
    pub(crate) positive: f64,
    pub(crate) inner: f64,
}

impl Exponential {
    /// Those of `elu`, `celu` or `selu`.
    ///
    /// # Errors
    /// When an argument is no number.
    pub(crate) fn of<T>(call: &Call<T>) -> Result<Self, OpError> {
        // Klambauer and others, "Self-Normalizing Neural Networks" (2017), with PyTorch's digits.
        const SELU_ALPHA: f64 = 1.673_263_242_354_377_2;
        const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
        Ok(match call.op() {
            "selu" => Exponential { negative: SELU_ALPHA * SELU_SCALE, positive: SELU_SCALE, inner: 1.0 },
            "celu" => {
                let alpha = call.float("alpha", 1.0)?;
                Exponential { negative: alpha, positive: 1.0, inner: 1.0 / alpha }
            }
            _ => {
                let (alpha, scale) = (call.float("alpha", 1.0)?, call.float("scale", 1.0)?);
                let inner = call.float("input_scale", 1.0)?;
                Exponential { negative: alpha * scale, positive: scale, inner }
            }
        })
    }
}
