//! Batch, group and instance norm, and the core forms that give their statistics too.

use super::rows::Rows;
use crate::graph::signatures::normalization::{Normalization, epsilon, statistics_are_given};
use crate::graph::{Call, OpError};
use crate::tensor::{DType, Layout};
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{ELEMENTWISE, Output, Pass};
use crate::webgpu::{GpuError, GpuTensor, shaders};

type Tensors = Result<Vec<GpuTensor>, GpuError>;

/// `batch_norm`, `instance_norm`, `group_norm`, and the core forms.
///
/// # Errors
/// When memory runs out.
pub fn normalization(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    if statistics_are_given(call)? { with_given_statistics(pass, call) } else { with_own_statistics(pass, call) }
}

fn with_given_statistics(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let plan = Normalization::new(call, input.shape())?;
    let output = pass.result()?;
    let mut dispatch = Dispatch::new(&shaders::BATCH_NORM, ELEMENTWISE)
        .space("element", input.shape())
        .read_as("input", input, Seen::Float, &[("element", &input.layout().strides)])
        .write("result", &output, &[("element", &output.words().layout().strides)])
        .scalar("eps", Scalar::Float(epsilon(call)? as f32))
        .invocations(output.numel(), ELEMENTWISE);
    for (name, argument) in [("mean", "running_mean"), ("variance", "running_var")] {
        let tensor = call.tensor(argument)?;
        let strides = plan.affine_strides(&tensor.layout().strides);
        dispatch = dispatch.read_as(name, tensor, Seen::Float, &[("element", &strides)]);
    }
    pass.dispatch(parameters(dispatch, call, |strides| vec![("element", plan.affine_strides(strides))])?)?;
    let mut outputs = vec![output];
    if call.op() == "_native_batch_norm_legit_no_training" {
        outputs.extend([pass.result_at(1)?, pass.result_at(2)?]);
    }
    pass.finish_all(outputs)
}

fn with_own_statistics(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Tensors {
    let input = call.tensor("input")?;
    let plan = Normalization::new(call, input.shape())?;
    let layout = Layout { shape: plan.shape.clone(), strides: plan.strides(&input.layout().strides), offset: 0 };
    let rows = Rows::new(&layout, &plan.shared);
    let output = pass.result()?;
    let given = call.op().starts_with("native_");
    let mut statistics = |at| -> Result<Output, GpuError> {
        if given { pass.result_at(at) } else { pass.scratch_output(DType::F32, &[rows.count()]) }
    };
    let (mean, factor) = (statistics(1)?, statistics(2)?);
    let read = rows.read(&shaders::NORMALIZE, input).scalar("eps", Scalar::Float(epsilon(call)? as f32));
    let mut dispatch = rows.write("result", read, &output);
    for (name, statistic) in [("mean", &mean), ("factor", &factor)] {
        dispatch = rows.write_one(name, dispatch, statistic);
    }
    dispatch = parameters(dispatch, call, |strides| {
        let [row, column] = rows.split(&plan.affine_strides(strides));
        vec![("row", row), ("column", column)]
    })?;
    pass.dispatch(dispatch)?;
    if given { pass.finish_all([output, mean, factor]) } else { pass.finish(output) }
}

/// Weight and bias, where they are given; `access` makes of their strides how they are addressed.
fn parameters(
    mut dispatch: Dispatch,
    call: &Call<GpuTensor>,
    access: impl Fn(&[usize]) -> Vec<(&'static str, Vec<usize>)>,
) -> Result<Dispatch, OpError> {
    for (name, has) in [("weight", "HAS_WEIGHT"), ("bias", "HAS_BIAS")] {
        let tensor = call.opt_tensor(name)?;
        let access = access(tensor.map_or(&[], |tensor| &tensor.layout().strides));
        let access: Vec<_> = access.iter().map(|(space, strides)| (*space, strides.as_slice())).collect();
        dispatch = match tensor {
            Some(tensor) => dispatch.read_as(name, tensor, Seen::Float, &access),
            // A number that is never used keeps the name known to the compiler.
            None => dispatch.constant_operand_over(name, Scalar::Float(0.0), &access),
        };
        dispatch = dispatch.constant(has, tensor.is_some());
    }
    Ok(dispatch)
}
