//! Softmax and norms: one row at a time, shared by the lanes of a workgroup.

use crate::graph::signatures::norm::normalized_shape;
use crate::graph::{Call, wrap_dim};
use crate::webgpu::dispatch::{Dispatch, Scalar, Seen};
use crate::webgpu::pass::{Output, Pass};
use crate::webgpu::shaders::{self, Shader};
use crate::webgpu::{GpuError, GpuTensor};

/// Invocations per workgroup.
const WORKGROUP: u32 = 256;

/// `softmax`, `softmin` and `log_softmax`, also in their core forms.
///
/// # Errors
/// When memory runs out.
pub fn softmax(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let rank = input.layout().rank();
    // The signature has checked the dimension; a tensor of rank 0 is a row of one.
    let dim = wrap_dim(call.required_int("dim")?, rank).unwrap_or(0);
    let row = if rank == 0 { 0..0 } else { dim..dim + 1 };
    let rows = Rows::new(input, &output, row);
    pass.dispatch(match call.op() {
        "log_softmax" | "_log_softmax" => rows.dispatch(&shaders::LOG_SOFTMAX, input, &output),
        op => rows.dispatch(&shaders::SOFTMAX, input, &output).constant("NEGATED", op == "softmin"),
    })?;
    pass.finish(output)
}

/// `torch.nn.functional.layer_norm(input, normalized_shape, weight, bias, eps)`.
///
/// # Errors
/// When memory runs out.
pub fn layer_norm(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    norm(pass, call, &shaders::LAYER_NORM, call.float("eps", 1e-5)?)
}

/// `torch.nn.functional.rms_norm(input, normalized_shape, weight, eps)`; without eps the machine epsilon of f32, in
/// which PyTorch computes f16 and bf16 too.
///
/// # Errors
/// When memory runs out.
pub fn rms_norm(pass: &mut Pass<'_>, call: &Call<GpuTensor>) -> Result<Vec<GpuTensor>, GpuError> {
    norm(pass, call, &shaders::RMS_NORM, call.float("eps", f64::from(f32::EPSILON))?)
}

fn norm(
    pass: &mut Pass<'_>,
    call: &Call<GpuTensor>,
    shader: &'static Shader,
    eps: f64,
) -> Result<Vec<GpuTensor>, GpuError> {
    let input = call.tensor("input")?;
    let output = pass.result()?;
    let rank = input.layout().rank();
    // The signature has checked that the normalised shape is the end of the input's.
    let first = rank - normalized_shape(call)?.len();
    let rows = Rows::new(input, &output, first..rank);
    let mut dispatch = rows.dispatch(shader, input, &output).scalar("eps", Scalar::Float(eps as f32));
    for name in if call.op() == "layer_norm" { &["weight", "bias"][..] } else { &["weight"] } {
        dispatch = match call.opt_tensor(name)? {
            Some(tensor) => dispatch
                .read_as(name, tensor, Seen::Float, &[("column", &tensor.layout().strides)])
                .constant(if *name == "weight" { "HAS_WEIGHT" } else { "HAS_BIAS" }, true),
            // A number that is never used keeps the name known to the compiler.
            None => dispatch
                .constant_operand(name, Scalar::Float(0.0))
                .constant(if *name == "weight" { "HAS_WEIGHT" } else { "HAS_BIAS" }, false),
        };
    }
    pass.dispatch(dispatch)?;
    pass.finish(output)
}

/// The input's dimensions split into rows and the columns of a row.
struct Rows {
    row_shape: Vec<usize>,
    column_shape: Vec<usize>,
    input: [Vec<usize>; 2],
    output: [Vec<usize>; 2],
}

impl Rows {
    fn new(input: &GpuTensor, output: &Output, columns: std::ops::Range<usize>) -> Self {
        let split = |values: &[usize]| {
            let column = values[columns.clone()].to_vec();
            [[&values[..columns.start], &values[columns.end..]].concat(), column]
        };
        let [row_shape, column_shape] = split(input.shape());
        let output = split(&output.words().layout().strides);
        Rows { row_shape, column_shape, input: split(&input.layout().strides), output }
    }

    /// Short rows share a workgroup; a long one has it for itself.
    fn lanes(&self) -> u32 {
        let columns: usize = self.column_shape.iter().product();
        [4, 16, 64].into_iter().find(|&lanes| columns <= lanes as usize * 4).unwrap_or(WORKGROUP)
    }

    fn dispatch(&self, shader: &'static Shader, input: &GpuTensor, output: &Output) -> Dispatch {
        let lanes = self.lanes();
        let rows: usize = self.row_shape.iter().product();
        let columns: usize = self.column_shape.iter().product();
        let groups = if columns == 0 { 0 } else { rows.div_ceil((WORKGROUP / lanes) as usize) };
        Dispatch::new(shader, WORKGROUP)
            .constant("LANES", format!("{lanes}u"))
            .space("row", &self.row_shape)
            .space("column", &self.column_shape)
            .read_as("input", input, Seen::Float, &[("row", &self.input[0]), ("column", &self.input[1])])
            .write("result", output, &[("row", &self.output[0]), ("column", &self.output[1])])
            .size("rows", rows)
            .size("columns", columns)
            .groups(groups)
    }
}
