//! Pooling over one to three spatial dimensions.

use super::convolution::sizes;
use super::{Family, Signature, require};
use crate::graph::{Call, Meta, OpError};
use crate::tensor::DType;

macro_rules! pools {
    ($($constant:ident $name:literal $params:expr, $infer:expr;)*) => { $(
        #[doc = concat!("`torch.", $name, "`: see [`Pool`] for shapes.")]
        pub static $constant: Signature =
            Signature { name: $name, family: Family::Pooling, params: $params, infer: $infer };
    )* };
}

const MAX: &[&str] = &["input", "kernel_size", "stride", "padding", "dilation", "ceil_mode"];
const AVG_1D: &[&str] = &["input", "kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"];
const AVG: &[&str] =
    &["input", "kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"];
const ADAPTIVE: &[&str] = &["input", "output_size"];

pools! {
    MAX_POOL1D "max_pool1d" MAX, largest;
    MAX_POOL2D "max_pool2d" MAX, largest;
    MAX_POOL3D "max_pool3d" MAX, largest;
    MAX_POOL1D_WITH_INDICES "max_pool1d_with_indices" MAX, largest_with_indices;
    MAX_POOL2D_WITH_INDICES "max_pool2d_with_indices" MAX, largest_with_indices;
    MAX_POOL3D_WITH_INDICES "max_pool3d_with_indices" MAX, largest_with_indices;
    AVG_POOL1D "avg_pool1d" AVG_1D, mean;
    AVG_POOL2D "avg_pool2d" AVG, mean;
    AVG_POOL3D "avg_pool3d" AVG, mean;
    ADAPTIVE_AVG_POOL1D "adaptive_avg_pool1d" ADAPTIVE, mean;
    ADAPTIVE_AVG_POOL2D "adaptive_avg_pool2d" ADAPTIVE, mean;
    ADAPTIVE_AVG_POOL3D "adaptive_avg_pool3d" ADAPTIVE, mean;
    ADAPTIVE_AVG_POOL2D_CORE "_adaptive_avg_pool2d" ADAPTIVE, mean;
    ADAPTIVE_AVG_POOL3D_CORE "_adaptive_avg_pool3d" ADAPTIVE, mean;
    ADAPTIVE_MAX_POOL2D "adaptive_max_pool2d" ADAPTIVE, largest_with_indices;
}

/// A call of any pooling operator taken apart.
///
/// input `[N, C, spatial…]` or `[C, spatial…]`, result `[…, output…]` in the input's dtype, with indices also their positions in
/// the channel's plane, i64. The spatial dimensions are filled up to three, with sizes of 1 in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Spatial dimensions that the call has.
    pub dims: usize,
    /// Spatial sizes of the input.
    pub input: [usize; 3],
    /// Spatial sizes of the result.
    pub output: [usize; 3],
    /// The windows' sizes and steps; None where they are spread evenly over the input (`adaptive_…`).
    pub steps: Option<Steps>,
}

/// Windows of one size in steps of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// Elements per window.
    pub kernel: [usize; 3],
    /// From window to window.
    pub stride: [usize; 3],
    /// What the first window may reach beyond the input.
    pub padding: [usize; 3],
    /// From element to element within a window.
    pub dilation: [usize; 3],
}

/// A window along one dimension: the elements `first`, `first + step`, … below `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First element inside the input.
    pub first: usize,
    /// Behind the last.
    pub end: usize,
    /// From element to element.
    pub step: usize,
    /// Elements with those of the padding, but without those that `ceil_mode` adds behind it.
    pub padded: usize,
}

impl Pool {
    /// Takes apart a call with an input of this shape.
    ///
    /// # Errors
    /// When an argument breaks a rule, naming it.
    pub fn new<T>(call: &Call<T>, shape: &[usize]) -> Result<Self, OpError> {
        let dims = match call.op() {
            op if op.contains("1d") => 1,
            op if op.contains("3d") => 3,
            _ => 2,
        };
        let spatial = shape.len().checked_sub(dims).filter(|before| (1..=2).contains(before));
        let spatial = spatial.map(|before| &shape[before..]).filter(|spatial| !spatial.contains(&0));
        let spatial = spatial.ok_or_else(|| {
            let rule = format!("must be [N, C, spatial…] or [C, spatial…] with {dims} spatial dimensions, none empty");
            call.error("input", format!("{rule}, not {shape:?}"))
        })?;
        let mut this = Pool { dims, input: [1; 3], output: [1; 3], steps: None };
        this.input[3 - dims..].copy_from_slice(spatial);
        if call.op().contains("adaptive") {
            call.ints("output_size")?;
            this.output[3 - dims..].copy_from_slice(&sizes(call, "output_size", dims, 0, 0)?);
            return Ok(this);
        }
        let steps = Steps::new(call, dims)?;
        let ceil = call.bool("ceil_mode", false)?;
        for dim in 3 - dims..3 {
            this.output[dim] = steps.output(dim, this.input[dim], ceil).ok_or_else(|| {
                call.error("kernel_size", format!("{:?} leaves no result of input {shape:?}", steps.kernel))
            })?;
        }
        this.steps = Some(steps);
        Ok(this)
    }

