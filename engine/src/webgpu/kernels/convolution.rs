//! Convolutions: as a matrix product in tiles, and element by element where a group has few channels.

use crate::graph::Call;
use crate::graph::signatures::convolution::Convolution;
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::shaders;
use crate::webgpu::{GpuError, GpuTensor};

/// With fewer channels of the result per group than this, tiles would be mostly empty.
const FEW_CHANNELS: usize = 8;
/// Elements of the result in a tile.
const TILE_COLUMNS: usize = 64;

/// `conv1d` to `conv3d`, `conv_transpose1d` to `conv_transpose3d`, and `convolution`.
///
/// # Errors
/// When sizes leave 31 bits, or memory runs out.
pub fn convolution(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
    let geometry = Convolution::new(call, input.shape(), weight.shape())?;
    let output = pass.result()?;
    if let Some(needed) = largest_place(&geometry) {
        let what = format!("{} of {:?} by {:?}", call.op(), input.shape(), weight.shape());
        return Err(GpuError::DoesNotFit { what, limit: "31-bit places", needed, offered: u64::from(u32::MAX / 2) });
    }
    let dispatch = if geometry.out_channels < FEW_CHANNELS {
        Dispatch::new(&shaders::CONVOLUTION_DIRECT, ELEMENTWISE).invocations(output.numel(), ELEMENTWISE)
    } else {
        let rows_each = geometry.out_channels.div_ceil(16).clamp(1, 4);
        let columns = geometry.batch * geometry.output.iter().product::<usize>();
        let row_tiles = geometry.out_channels.div_ceil(16 * rows_each);
        let tiles = columns.div_ceil(TILE_COLUMNS) * row_tiles * geometry.groups;
        Dispatch::new(&shaders::CONVOLUTION, ELEMENTWISE)
            .constant("ROWS", format!("{rows_each}u"))
            .size("columns", columns)
            .size("depth", geometry.in_channels * geometry.taps())
            .size("tiles", tiles)
            .groups(tiles)
    };
    let dispatch = described(dispatch, &geometry, input, weight, &output);
    let dispatch = match call.opt_tensor("bias")? {
        Some(bias) => dispatch.space("channel", &[geometry.channels()]).read_as(
            "bias",
            bias,
            Seen::Float,
            &[("channel", &bias.layout().strides)],
        ),
        None => dispatch.constant_operand("bias", Scalar::Float(0.0)),
    };
    pass.dispatch(dispatch)?;
    pass.finish(output)
}

/// The extent of the padded input, or of the uncut result, where the kernels' signed reading of it would fail.
fn largest_place(geometry: &Convolution) -> Option<u64> {
    let extents = (0..3).map(|dim| {
        let reach = geometry.dilation[dim].saturating_mul(geometry.kernel[dim]);
        let steps = if geometry.transposed { geometry.input[dim] } else { geometry.output[dim] };
        let extent = steps.saturating_mul(geometry.stride[dim]).saturating_add(reach);
        extent.saturating_add(geometry.padding[dim]).saturating_add(geometry.input[dim]) as u64
    });
    extents.max().filter(|&extent| extent > u64::from(u32::MAX / 2))
}

/// Operands, constants and parameters that both kernels share.
fn described(
    mut dispatch: Dispatch,
    geometry: &Convolution,
    input: &GpuTensor,
    weight: &GpuTensor,
    output: &Output,
) -> Dispatch {
    let (inputs, weights) = (&input.layout().strides, &weight.layout().strides);
    let dims = geometry.dims;
    // The signature has checked the ranks: the input's is one or two more than `dims`, the weight's two.
    let channel = inputs.len() - dims - 1;
    let spatial = &inputs[channel + 1..];
    let batch_stride = if channel > 0 { inputs[0] } else { 0 };
    // The group is part of the dimension that holds all channels of the side that is not summed (transposed: that is).
    let (out, inner) = if geometry.transposed { (weights[1], weights[0]) } else { (weights[0], weights[1]) };
    let grouped = if geometry.transposed { geometry.in_channels } else { geometry.out_channels };
    let depth_shape: Vec<usize> = std::iter::once(geometry.in_channels).chain(geometry.kernel).collect();
    let mut depth_strides = vec![0; 4];
    depth_strides[0] = inner;
    depth_strides[4 - dims..].copy_from_slice(&weights[2..]);
    let names = [
        ["KERNEL_D", "STRIDE_D", "DILATION_D"],
        ["KERNEL_H", "STRIDE_H", "DILATION_H"],
        ["KERNEL_W", "STRIDE_W", "DILATION_W"],
    ];
    for (dim, [kernel, stride, dilation]) in names.into_iter().enumerate() {
        dispatch = dispatch
            .constant(kernel, format!("{}u", geometry.kernel[dim]))
            .constant(stride, format!("{}u", geometry.stride[dim]))
            .constant(dilation, format!("{}u", geometry.dilation[dim]));
    }
    let names = [
        ["input_d", "output_d", "padding_d", "input_d_stride"],
        ["input_h", "output_h", "padding_h", "input_h_stride"],
        ["input_w", "output_w", "padding_w", "input_w_stride"],
    ];
    for (dim, [size, result, padding, stride]) in names.into_iter().enumerate() {
        let own = (dim + dims).checked_sub(3).and_then(|at| spatial.get(at));
        dispatch = dispatch
            .size(size, geometry.input[dim])
            .size(result, geometry.output[dim])
            .size(padding, geometry.padding[dim])
            .size(stride, own.copied().unwrap_or(0));
    }
    dispatch
        .constant("TAPS", format!("{}u", geometry.taps()))
        .constant("TRANSPOSED", geometry.transposed)
        .space("k", &depth_shape)
        .read_as("input", input, Seen::Float, &[])
        .read_as("weight", weight, Seen::Float, &[("k", &depth_strides)])
        .write("result", output, &[])
        .size("channels", geometry.channels())
        .size("in_channels", geometry.in_channels)
        .size("out_channels", geometry.out_channels)
        .size("input_n_stride", batch_stride)
        .size("input_c_stride", inputs[channel])
        .size("weight_out_stride", out)
        .size("weight_group_stride", grouped.saturating_mul(weights[0]))
}
