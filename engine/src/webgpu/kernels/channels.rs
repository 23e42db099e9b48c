//! Channels that become pixels, pixels that become channels, channels in another order.

use super::elementwise::Tensors;
use super::rearrange::{Steps, copy_box};
use crate::graph::Call;
use crate::graph::signatures::channels::Shuffle;
use crate::tensor::Layout;
use crate::webgpu::GpuTensor;
use crate::webgpu::pass::Pass;

/// `pixel_shuffle`, `pixel_unshuffle`, `channel_shuffle`: a copy that walks the input's dimensions, cut into smaller ones, in
/// another order.
///
/// # Errors
/// When memory runs out.
pub fn shuffle(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let shuffle = Shuffle::of(call, input.shape())?;
    let sizes = shuffle.sizes();
    let strides = shuffle.in_order(&cut_strides(&input.layout().strides, &shuffle.cut));
    let from = Steps::of(&Layout { shape: sizes.clone(), strides, offset: input.layout().offset });
    copy_box(pass, input, &from, &output, &Layout::contiguous(&sizes).strides, &sizes)?;
    pass.finish(output)
}

/// Strides of dimensions that are cut: of each one's parts the last steps as it did, the others past those that follow.
fn cut_strides(strides: &[usize], cut: &[Vec<usize>]) -> Vec<usize> {
    let parts = strides.iter().zip(cut).map(|(&stride, parts)| {
        let steps = Layout::contiguous(parts).strides;
        steps.into_iter().map(|step| step.saturating_mul(stride)).collect::<Vec<_>>()
    });
    parts.collect::<Vec<_>>().concat()
}
