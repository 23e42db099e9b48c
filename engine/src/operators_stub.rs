//! TEMPORARY until oracle/ and webgpu/ provide what operators.rs names; then `pub mod operators;` takes its place.
use crate::graph::signatures::{attention, elementwise, gather, matmul, movement, norm, reduction};
use crate::graph::views::{self, View};
use crate::graph::{Call, Meta, OpError, Signature};
use crate::tensor::Layout;

/// A row.
#[derive(Clone, Copy, Debug)]
pub enum Definition {
    /// It computes.
    Kernel(&'static Signature),
    /// It only changes strides.
    View(&'static View),
}

static SIGNATURES: &[&Signature] = &[
    &elementwise::ADD, &elementwise::SUB, &elementwise::MUL, &elementwise::DIV, &elementwise::POW, &elementwise::LE, &elementwise::EQ,
    &elementwise::WHERE, &elementwise::NEG, &elementwise::CLAMP, &elementwise::TO, &elementwise::RSQRT, &elementwise::SQRT, &elementwise::COS,
    &elementwise::SIN, &elementwise::EXP, &elementwise::TANH, &elementwise::SIGMOID, &elementwise::SILU, &elementwise::RELU, &elementwise::GELU,
    &movement::CLONE, &movement::CAT, &gather::EMBEDDING, &reduction::SUM, &reduction::MEAN, &reduction::LINALG_VECTOR_NORM, &reduction::ARGMAX,
    &matmul::LINEAR, &matmul::MATMUL, &norm::SOFTMAX, &norm::LAYER_NORM, &norm::RMS_NORM, &attention::SCALED_DOT_PRODUCT_ATTENTION,
];
static VIEWS: &[&View] = &[
    &views::VIEW, &views::TRANSPOSE, &views::PERMUTE, &views::UNSQUEEZE, &views::SQUEEZE, &views::EXPAND, &views::SLICE, &views::SELECT,
    &views::SPLIT_WITH_SIZES, &views::ALIAS,
];

/// The row of an ATen name, or `None`: a gap.
pub fn lookup(op: &str) -> Option<Definition> {
    let kernel = SIGNATURES.iter().find(|s| s.name == op);
    let view = || VIEWS.iter().find(|view| view.name == op);
    kernel.map(|s| Definition::Kernel(s)).or_else(|| view().map(|view| Definition::View(view)))
}

/// dtype and shape of each result of a call.
///
/// # Errors
/// When the operator is unknown or an argument breaks a rule.
pub fn infer(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    match lookup(call.op()) {
        Some(Definition::Kernel(signature)) => signature.check(call),
        Some(Definition::View(view)) => {
            let input = call.tensor("input")?;
            let layouts = call.map_tensors(|meta| Layout::contiguous(&meta.shape));
            Ok(view.check(&layouts)?.iter().map(|layout| Meta::new(input.dtype, &layout.shape)).collect())
        }
        None => Err(OpError::Unknown(call.op().to_owned())),
    }
}
