//! Batch, group and instance norm, and the core forms of norms that give their statistics too.
//!
//! torch.export names the arguments of `batch_norm`, `instance_norm` and `group_norm` as PyTorch's functions do, and adds
//! `cudnn_enabled`, which says nothing of the result.

use super::norm::normalized_shape;
use super::{Family, Signature, require};
use crate::graph::{Call, Meta, OpError};
use crate::tensor::DType;
use std::ops::Range;

macro_rules! norms {
    ($($(#[$doc:meta])* $constant:ident $name:literal $params:expr, $infer:expr;)*) => { $(
        $(#[$doc])*
        pub static $constant: Signature = Signature {
            name: $name, family: Family::Norm, params: $params, infer: $infer,
        };
    )* };
}

norms! {
    /// `torch.nn.functional.batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1,
    /// eps=1e-5)`: with the running statistics, or with those of the batch where it trains. The running statistics stay as
    /// they are.
    BATCH_NORM "batch_norm" &["input", "running_mean", "running_var", "weight", "bias", "training", "momentum", "eps", "cudnn_enabled"],
        batch_norm;
    /// `torch.ops.aten._native_batch_norm_legit_no_training(input, weight, bias, running_mean, running_var, momentum, eps)`:
    /// the result and two tensors without elements, as on PyTorch's CPU.
    NATIVE_BATCH_NORM "_native_batch_norm_legit_no_training"
        &["input", "weight", "bias", "running_mean", "running_var", "momentum", "eps"], native_batch_norm;
    /// `torch.nn.functional.instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None,
    /// use_input_stats=True, momentum=0.1, eps=1e-5)`.
    INSTANCE_NORM "instance_norm"
        &["input", "running_mean", "running_var", "weight", "bias", "use_input_stats", "momentum", "eps", "cudnn_enabled"],
        instance_norm;
    /// `torch.nn.functional.group_norm(input, num_groups, weight=None, bias=None, eps=1e-5)`.
    GROUP_NORM "group_norm" &["input", "num_groups", "weight", "bias", "eps", "cudnn_enabled"], group_norm;
    /// `torch.ops.aten.native_group_norm(input, weight, bias, N, C, HxW, group, eps)`: the result, and the mean and 1 / √(variance
    /// + eps) of each group, of shape \[N, group\].
    NATIVE_GROUP_NORM "native_group_norm" &["input", "weight", "bias", "N", "C", "HxW", "group", "eps"], native_group_norm;
    /// `torch.ops.aten.native_layer_norm(input, normalized_shape, weight, bias, eps)`: the result, and the mean and
    /// 1 / √(variance + eps) of each row, with a size of 1 for each normalised dimension.
    NATIVE_LAYER_NORM "native_layer_norm" &["input", "normalized_shape", "weight", "bias", "eps"], native_layer_norm;
}

/// How a norm of this file sees its input.
#[derive(Clone, Debug)]
pub struct Normalization {
    /// The input's shape; the channels are split into groups and channels per group where it has groups.
    pub shape: Vec<usize>,
    /// Dimensions over which mean and variance are taken, ascending.
    pub shared: Vec<usize>,
    /// Dimensions that weight and bias run over.
    pub affine: Range<usize>,
    /// Channels per group, where it has groups.
    per_group: Option<usize>,
}

impl Normalization {
    /// Of a call over an input of shape `input`.
    ///
    /// # Errors
    /// When the shape does not fit the operator.
    pub fn new<T>(call: &Call<T>, input: &[usize]) -> Result<Self, OpError> {
        let (shape, rank) = (input.to_vec(), input.len());
        if call.op() == "native_layer_norm" {
            let size = normalized_shape(call)?;
            if size.is_empty() || !input.ends_with(&size) {
                let rule = format!("{size:?} must be the end of the input's shape {input:?}");
                return Err(call.error("normalized_shape", rule));
            }
            let first = rank - size.len();
            return Ok(Normalization { shape, shared: (first..rank).collect(), affine: first..rank, per_group: None });
        }
        let &[_, channels, ..] = input else {
            return Err(call.error("input", format!("must have a batch and channels, not shape {input:?}")));
        };
        if let "group_norm" | "native_group_norm" = call.op() {
            let name = if call.op() == "group_norm" { "num_groups" } else { "group" };
            let groups = call.required_int(name)?;
            let positive = usize::try_from(groups).ok().filter(|&groups| groups > 0 && channels % groups == 0);
            let groups =
                positive.ok_or_else(|| call.error(name, format!("{groups} must divide {channels} channels")))?;
            let mut shape = shape;
            shape.splice(1..2, [groups, channels / groups]);
            let per_group = Some(channels / groups);
            return Ok(Normalization { shared: (2..shape.len()).collect(), shape, affine: 1..3, per_group });
        }
        let first = usize::from(call.op() == "instance_norm") * 2;
        let shared = (first..rank).filter(|&dim| dim != 1).collect();
        Ok(Normalization { shape, shared, affine: 1..2, per_group: None })
    }

    /// Strides along `shape` of an input with these strides.
    pub fn strides(&self, input: &[usize]) -> Vec<usize> {
        let mut strides = input.to_vec();
        if let (Some(per_group), Some(&channel)) = (self.per_group, input.get(1)) {
            strides.splice(1..2, [channel.wrapping_mul(per_group), channel]);
        }
        strides
    }

    /// Strides along `shape` of a weight with these strides: 0 where it is repeated.
    pub fn affine_strides(&self, weight: &[usize]) -> Vec<usize> {
        let own = match (self.per_group, weight.first()) {
            (Some(per_group), Some(&channel)) => vec![channel.wrapping_mul(per_group), channel],
            _ => weight.to_vec(),
        };
        let mut strides = vec![0; self.shape.len()];
        for (dim, stride) in self.affine.clone().zip(own) {
            if let Some(place) = strides.get_mut(dim) {
                *place = stride;
            }
        }
        strides
    }

    /// Shape of weight and bias.
    fn affine_shape(&self) -> Vec<usize> {
        let sizes = self.shape.get(self.affine.clone()).unwrap_or_default();
        if self.per_group.is_some() { vec![sizes.iter().product()] } else { sizes.to_vec() }
    }
}

/// Whether the statistics are given, and not those of the input.
///
/// # Errors
/// When the argument that says so is no flag.
pub fn statistics_are_given<T>(call: &Call<T>) -> Result<bool, OpError> {
    Ok(match call.op() {
        "batch_norm" => !call.bool("training", false)?,
        "instance_norm" => !call.bool("use_input_stats", true)?,
        op => op == "_native_batch_norm_legit_no_training",
    })
}

/// The argument `eps`; batch and instance norm refuse a negative one, as PyTorch does.
///
/// # Errors
/// When it is negative or no number.
pub fn epsilon<T>(call: &Call<T>) -> Result<f64, OpError> {
    let eps = call.float("eps", 1e-5)?;
    let any = matches!(call.op(), "group_norm" | "native_group_norm" | "native_layer_norm");
    if any || eps >= 0.0 { Ok(eps) } else { Err(call.error("eps", format!("must not be negative, but is {eps}"))) }
}

fn batch_norm(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    call.opt_float("momentum")?;
    of_channels(call).map(|(result, _)| vec![result])
}

fn native_batch_norm(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    call.opt_float("momentum")?;
    let (result, dtype) = of_channels(call)?;
    Ok(vec![result, Meta::new(dtype, &[0]), Meta::new(dtype, &[0])])
}

fn instance_norm(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    batch_norm(call)
}

fn of_channels(call: &Call<Meta>) -> Result<(Meta, DType), OpError> {
    let given = statistics_are_given(call)?;
    for name in ["running_mean", "running_var"] {
        require(!given || call.opt_tensor(name)?.is_some(), call, name, || {
            "is missing; it is needed where the statistics are not those of the input".to_owned()
        })?;
    }
    checked(call, &["running_mean", "running_var", "weight", "bias"])
}

fn group_norm(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (result, _) = checked(call, &["weight", "bias"])?;
    let pixels: usize = result.shape.iter().skip(2).product();
    require(pixels > 0, call, "input", || format!("must have elements in each channel, not shape {:?}", result.shape))?;
    Ok(vec![result])
}

fn native_group_norm(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (mut results, (_, dtype)) = (group_norm(call)?, checked(call, &["weight", "bias"])?);
    let shape = &call.tensor("input")?.shape;
    let sizes = [("N", shape.first()), ("C", shape.get(1))].map(|(name, size)| (name, size.copied().unwrap_or(1)));
    for (name, size) in sizes.into_iter().chain([("HxW", shape.iter().skip(2).product())]) {
        let said = call.required_int(name)?;
        require(usize::try_from(said) == Ok(size), call, name, || format!("{said} is {size} for shape {shape:?}"))?;
    }
    let plan = Normalization::new(call, shape)?;
    let statistics = Meta::new(dtype, plan.shape.get(..2).unwrap_or_default());
    results.extend([statistics.clone(), statistics]);
    Ok(results)
}

fn native_layer_norm(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (result, dtype) = checked(call, &["weight", "bias"])?;
    let plan = Normalization::new(call, &result.shape)?;
    let shape: Vec<usize> =
        plan.shape.iter().enumerate().map(|(dim, &size)| if plan.shared.contains(&dim) { 1 } else { size }).collect();
    let statistics = Meta::new(dtype, &shape);
    Ok(vec![result, statistics.clone(), statistics])
}

/// The result's meta and the dtype of statistics: that of the parameters, which is the input's or f32 (ATen's
/// `mixed_data_type.h`).
fn checked(call: &Call<Meta>, parameters: &[&str]) -> Result<(Meta, DType), OpError> {
    let input = call.tensor("input")?;
    let float = matches!(input.dtype, DType::F32 | DType::F16 | DType::BF16 | DType::F64);
    require(float, call, "input", || format!("must hold floats of 16 bits and more, not {}", input.dtype))?;
    epsilon(call)?;
    let shape = Normalization::new(call, &input.shape)?.affine_shape();
    let mut dtype = None;
    for &name in parameters {
        let Some(parameter) = call.opt_tensor(name)? else { continue };
        require(parameter.shape == shape, call, name, || {
            format!("must have shape {shape:?} for an input of shape {:?}, not {:?}", input.shape, parameter.shape)
        })?;
        let first = *dtype.get_or_insert(parameter.dtype);
        let narrow = matches!(input.dtype, DType::F16 | DType::BF16) && first == DType::F32;
        require(parameter.dtype == first && (first == input.dtype || narrow), call, name, || {
            format!(
                "must be {}, or f32 as all parameters beside a narrower input, not {}",
                input.dtype, parameter.dtype
            )
        })?;
    }
    Ok((input.clone(), dtype.unwrap_or(input.dtype)))
}
