//! Convolutions and their transposes over one to three spatial dimensions.

use super::{Family, Signature, require};
use crate::graph::{Arg, Call, Meta, OpError};

macro_rules! convolutions {
    ($($constant:ident $name:literal $params:expr;)*) => { $(
        #[doc = concat!("`torch.", $name, "`: see [`Convolution`] for shapes.")]
        pub static $constant: Signature =
            Signature { name: $name, family: Family::Convolution, params: $params, infer: convolution };
    )* };
}

const FORWARD: &[&str] = &["input", "weight", "bias", "stride", "padding", "dilation", "groups"];
const TRANSPOSED: &[&str] = &["input", "weight", "bias", "stride", "padding", "output_padding", "groups", "dilation"];
const GENERAL: &[&str] =
    &["input", "weight", "bias", "stride", "padding", "dilation", "transposed", "output_padding", "groups"];

convolutions! {
    CONV1D "conv1d" FORWARD;
    CONV2D "conv2d" FORWARD;
    CONV3D "conv3d" FORWARD;
    CONV_TRANSPOSE1D "conv_transpose1d" TRANSPOSED;
    CONV_TRANSPOSE2D "conv_transpose2d" TRANSPOSED;
    CONV_TRANSPOSE3D "conv_transpose3d" TRANSPOSED;
    CONVOLUTION "convolution" GENERAL;
}

/// A call of any convolution operator taken apart.
///
/// input `[N, G·I, spatial…]` (or without N, but for `convolution`), weight `[G·O, I, kernel…]`, transposed `[G·I, O, kernel…]`,
/// bias `[G·O]`, all of them floats, the weight in any stored form; result `[N, G·O, output…]` in the input's dtype. The spatial
/// dimensions are filled up to three, with sizes of 1 in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Convolution {
    /// Whether each element of the input is spread over the result, not the other way round.
    pub transposed: bool,
    /// Spatial dimensions that the call has.
    pub dims: usize,
    /// N; 1 where the input has no such dimension.
    pub batch: usize,
    /// G.
    pub groups: usize,
    /// I: channels of the input per group.
    pub in_channels: usize,
    /// O: channels of the result per group.
    pub out_channels: usize,
    /// Spatial sizes of the input.
    pub input: [usize; 3],
    /// Spatial sizes of the weight.
    pub kernel: [usize; 3],
    /// Spatial sizes of the result.
    pub output: [usize; 3],
    /// Steps of the kernel over the input, transposed of the input over the result.
    pub stride: [usize; 3],
    /// Zeros before the input, transposed what is cut off before the result.
    pub padding: [usize; 3],
    /// Distances between the kernel's taps.
    pub dilation: [usize; 3],
}

/// Arguments along one spatial dimension.
#[derive(Clone, Copy)]
struct Axis {
    input: usize,
    kernel: usize,
    stride: usize,
    dilation: usize,
    /// Before and after.
    padding: [usize; 2],
    output_padding: usize,
}