    /// Window `at` along `dim`.
    pub fn window(&self, dim: usize, at: usize) -> Window {
        let (input, output) = (self.input[dim] as u128, self.output[dim].max(1) as u128);
        let Some(steps) = &self.steps else {
            // At most the input's size, so they fit.
            let first = (at as u128 * input / output) as usize;
            let end = ((at as u128 + 1) * input).div_ceil(output) as usize;
            return Window { first, end, step: 1, padded: end - first };
        };
        // Counted from the first element of the padding. Every window begins inside the padded input.
        let (padding, step) = (steps.padding[dim] as u128, steps.dilation[dim].max(1) as u128);
        let place = at as u128 * steps.stride[dim] as u128;
        let short = padding.saturating_sub(place).div_ceil(step) * step;
        let first = (place + short).saturating_sub(padding);
        let reach = steps.reach(dim);
        let end = (place + reach).min(input + padding).saturating_sub(padding);
        let padded = (place + steps.kernel[dim] as u128).min(input + 2 * padding) - place;
        Window { first: first as usize, end: end as usize, step: step as usize, padded: padded as usize }
    }

    /// Elements of a plane of the result.
    pub fn plane(&self) -> usize {
        self.output.iter().product()
    }

    /// Spatial sizes of the result, those that the call has.
    pub fn spatial(&self) -> &[usize] {
        &self.output[3 - self.dims..]
    }
}

impl Steps {
    fn new<T>(call: &Call<T>, dims: usize) -> Result<Self, OpError> {
        call.ints("kernel_size")?;
        let kernel = sizes(call, "kernel_size", dims, 1, 1)?;
        let stride = match call.opt_ints("stride")?.filter(|stride| !stride.is_empty()) {
            Some(_) => sizes(call, "stride", dims, 1, 1)?,
            None => kernel.clone(),
        };
        let padding = sizes(call, "padding", dims, 0, 0)?;
        let dilation = sizes(call, "dilation", dims, 1, 1)?;
        let filled = |values: &[usize], with: usize| {
            let mut filled = [with; 3];
            filled[3 - dims..].copy_from_slice(values);
            filled
        };
        let this = Steps {
            kernel: filled(&kernel, 1),
            stride: filled(&stride, 1),
            padding: filled(&padding, 0),
            dilation: filled(&dilation, 1),
        };
        for dim in 0..3 {
            if this.padding[dim] as u128 > this.reach(dim) / 2 {
                let rule = format!("{padding:?} must be at most half of the window {kernel:?}");
                return Err(call.error("padding", rule));
            }
        }
        Ok(this)
    }

    /// Elements between the first and the last of a window, both included.
    pub fn reach(&self, dim: usize) -> u128 {
        self.dilation[dim] as u128 * (self.kernel[dim] as u128 - 1) + 1
    }

    /// Number of windows: ⌊(input + 2·padding − reach) / stride⌋ + 1, with `ceil` rounded up, but none that begins behind the
    /// input and the padding before it (`pooling_output_shape` in ATen's `Pool.h`).
    fn output(&self, dim: usize, input: usize, ceil: bool) -> Option<usize> {
        let (stride, padding) = (self.stride[dim] as u128, self.padding[dim] as u128);
        let more = if ceil { stride - 1 } else { 0 };
        let mut output = (input as u128 + 2 * padding + more).checked_sub(self.reach(dim))? / stride + 1;
        if ceil && (output - 1) * stride >= input as u128 + padding {
            output -= 1;
        }
        usize::try_from(output).ok().filter(|&output| output > 0)
    }
}

fn shape(call: &Call<Meta>) -> Result<Vec<usize>, OpError> {
    let input = call.tensor("input")?;
    let pool = Pool::new(call, &input.shape)?;
    let mut shape = input.shape[..input.rank() - pool.dims].to_vec();
    shape.extend(pool.spatial());
    // The indices, if any, are the largest.
    require(DType::I64.byte_len(&shape).is_some(), call, "input", || format!("gives a result {shape:?}, too large"))?;
    Ok(shape)
}

