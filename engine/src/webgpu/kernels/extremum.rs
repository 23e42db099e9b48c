//! Largest and smallest elements, and where they stand.

use super::reduction::{Split, seen};
use super::rounding;
use crate::graph::Call;
use crate::webgpu::dispatch::{Dispatch, Seen};
use crate::webgpu::pass::Pass;
use crate::webgpu::{GpuError, GpuTensor, shaders};

type Tensors = Result<Vec<GpuTensor>, GpuError>;

/// `amax` and `amin`.
///
/// # Errors
/// When memory runs out.
pub fn amax(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    values(pass, call, call.op() == "amax", false)
}

/// `argmax` and `argmin`: the first of equal ones; NaN counts as larger, and as smaller, than all.
///
/// # Errors
/// When memory runs out.
pub fn argmax(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let dispatch = Split::new(call, input)?.dispatch(&shaders::ARGMAX, input, seen(input), &output);
    pass.dispatch(keyed(dispatch, input, call.op() == "argmax"))?;
    pass.finish(output)
}

/// `torch.max` and `torch.min`: of all, over one dimension with indices, or of two tensors.
///
/// # Errors
/// When memory runs out.
pub fn max(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let largest = call.op() == "max";
    if call.opt_tensor("other")?.is_some() {
        return rounding::extremum(pass, call);
    }
    if call.opt_int("dim")?.is_none() {
        return values(pass, call, largest, false);
    }
    let (values, indices) = (pass.result()?, pass.result_at(1)?);
    let split = Split::new(call, input)?;
    let mut dispatch = split.read(&shaders::EXTREMUM_PLACE, input, seen(input), values.numel());
    for (name, output) in [("values", &values), ("indices", &indices)] {
        dispatch = split.write(name, dispatch, output);
    }
    pass.dispatch(keyed(dispatch, input, largest))?;
    pass.finish_all([values, indices])
}

/// The vector norms of order ∞ and, unless `largest`, −∞.
pub(super) fn magnitude(pass: &mut Pass<'_>, call: &Call<GpuTensor>, largest: bool) -> Tensors {
    values(pass, call, largest, true)
}

fn values(pass: &mut Pass<'_>, call: &Call<GpuTensor>, largest: bool, magnitude: bool) -> Tensors {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let floats = output.words().dtype().is_float();
    let seen = if floats { Seen::Float } else { Seen::Integer };
    let dispatch = Split::new(call, input)?.dispatch(&shaders::AMAX, input, seen, &output);
    let constants = [("FLOATS", floats), ("LARGEST", largest), ("MAGNITUDE", magnitude)];
    pass.dispatch(constants.into_iter().fold(dispatch, |dispatch, (name, value)| dispatch.constant(name, value)))?;
    pass.finish(output)
}

/// The constants of keys.wgsl.
pub(super) fn keyed(dispatch: Dispatch, input: &GpuTensor, largest: bool) -> Dispatch {
    dispatch.constant("FLOATS", input.dtype().is_float()).constant("LARGEST", largest)
}
