//! The vocabulary: one row per operator, naming its signature and its implementations.
//!
//! Adding an operator is a signature, an oracle function and a kernel in the file of its family, and a row here.

use crate::compare::allowance::{self, AllowanceFn};
use crate::graph::signatures::{attention, elementwise, gather, matmul, movement, norm, reduction};
use crate::graph::views::{self, View};
use crate::graph::{Call, Meta, OpError, Signature};
use crate::oracle::{self, OracleFn};
use crate::tensor::Layout;
use crate::webgpu::kernels::{self, KernelFn};

/// An operator that computes.
#[derive(Debug)]
pub struct Kernel {
    /// Names, arguments and the shapes and dtypes of its results.
    pub signature: &'static Signature,
    /// In f64 on the CPU.
    pub oracle: OracleFn,
    /// In WGSL.
    pub webgpu: KernelFn,
    /// What WGSL's accuracy rules allow its built-in functions, and the order of its sums, to be off.
    pub allowance: AllowanceFn,
}

/// A row of the vocabulary.
#[derive(Clone, Copy, Debug)]
pub enum Definition {
    /// It computes.
    Kernel(&'static Kernel),
    /// It only changes strides.
    View(&'static View),
}

macro_rules! kernels {
    ($($signature:path, $oracle:path, $webgpu:path, $allowance:path;)*) => {
        &[$( Kernel { signature: &$signature, oracle: $oracle, webgpu: $webgpu, allowance: $allowance } ),*]
    };
}

/// Every operator that computes.
pub static KERNELS: &[Kernel] = kernels! {
    // Elementwise
    elementwise::ADD, oracle::elementwise::add, kernels::elementwise::binary, allowance::add;
    elementwise::SUB, oracle::elementwise::sub, kernels::elementwise::binary, allowance::add;
    elementwise::MUL, oracle::elementwise::mul, kernels::elementwise::binary, allowance::exact;
    elementwise::DIV, oracle::elementwise::div, kernels::elementwise::binary, allowance::division;
    elementwise::POW, oracle::elementwise::pow, kernels::elementwise::binary, allowance::pow;
    elementwise::LE, oracle::elementwise::le, kernels::elementwise::binary, allowance::exact;
    elementwise::EQ, oracle::elementwise::eq, kernels::elementwise::binary, allowance::exact;
    elementwise::WHERE, oracle::elementwise::where_, kernels::elementwise::where_, allowance::exact;
    elementwise::NEG, oracle::elementwise::neg, kernels::elementwise::unary, allowance::exact;
    elementwise::CLAMP, oracle::elementwise::clamp, kernels::elementwise::clamp, allowance::exact;
    elementwise::TO, oracle::elementwise::to, kernels::elementwise::to, allowance::exact;
    elementwise::RSQRT, oracle::elementwise::rsqrt, kernels::elementwise::unary, allowance::two_ulp;
    elementwise::SQRT, oracle::elementwise::sqrt, kernels::elementwise::unary, allowance::sqrt;
    elementwise::COS, oracle::elementwise::cos, kernels::elementwise::unary, allowance::trigonometric;
    elementwise::SIN, oracle::elementwise::sin, kernels::elementwise::unary, allowance::trigonometric;
    elementwise::EXP, oracle::elementwise::exp, kernels::elementwise::unary, allowance::exp;
    elementwise::TANH, oracle::elementwise::tanh, kernels::elementwise::unary, allowance::tanh;
    elementwise::SIGMOID, oracle::elementwise::sigmoid, kernels::elementwise::unary, allowance::sigmoid;
    elementwise::SILU, oracle::elementwise::silu, kernels::elementwise::unary, allowance::silu;
    elementwise::RELU, oracle::elementwise::relu, kernels::elementwise::unary, allowance::exact;
    elementwise::GELU, oracle::elementwise::gelu, kernels::elementwise::gelu, allowance::gelu;
    // Movement
    movement::CLONE, oracle::movement::clone, kernels::movement::clone, allowance::exact;
    movement::CAT, oracle::movement::cat, kernels::movement::cat, allowance::exact;
    // Gather
    gather::EMBEDDING, oracle::gather::embedding, kernels::gather::embedding, allowance::exact;
    // Reductions
    reduction::SUM, oracle::reduction::sum, kernels::reduction::reduce, allowance::sum;
    reduction::MEAN, oracle::reduction::mean, kernels::reduction::reduce, allowance::mean;
    reduction::LINALG_VECTOR_NORM, oracle::reduction::linalg_vector_norm, kernels::reduction::reduce, allowance::vector_norm;
    reduction::ARGMAX, oracle::reduction::argmax, kernels::reduction::argmax, allowance::exact;
    // Matrix products
    matmul::LINEAR, oracle::matmul::linear, kernels::matmul::linear, allowance::linear;
    matmul::MATMUL, oracle::matmul::matmul, kernels::matmul::matmul, allowance::matmul;
    // Softmax and norms
    norm::SOFTMAX, oracle::norm::softmax, kernels::norm::softmax, allowance::softmax;
    norm::LAYER_NORM, oracle::norm::layer_norm, kernels::norm::layer_norm, allowance::layer_norm;
    norm::RMS_NORM, oracle::norm::rms_norm, kernels::norm::rms_norm, allowance::rms_norm;
    // Attention
    attention::SCALED_DOT_PRODUCT_ATTENTION, oracle::attention::scaled_dot_product_attention,
        kernels::attention::scaled_dot_product_attention, allowance::attention;
};

/// Every view operator.
pub static VIEWS: &[&View] = &[
    &views::VIEW,
    &views::TRANSPOSE,
    &views::PERMUTE,
    &views::UNSQUEEZE,
    &views::SQUEEZE,
    &views::EXPAND,
    &views::SLICE,
    &views::SELECT,
    &views::SPLIT_WITH_SIZES,
    &views::ALIAS,
];

/// The row of an ATen name, or `None`: a gap.
pub fn lookup(op: &str) -> Option<Definition> {
    let kernel = KERNELS.iter().find(|kernel| kernel.signature.name == op);
    let view = || VIEWS.iter().find(|view| view.name == op);
    kernel.map(Definition::Kernel).or_else(|| view().map(|view| Definition::View(view)))
}

/// dtype and shape of each result of a call.
///
/// # Errors
/// When the operator is unknown or an argument breaks a rule.
pub fn infer(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    match lookup(call.op()) {
        Some(Definition::Kernel(kernel)) => kernel.signature.check(call),
        Some(Definition::View(view)) => {
            let input = call.tensor("input")?;
            let layouts = call.map_tensors(|meta| Layout::contiguous(&meta.shape));
            Ok(view.check(&layouts)?.iter().map(|layout| Meta::new(input.dtype, &layout.shape)).collect())
        }
        None => Err(OpError::Unknown(call.op().to_owned())),
    }
}
