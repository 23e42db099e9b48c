//! Pooling: an invocation per window, or several where windows are large.

use crate::graph::Call;
use crate::graph::signatures::pooling::{Pool, Steps};
use crate::tensor::DType;
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::shaders::{self, Shader};
use crate::webgpu::{GpuError, GpuTensor};

/// `max_pool1d` to `max_pool3d`.
///
/// # Errors
/// When sizes leave 32 bits, or memory runs out.
pub fn largest(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let output = pass.result()?;
    let dispatch = largest_of(&shaders::MAX_POOL, call, &output)?;
    pass.dispatch(dispatch)?;
    pass.finish(output)
}

/// `max_pool…_with_indices` and `adaptive_max_pool…`: values and positions.
///
/// # Errors
/// When sizes leave 32 bits, or memory runs out.
pub fn largest_with_indices(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let (output, indices) = (pass.result()?, pass.result_at(1)?);
    let dispatch = largest_of(&shaders::MAX_POOL_WITH_INDICES, call, &output)?;
    pass.dispatch(dispatch.write("indices", &indices, &[]))?;
    pass.finish_all([output, indices])
}

fn largest_of(shader: &'static Shader, call: &Call<GpuTensor>, output: &Output) -> Result<Dispatch, GpuError> {
    let input = call.tensor("input")?;
    let pool = Pool::new(call, input.shape())?;
    let lowest = match input.dtype() {
        DType::I64 | DType::I32 => i32::MIN.cast_unsigned(),
        DType::I16 => i32::from(i16::MIN).cast_unsigned(),
        DType::I8 => i32::from(i8::MIN).cast_unsigned(),
        dtype if !dtype.is_float() => 0,
        _ => f32::NEG_INFINITY.to_bits(),
    };
    let dispatch = Dispatch::new(shader, ELEMENTWISE)
        .constant("FLOATS", input.dtype().is_float())
        .constant("LOWEST", format!("{lowest}u"))
        .invocations(output.numel(), ELEMENTWISE);
    described(dispatch, &pool, call, output)
}

/// `avg_pool1d` to `avg_pool3d`, `adaptive_avg_pool1d` to `adaptive_avg_pool3d`.
///
/// # Errors
/// When sizes leave 32 bits, or memory runs out.
pub fn mean(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let output = pass.result()?;
    let pool = Pool::new(call, call.tensor("input")?.shape())?;
    let divisor = call.opt_int("divisor_override")?;
    let window = |dim: usize| match &pool.steps {
        Some(steps) => steps.kernel[dim].min(pool.input[dim]),
        None => pool.input[dim].div_ceil(pool.output[dim].max(1)),
    };
    let largest: usize = (0..3).map(window).product();
    let lanes = [1, 16, 64].into_iter().find(|&lanes| largest <= lanes as usize * 32).unwrap_or(ELEMENTWISE);
    let dispatch = Dispatch::new(&shaders::AVG_POOL, ELEMENTWISE)
        .constant("LANES", format!("{lanes}u"))
        .constant("COUNT_PADDING", call.bool("count_include_pad", true)?)
        .constant("OVERRIDDEN", divisor.is_some())
        .scalar("divisor", Scalar::Float(divisor.unwrap_or(1) as f32))
        .size("count", output.numel())
        .groups(output.numel().div_ceil((ELEMENTWISE / lanes) as usize));
    pass.dispatch(described(dispatch, &pool, call, &output)?)?;
    pass.finish(output)
}

/// Operands, constants and parameters that all kernels share.
fn described(
    mut dispatch: Dispatch,
    pool: &Pool,
    call: &Call<GpuTensor>,
    output: &Output,
) -> Result<Dispatch, GpuError> {
    let input = call.tensor("input")?;
    let ones = Steps { kernel: [1; 3], stride: [1; 3], padding: [0; 3], dilation: [1; 3] };
    let steps = pool.steps.unwrap_or(ones);
    // The signature has checked that the rank is more than `dims`.
    let (planes, spatial) = input.layout().strides.split_at(input.layout().rank() - pool.dims);
    let names = [
        ["input_d", "output_d", "input_d_stride", "kernel_d", "stride_d", "padding_d", "dilation_d", "reach_d"],
        ["input_h", "output_h", "input_h_stride", "kernel_h", "stride_h", "padding_h", "dilation_h", "reach_h"],
        ["input_w", "output_w", "input_w_stride", "kernel_w", "stride_w", "padding_w", "dilation_w", "reach_w"],
    ];
    for (dim, names) in names.into_iter().enumerate() {
        let (size, count) = (pool.input[dim], pool.output[dim]);
        let own = (dim + pool.dims).checked_sub(3).and_then(|at| spatial.get(at));
        // A window or a step that is longer than the padded input ends where that ends.
        let most = size.saturating_add(steps.padding[dim].saturating_mul(2)).saturating_add(1);
        let reach = usize::try_from(steps.reach(dim)).unwrap_or(usize::MAX).min(most);
        let values = [
            size,
            count,
            own.copied().unwrap_or(0),
            steps.kernel[dim].min(most),
            steps.stride[dim].min(most),
            steps.padding[dim],
            steps.dilation[dim].min(most),
            reach,
        ];
        // The largest number that the kernels come to.
        let needed = if pool.steps.is_some() { most.saturating_mul(3) } else { size.saturating_mul(count + 1) } as u64;
        if needed > u64::from(u32::MAX) {
            let what = format!("{} of {:?}", call.op(), input.shape());
            let offered = u64::from(u32::MAX);
            return Err(GpuError::DoesNotFit { what, limit: "32-bit positions", needed, offered });
        }
        for (name, value) in names.into_iter().zip(values) {
            dispatch = dispatch.size(name, value);
        }
    }
    let seen = if input.dtype().is_float() { Seen::Float } else { Seen::Integer };
    Ok(dispatch
        .constant("ADAPTIVE", pool.steps.is_none())
        .space("plane", &input.shape()[..planes.len()])
        .read_as("input", input, seen, &[("plane", planes)])
        .write("result", output, &[]))
}