impl Convolution {
    /// Takes apart a call with an input and a weight of these shapes.
    ///
    /// # Errors
    /// When an argument breaks a rule, naming it.
    pub fn new<T>(call: &Call<T>, input: &[usize], weight: &[usize]) -> Result<Self, OpError> {
        let fixed = match call.op() {
            "conv1d" | "conv_transpose1d" => Some(1),
            "conv2d" | "conv_transpose2d" => Some(2),
            "conv3d" | "conv_transpose3d" => Some(3),
            _ => None,
        };
        let dims = fixed.unwrap_or(weight.len().saturating_sub(2));
        if !(1..=3).contains(&dims) || weight.len() != dims + 2 {
            let rule = match fixed {
                Some(dims) => format!("must have {} dimensions, not shape {weight:?}", dims + 2),
                None => format!("must have 3, 4 or 5 dimensions, not shape {weight:?}"),
            };
            return Err(call.error("weight", rule));
        }
        let batched = input.len() == dims + 2;
        if !(batched || (fixed.is_some() && input.len() == dims + 1)) {
            let rule = format!("must be [N, channels, {dims} spatial dimensions], not {input:?}");
            return Err(call.error("input", rule));
        }
        let (batch, channels) = if batched { (input[0], input[1]) } else { (1, input[0]) };
        let transposed = call.op().starts_with("conv_transpose") || call.bool("transposed", false)?;
        let groups = usize::try_from(call.int("groups", 1)?).unwrap_or(0);
        if groups == 0 {
            return Err(call.error("groups", "must be at least 1"));
        }
        let of_weight = if transposed { [weight[0], weight[1]] } else { [channels, weight[0]] };
        let [in_total, out] = of_weight;
        let grouped = if transposed { in_total } else { out };
        if grouped < groups || grouped % groups != 0 || channels % groups != 0 {
            let rule = format!("{groups} must divide the channels of input {input:?} and of weight {weight:?}");
            return Err(call.error("groups", rule));
        }
        let expected = if transposed { weight[0] } else { weight[1].saturating_mul(groups) };
        if channels != expected {
            let rule =
                format!("must have {expected} channels for weight {weight:?} and {groups} groups, not {input:?}");
            return Err(call.error("input", rule));
        }
        let mut this = Convolution {
            transposed,
            dims,
            batch,
            groups,
            in_channels: channels / groups,
            out_channels: if transposed { out } else { out / groups },
            input: [1; 3],
            kernel: [1; 3],
            output: [1; 3],
            stride: [1; 3],
            padding: [0; 3],
            dilation: [1; 3],
        };
        let spatial = &input[input.len() - dims..];
        for (dim, axis) in axes(call, spatial, &weight[2..], transposed)?.into_iter().enumerate() {
            let at = 3 - dims + dim;
            this.output[at] = axis.output(call, transposed)?;
            (this.input[at], this.kernel[at]) = (axis.input, axis.kernel);
            (this.stride[at], this.dilation[at], this.padding[at]) = (axis.stride, axis.dilation, axis.padding[0]);
        }
        Ok(this)
    }

    /// Channels of the result: G·O.
    pub fn channels(&self) -> usize {
        self.groups * self.out_channels
    }

    /// Taps of the kernel over all spatial dimensions.
    pub fn taps(&self) -> usize {
        self.kernel.iter().product()
    }

    /// Spatial sizes of the result, those that the call has.
    pub fn spatial(&self) -> &[usize] {
        &self.output[3 - self.dims..]
    }
}

impl Axis {
    /// Size of the result: ⌊(input + padding − dilation·(kernel − 1) − 1) / stride⌋ + 1, transposed
    /// (input − 1)·stride − padding + dilation·(kernel − 1) + output_padding + 1.
    fn output<T>(self, call: &Call<T>, transposed: bool) -> Result<usize, OpError> {
        let overflow = || call.error("padding", "and the other sizes overflow");
        let reach = self.dilation.checked_mul(self.kernel - 1).and_then(|reach| reach.checked_add(1));
        let reach = reach.ok_or_else(|| call.error("dilation", format!("{} is too large", self.dilation)))?;
        let padding = self.padding[0].checked_add(self.padding[1]).ok_or_else(overflow)?;
        if transposed {
            let steps = self.input.checked_sub(1);
            let steps = steps.ok_or_else(|| call.error("input", "must not be empty along a spatial dimension"))?;
            let steps = steps.checked_mul(self.stride).ok_or_else(overflow)?;
            let full = steps.checked_add(reach).and_then(|full| full.checked_add(self.output_padding));
            return full.ok_or_else(overflow)?.checked_sub(padding).filter(|&output| output > 0).ok_or_else(|| {
                call.error("padding", format!("of {padding} in all leaves nothing of a result of {full:?} elements"))
            });
        }
        let padded = self.input.checked_add(padding).ok_or_else(overflow)?;
        let steps = padded.checked_sub(reach).map(|rest| rest / self.stride).ok_or_else(|| {
            call.error("weight", format!("reaches over {reach} elements, more than the {padded} of the padded input"))
        })?;
        steps.checked_add(1).ok_or_else(overflow)
    }
}