fn largest(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    require(input.dtype != DType::Bool && !input.dtype.is_quantized(), call, "input", || {
        format!("must hold numbers, not {}", input.dtype)
    })?;
    Ok(vec![Meta::new(input.dtype, &shape(call)?)])
}

fn largest_with_indices(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let mut results = largest(call)?;
    let shape = results.iter().flat_map(|result| result.shape.clone()).collect::<Vec<_>>();
    results.push(Meta::new(DType::I64, &shape));
    Ok(results)
}

fn mean(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let input = call.tensor("input")?;
    require(input.dtype.is_float() && !input.dtype.is_quantized(), call, "input", || {
        format!("must hold floats, not {}", input.dtype)
    })?;
    call.bool("count_include_pad", true)?;
    require(call.opt_int("divisor_override")? != Some(0), call, "divisor_override", || "must not be 0".into())?;
    Ok(vec![Meta::new(input.dtype, &shape(call)?)])
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::graph::Arg;
    use crate::operators::infer;

    #[test]
    fn every_bad_argument_is_named() {
        let of = |op: &str, dtype, shape: &[usize]| Call::new(op).tensor_arg("input", Meta::new(dtype, shape));
        let max = || of("max_pool2d", DType::F32, &[1, 3, 5, 5]);
        let sized = || max().arg("kernel_size", Arg::Int(3));
        let adaptive = |shape: &[usize]| of("adaptive_avg_pool2d", DType::F32, shape);
        let ints = |values: &[i64]| Arg::Ints(values.to_vec());
        let huge = Arg::Int(i64::MAX);
        let divided = of("avg_pool2d", DType::F32, &[1, 5, 5]).arg("kernel_size", Arg::Int(2));
        let cases = [
            (max(), "kernel_size"),
            (max().arg("kernel_size", ints(&[1, 2, 3])), "kernel_size"),
            (max().arg("kernel_size", Arg::Int(0)), "kernel_size"),
            (max().arg("kernel_size", Arg::Int(6)), "kernel_size"),
            (max().arg("kernel_size", huge.clone()), "kernel_size"),
            (sized().arg("padding", Arg::Int(2)), "padding"),
            (sized().arg("padding", Arg::Int(-1)), "padding"),
            (sized().arg("stride", Arg::Int(0)), "stride"),
            (sized().arg("dilation", huge.clone()), "kernel_size"),
            (max().arg("kernel_size", huge.clone()).arg("dilation", huge.clone()).arg("padding", huge), "kernel_size"),
            (sized().arg("ceil_mode", Arg::Int(1)), "ceil_mode"),
            (of("max_pool2d", DType::Bool, &[1, 5, 5]).arg("kernel_size", Arg::Int(2)), "input"),
            (of("max_pool2d", DType::F32, &[5, 5]).arg("kernel_size", Arg::Int(2)), "input"),
            (of("max_pool2d", DType::F32, &[1, 3, 0, 5]).arg("kernel_size", Arg::Int(2)), "input"),
            (of("avg_pool2d", DType::I64, &[1, 5, 5]).arg("kernel_size", Arg::Int(2)), "input"),
            (divided.arg("divisor_override", Arg::Int(0)), "divisor_override"),
            (adaptive(&[1, 5, 5]), "output_size"),
            (adaptive(&[1, 5, 5]).arg("output_size", Arg::Int(-1)), "output_size"),
            (adaptive(&[1, 5, 5]).arg("output_size", Arg::Int(i64::MAX)), "too large"),
            (adaptive(&[5, 5]).arg("output_size", Arg::Int(1)), "input"),
        ];
        for (call, what) in cases {
            let error = infer(&call).expect_err(what).to_string();
            assert!(error.contains(call.op()) && error.contains(what), "{what}: {error}");
        }
    }

    #[test]
    fn windows_stay_inside_whatever_their_size() {
        let huge = 1 << 62;
        let steps = Steps { kernel: [huge; 3], stride: [huge; 3], padding: [3; 3], dilation: [huge; 3] };
        let pool = Pool { dims: 3, input: [5; 3], output: [1; 3], steps: Some(steps) };
        let window = pool.window(0, 0);
        assert!((window.first..window.end).step_by(window.step).all(|at| at < 5));
        assert_eq!(window.padded, 11);
    }
}