fn axes<T>(call: &Call<T>, input: &[usize], kernel: &[usize], transposed: bool) -> Result<Vec<Axis>, OpError> {
    let dims = input.len();
    let stride = sizes(call, "stride", dims, 1, 1)?;
    let dilation = sizes(call, "dilation", dims, 1, 1)?;
    let output_padding = sizes(call, "output_padding", dims, 0, 0)?;
    let padding = match call.plain("padding") {
        Arg::Str(_) if transposed => return Err(call.error("padding", "must be integers")),
        Arg::Str(_) => None,
        _ => Some(sizes(call, "padding", dims, 0, 0)?),
    };
    let same = padding.is_none() && call.str("padding", "valid")? == "same";
    if padding.is_none() && !same && call.str("padding", "valid")? != "valid" {
        return Err(call.error("padding", "must be 'same', 'valid' or integers"));
    }
    if same && stride.iter().any(|&stride| stride != 1) {
        return Err(call.error("padding", format!("'same' needs a stride of 1, not {stride:?}")));
    }
    let mut axes = Vec::with_capacity(dims);
    for dim in 0..dims {
        // Each list has `dims` entries.
        let (kernel, dilation, stride) = (kernel[dim], dilation[dim], stride[dim]);
        if kernel == 0 {
            return Err(call.error("weight", "must not be empty along a spatial dimension"));
        }
        if transposed && output_padding[dim] > 0 && output_padding[dim] >= stride.max(dilation) {
            let rule = format!("{} must be less than stride {stride} or dilation {dilation}", output_padding[dim]);
            return Err(call.error("output_padding", rule));
        }
        let total = if same { dilation.saturating_mul(kernel - 1) } else { 0 };
        // An odd element more goes behind.
        let padding = padding.as_ref().map_or([total / 2, total - total / 2], |padding| [padding[dim]; 2]);
        axes.push(Axis { input: input[dim], kernel, stride, dilation, padding, output_padding: output_padding[dim] });
    }
    Ok(axes)
}

/// An argument with a number for each of `dims` dimensions, or one for all; `default` where it is left out or empty.
///
/// # Errors
/// When it holds another count of numbers, or one below `least`.
pub(super) fn sizes<T>(
    call: &Call<T>,
    name: &str,
    dims: usize,
    default: usize,
    least: usize,
) -> Result<Vec<usize>, OpError> {
    let Some(given) = call.opt_ints(name)?.filter(|given| !given.is_empty()) else { return Ok(vec![default; dims]) };
    if given.len() != dims && given.len() != 1 {
        return Err(call.error(name, format!("must hold {dims} numbers or one, not {}", given.len())));
    }
    let number = |value: &i64| {
        let number = usize::try_from(*value).ok().filter(|&number| number >= least);
        number.ok_or_else(|| call.error(name, format!("must be at least {least}, not {value}")))
    };
    let numbers = given.iter().map(number).collect::<Result<Vec<_>, _>>()?;
    Ok(if numbers.len() == dims { numbers } else { vec![numbers[0]; dims] })
}

fn convolution(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
    let geometry = Convolution::new(call, &input.shape, &weight.shape)?;
    for (name, tensor) in [("input", Some(input)), ("weight", Some(weight)), ("bias", call.opt_tensor("bias")?)] {
        let Some(tensor) = tensor else { continue };
        let floats = tensor.dtype.is_float() && (name == "weight" || !tensor.dtype.is_quantized());
        require(floats, call, name, || format!("must hold floats, not {}", tensor.dtype))?;
    }
    let channels = geometry.channels();
    if let Some(bias) = call.opt_tensor("bias")? {
        require(bias.shape == [channels], call, "bias", || {
            format!("must have shape [{channels}], not {:?}", bias.shape)
        })?;
    }
    let mut shape = input.shape[..input.rank() - geometry.dims].to_vec();
    if let Some(last) = shape.last_mut() {
        *last = channels;
    }
    shape.extend(geometry.spatial());
    require(input.dtype.byte_len(&shape).is_some(), call, "input", || format!("gives a result {shape:?}, too large"))?;
    Ok(vec![Meta::new(input.dtype, &shape)])
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::operators::infer;
    use crate::tensor::DType;

    fn call(op: &str, input: &[usize], weight: &[usize]) -> Call<Meta> {
        let tensor = |shape: &[usize]| Meta::new(DType::F32, shape);
        Call::new(op).tensor_arg("input", tensor(input)).tensor_arg("weight", tensor(weight))
    }

    #[test]
    fn every_bad_argument_is_named() {
        let conv = || call("conv2d", &[1, 4, 5, 5], &[8, 4, 3, 3]);
        let transposed = || call("conv_transpose2d", &[1, 4, 5, 5], &[4, 8, 3, 3]);
        let ints = |values: &[i64]| Arg::Ints(values.to_vec());
        let bool_input = conv().tensor_arg("input", Meta::new(DType::Bool, &[1, 4, 5, 5]));
        let bias = |shape: &[usize], dtype| conv().tensor_arg("bias", Meta::new(dtype, shape));
        let cases = [
            (call("conv2d", &[4, 5, 5], &[8, 4, 3]), "weight"),
            (call("conv2d", &[5, 5], &[8, 4, 3, 3]), "input"),
            (call("convolution", &[4, 5, 5], &[8, 4, 3, 3]), "input"),
            (call("convolution", &[4, 5], &[8, 4]), "weight"),
            (call("conv2d", &[1, 3, 5, 5], &[8, 4, 3, 3]), "4 channels"),
            (call("conv2d", &[1, 4, 2, 5], &[8, 4, 3, 3]), "weight"),
            (call("conv2d", &[1, 4, 5, 5], &[8, 4, 0, 3]), "weight"),
            (call("conv2d", &[1, 4, 5, 5], &[0, 4, 3, 3]), "groups"),
            (call("conv_transpose2d", &[1, 3, 5, 5], &[4, 8, 3, 3]), "4 channels"),
            (call("conv_transpose2d", &[1, 4, 0, 5], &[4, 8, 3, 3]), "input"),
            (bool_input, "input"),
            (bias(&[4], DType::F32), "bias"),
            (bias(&[8], DType::I64), "bias"),
            (conv().arg("groups", Arg::Int(0)), "groups"),
            (conv().arg("groups", Arg::Int(3)), "groups"),
            (conv().arg("groups", Arg::Int(i64::MIN)), "groups"),
            (conv().arg("stride", Arg::Int(0)), "stride"),
            (conv().arg("stride", ints(&[1, 1, 1])), "stride"),
            (conv().arg("padding", ints(&[-1, 0])), "padding"),
            (conv().arg("padding", Arg::Int(i64::MAX)), "padding"),
            (conv().arg("padding", Arg::Int(1 << 61)), "too large"),
            (conv().arg("padding", Arg::Str("full".to_owned())), "padding"),
            (conv().arg("padding", Arg::Str("same".to_owned())).arg("stride", Arg::Int(2)), "padding"),
            (transposed().arg("padding", Arg::Str("same".to_owned())), "padding"),
            (transposed().arg("padding", Arg::Int(4)), "padding"),
            (transposed().arg("output_padding", Arg::Int(1)), "output_padding"),
            (transposed().arg("stride", Arg::Int(i64::MAX)), "overflow"),
            (conv().arg("dilation", Arg::Int(i64::MAX)), "reaches over"),
            (conv().arg("dilation", Arg::Float(1.5)), "dilation"),
            (conv().arg("output_padding", Arg::Int(1)), "output_padding"),
        ];
        for (call, what) in cases {
            let error = infer(&call).expect_err(what).to_string();
            assert!(error.contains(call.op()) && error.contains(what), "{what}: {error}");
        }
    }
}
