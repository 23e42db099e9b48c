//! The vocabulary: one row per operator, naming its signature and its implementations.
//!
//! Adding an operator is a signature, an oracle function and a kernel in the file of its family, and a row here.

use crate::compare::allowance::{self, AllowanceFn};
use crate::graph::signatures::{
    activation, arithmetic, attention, channels, clamp, combination, convolution, creation, elementwise, extremum,
    gather, grouped, index, logic, matmul, movement, norm, normalization, pad, pooling, products, rearrange, reduction,
    remainder, scan, softmax, sort, triangle, variance, vector_norm, weight_norm,
};
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

impl Definition {
    /// ATen name without overload.
    pub fn name(self) -> &'static str {
        match self {
            Definition::Kernel(kernel) => kernel.signature.name,
            Definition::View(view) => view.name,
        }
    }
}

macro_rules! kernels {
    ($($signature:path, $oracle:path, $webgpu:path, $allowance:path;)*) => {
        &[$( Kernel { signature: &$signature, oracle: $oracle, webgpu: $webgpu, allowance: $allowance } ),*]
    };
}

/// Every operator that computes.
pub static KERNELS: &[Kernel] = kernels! {
    // Elementwise
    combination::ADD, oracle::combination::add, kernels::elementwise::binary, allowance::add;
    combination::SUB, oracle::combination::sub, kernels::elementwise::binary, allowance::add;
    elementwise::MUL, oracle::elementwise::mul, kernels::elementwise::binary, allowance::exact;
    remainder::DIV, oracle::remainder::div, kernels::remainder::div, allowance::quotient;
    elementwise::POW, oracle::elementwise::pow, kernels::elementwise::binary, allowance::pow;
    elementwise::LE, oracle::elementwise::le, kernels::elementwise::binary, allowance::exact;
    elementwise::EQ, oracle::elementwise::eq, kernels::elementwise::binary, allowance::exact;
    elementwise::WHERE, oracle::elementwise::where_, kernels::elementwise::where_, allowance::exact;
    elementwise::NEG, oracle::elementwise::neg, kernels::elementwise::unary, allowance::exact;
    clamp::CLAMP, oracle::clamp::clamp, kernels::clamp::clamp, allowance::exact;
    clamp::CLAMP_MIN, oracle::clamp::clamp_min, kernels::clamp::clamp, allowance::exact;
    clamp::CLAMP_MAX, oracle::clamp::clamp_max, kernels::clamp::clamp, allowance::exact;
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
    // Comparisons, truth values, bits
    logic::NE, oracle::logic::ne, kernels::elementwise::binary, allowance::exact;
    logic::GE, oracle::logic::ge, kernels::elementwise::binary, allowance::exact;
    logic::GT, oracle::logic::gt, kernels::elementwise::binary, allowance::exact;
    logic::LT, oracle::logic::lt, kernels::elementwise::binary, allowance::exact;
    logic::ISNAN, oracle::logic::isnan, kernels::logic::truth, allowance::exact;
    logic::ISINF, oracle::logic::isinf, kernels::logic::truth, allowance::exact;
    logic::LOGICAL_NOT, oracle::logic::logical_not, kernels::logic::truth, allowance::exact;
    logic::LOGICAL_AND, oracle::logic::logical_and, kernels::logic::logical, allowance::exact;
    logic::LOGICAL_OR, oracle::logic::logical_or, kernels::logic::logical, allowance::exact;
    logic::LOGICAL_XOR, oracle::logic::logical_xor, kernels::logic::logical, allowance::exact;
    logic::BITWISE_AND, oracle::logic::bitwise_and, kernels::logic::bitwise, allowance::exact;
    logic::BITWISE_OR, oracle::logic::bitwise_or, kernels::logic::bitwise, allowance::exact;
    logic::BITWISE_XOR, oracle::logic::bitwise_xor, kernels::logic::bitwise, allowance::exact;
    logic::BITWISE_LEFT_SHIFT, oracle::logic::bitwise_left_shift, kernels::logic::bitwise, allowance::exact;
    logic::BITWISE_RIGHT_SHIFT, oracle::logic::bitwise_right_shift, kernels::logic::bitwise, allowance::exact;
    logic::AND, oracle::logic::and, kernels::logic::bitwise, allowance::exact;
    logic::BITWISE_NOT, oracle::logic::bitwise_not, kernels::logic::bitwise_not, allowance::exact;
    // Rounding and extremes
    arithmetic::MAXIMUM, oracle::rounding::maximum, kernels::rounding::extremum, allowance::exact;
    arithmetic::MINIMUM, oracle::rounding::minimum, kernels::rounding::extremum, allowance::exact;
    arithmetic::ABS, oracle::rounding::abs, kernels::rounding::rounding, allowance::exact;
    arithmetic::SIGN, oracle::rounding::sign, kernels::rounding::rounding, allowance::exact;
    arithmetic::FLOOR, oracle::rounding::floor, kernels::rounding::rounding, allowance::exact;
    arithmetic::CEIL, oracle::rounding::ceil, kernels::rounding::rounding, allowance::exact;
    arithmetic::TRUNC, oracle::rounding::trunc, kernels::rounding::rounding, allowance::exact;
    arithmetic::ROUND, oracle::rounding::round, kernels::rounding::rounding, allowance::round;
    // Functions of one number
    arithmetic::SQUARE, oracle::functions::square, kernels::functions::square, allowance::exact;
    arithmetic::RECIPROCAL, oracle::functions::reciprocal, kernels::functions::reciprocal, allowance::division;
    arithmetic::LOG, oracle::functions::log, kernels::functions::logarithm, allowance::function;
    arithmetic::LOG2, oracle::functions::log2, kernels::functions::logarithm, allowance::function;
    arithmetic::LOG10, oracle::functions::log10, kernels::functions::logarithm, allowance::function;
    arithmetic::LOG1P, oracle::functions::log1p, kernels::functions::logarithm, allowance::function;
    arithmetic::ASINH, oracle::functions::asinh, kernels::functions::logarithm, allowance::function;
    arithmetic::ACOSH, oracle::functions::acosh, kernels::functions::logarithm, allowance::function;
    arithmetic::ATANH, oracle::functions::atanh, kernels::functions::logarithm, allowance::function;
    arithmetic::EXP2, oracle::functions::exp2, kernels::functions::exponential, allowance::function;
    arithmetic::EXPM1, oracle::functions::expm1, kernels::functions::exponential, allowance::function;
    arithmetic::SINH, oracle::functions::sinh, kernels::functions::exponential, allowance::function;
    arithmetic::COSH, oracle::functions::cosh, kernels::functions::exponential, allowance::function;
    arithmetic::ERF, oracle::functions::erf, kernels::functions::exponential, allowance::function;
    arithmetic::TAN, oracle::functions::tan, kernels::functions::angle, allowance::function;
    arithmetic::ASIN, oracle::functions::asin, kernels::functions::angle, allowance::asin;
    arithmetic::ACOS, oracle::functions::acos, kernels::functions::angle, allowance::acos;
    arithmetic::ATAN, oracle::functions::atan, kernels::functions::angle, allowance::function;
    // Creation
    creation::FULL, oracle::creation::full, kernels::creation::fill, allowance::exact;
    creation::ZEROS, oracle::creation::zeros, kernels::creation::fill, allowance::exact;
    creation::ONES, oracle::creation::ones, kernels::creation::fill, allowance::exact;
    creation::FULL_LIKE, oracle::creation::full_like, kernels::creation::fill, allowance::exact;
    creation::ZEROS_LIKE, oracle::creation::zeros_like, kernels::creation::fill, allowance::exact;
    creation::ONES_LIKE, oracle::creation::ones_like, kernels::creation::fill, allowance::exact;
    creation::NEW_FULL, oracle::creation::new_full, kernels::creation::fill, allowance::exact;
    creation::NEW_ZEROS, oracle::creation::new_zeros, kernels::creation::fill, allowance::exact;
    creation::NEW_ONES, oracle::creation::new_ones, kernels::creation::fill, allowance::exact;
    creation::SCALAR_TENSOR, oracle::creation::scalar_tensor, kernels::creation::fill, allowance::exact;
    creation::ARANGE, oracle::creation::arange, kernels::creation::arange, allowance::arange;
    creation::EYE, oracle::creation::eye, kernels::creation::eye, allowance::exact;
    // Parts replaced
    triangle::TRIL, oracle::triangle::tril, kernels::triangle::triangle, allowance::exact;
    triangle::TRIU, oracle::triangle::triu, kernels::triangle::triangle, allowance::exact;
    triangle::MASKED_FILL, oracle::triangle::masked_fill, kernels::triangle::masked_fill, allowance::exact;
    // Activations
    activation::SOFTPLUS, oracle::activation::softplus, kernels::activation::activation, allowance::activation;
    activation::LEAKY_RELU, oracle::activation::leaky_relu, kernels::activation::activation, allowance::activation;
    activation::ELU, oracle::activation::elu, kernels::activation::activation, allowance::activation;
    activation::CELU, oracle::activation::celu, kernels::activation::activation, allowance::activation;
    activation::SELU, oracle::activation::selu, kernels::activation::activation, allowance::activation;
    activation::RELU6, oracle::activation::relu6, kernels::activation::bounded, allowance::exact;
    activation::HARDTANH, oracle::activation::hardtanh, kernels::activation::bounded, allowance::exact;
    activation::HARDSIGMOID, oracle::activation::hardsigmoid, kernels::activation::activation, allowance::activation;
    activation::HARDSWISH, oracle::activation::hardswish, kernels::activation::activation, allowance::activation;
    activation::HARDSHRINK, oracle::activation::hardshrink, kernels::activation::activation, allowance::exact;
    activation::SOFTSHRINK, oracle::activation::softshrink, kernels::activation::activation, allowance::activation;
    activation::THRESHOLD, oracle::activation::threshold, kernels::activation::bounded, allowance::exact;
    activation::MISH, oracle::activation::mish, kernels::activation::activation, allowance::activation;
    activation::SOFTSIGN, oracle::activation::softsign, kernels::activation::activation, allowance::activation;
    activation::LOGSIGMOID, oracle::activation::logsigmoid, kernels::activation::activation, allowance::activation;
    activation::LOG_SIGMOID, oracle::activation::log_sigmoid, kernels::activation::activation, allowance::activation;
    activation::ERFC, oracle::activation::erfc, kernels::activation::activation, allowance::activation;
    activation::SINC, oracle::activation::sinc, kernels::activation::activation, allowance::activation;
    activation::GLU, oracle::activation::glu, kernels::activation::glu, allowance::glu;
    activation::PRELU, oracle::activation::prelu, kernels::activation::prelu, allowance::exact;
    // Functions of two and three
    combination::RSUB, oracle::combination::rsub, kernels::combination::rsub, allowance::rsub;
    combination::LOGADDEXP, oracle::combination::logaddexp, kernels::combination::of_two, allowance::of_two;
    combination::LOGADDEXP2, oracle::combination::logaddexp2, kernels::combination::of_two, allowance::of_two;
    combination::XLOGY, oracle::combination::xlogy, kernels::combination::of_two, allowance::of_two;
    combination::ATAN2, oracle::combination::atan2, kernels::combination::of_two, allowance::of_two;
    combination::HYPOT, oracle::combination::hypot, kernels::combination::of_two, allowance::of_two;
    combination::LERP, oracle::combination::lerp, kernels::combination::lerp, allowance::lerp;
    combination::ADDCMUL, oracle::combination::addcmul, kernels::combination::addc, allowance::addc;
    combination::ADDCDIV, oracle::combination::addcdiv, kernels::combination::addc, allowance::addc;
    // Division with its remainder
    remainder::FLOOR_DIVIDE, oracle::remainder::floor_divide, kernels::remainder::remainder, allowance::quotient;
    remainder::REMAINDER, oracle::remainder::remainder, kernels::remainder::remainder, allowance::exact;
    remainder::FMOD, oracle::remainder::fmod, kernels::remainder::remainder, allowance::exact;
    // Movement
    movement::CLONE, oracle::movement::clone, kernels::movement::clone, allowance::exact;
    movement::CAT, oracle::movement::cat, kernels::movement::cat, allowance::exact;
    movement::STACK, oracle::movement::stack, kernels::movement::stack, allowance::exact;
    rearrange::RESHAPE, oracle::rearrange::reshape, kernels::rearrange::reshape, allowance::exact;
    rearrange::FLATTEN, oracle::rearrange::flatten, kernels::rearrange::reshape, allowance::exact;
    rearrange::CONTIGUOUS, oracle::rearrange::contiguous, kernels::rearrange::reshape, allowance::exact;
    rearrange::REPEAT, oracle::rearrange::repeat, kernels::rearrange::repeat, allowance::exact;
    rearrange::TILE, oracle::rearrange::tile, kernels::rearrange::repeat, allowance::exact;
    rearrange::REPEAT_INTERLEAVE, oracle::rearrange::repeat_interleave, kernels::rearrange::repeat_interleave,
        allowance::exact;
    rearrange::FLIP, oracle::rearrange::flip, kernels::rearrange::flip, allowance::exact;
    rearrange::ROLL, oracle::rearrange::roll, kernels::rearrange::roll, allowance::exact;
    channels::PIXEL_SHUFFLE, oracle::channels::pixel_shuffle, kernels::channels::shuffle, allowance::exact;
    channels::PIXEL_UNSHUFFLE, oracle::channels::pixel_unshuffle, kernels::channels::shuffle, allowance::exact;
    channels::CHANNEL_SHUFFLE, oracle::channels::channel_shuffle, kernels::channels::shuffle, allowance::exact;
    pad::PAD, oracle::pad::pad, kernels::pad::pad, allowance::exact;
    pad::CONSTANT_PAD_ND, oracle::pad::constant_pad_nd, kernels::pad::pad, allowance::exact;
    pad::DIFF, oracle::pad::diff, kernels::pad::diff, allowance::diff;
    pad::SLICE_SCATTER, oracle::pad::slice_scatter, kernels::pad::overwrite, allowance::exact;
    pad::SELECT_SCATTER, oracle::pad::select_scatter, kernels::pad::overwrite, allowance::exact;
    // Gather
    gather::EMBEDDING, oracle::gather::embedding, kernels::gather::embedding, allowance::exact;
    index::GATHER, oracle::index::gather, kernels::index::gather, allowance::exact;
    index::INDEX_SELECT, oracle::index::index_select, kernels::index::index_select, allowance::exact;
    index::INDEX, oracle::index::index, kernels::index::index, allowance::exact;
    index::SCATTER, oracle::index::scatter, kernels::index::scatter, allowance::scatter;
    index::SCATTER_ADD, oracle::index::scatter_add, kernels::index::scatter, allowance::scatter;
    index::INDEX_PUT, oracle::index::index_put, kernels::index::index_put, allowance::scatter;
    // Reductions
    reduction::SUM, oracle::reduction::sum, kernels::reduction::reduce, allowance::sum;
    reduction::MEAN, oracle::reduction::mean, kernels::reduction::reduce, allowance::mean;
    reduction::LINALG_VECTOR_NORM, oracle::reduction::linalg_vector_norm, kernels::reduction::linalg_vector_norm,
        allowance::vector_norm;
    reduction::ARGMAX, oracle::reduction::argmax, kernels::extremum::argmax, allowance::exact;
    reduction::PROD, oracle::reduction::prod, kernels::reduction::reduce, allowance::prod;
    reduction::ANY, oracle::reduction::any, kernels::reduction::count, allowance::exact;
    reduction::ALL, oracle::reduction::all, kernels::reduction::count, allowance::exact;
    reduction::COUNT_NONZERO, oracle::reduction::count_nonzero, kernels::reduction::count, allowance::exact;
    extremum::AMAX, oracle::extremum::amax, kernels::extremum::amax, allowance::exact;
    extremum::AMIN, oracle::extremum::amin, kernels::extremum::amax, allowance::exact;
    extremum::ARGMIN, oracle::extremum::argmin, kernels::extremum::argmax, allowance::exact;
    extremum::MAX, oracle::extremum::max, kernels::extremum::max, allowance::exact;
    extremum::MIN, oracle::extremum::min, kernels::extremum::max, allowance::exact;
    vector_norm::NORM, oracle::reduction::vector_norm_by_name, kernels::reduction::vector_norm_by_name,
        allowance::vector_norm_by_name;
    vector_norm::LINALG_NORM, oracle::reduction::vector_norm_by_name, kernels::reduction::vector_norm_by_name,
        allowance::vector_norm_by_name;
    variance::VAR, oracle::variance::variance, kernels::variance::variance, allowance::variance;
    variance::STD, oracle::variance::variance, kernels::variance::variance, allowance::variance;
    variance::VAR_MEAN, oracle::variance::variance, kernels::variance::variance, allowance::variance;
    variance::STD_MEAN, oracle::variance::variance, kernels::variance::variance, allowance::variance;
    // Scans and sorts
    scan::CUMSUM, oracle::scan::cumsum, kernels::scan::cumsum, allowance::cumsum;
    scan::CUMPROD, oracle::scan::cumprod, kernels::scan::cumsum, allowance::cumprod;
    scan::CUMMAX, oracle::scan::cummax, kernels::scan::cummax, allowance::exact;
    scan::CUMMIN, oracle::scan::cummin, kernels::scan::cummax, allowance::exact;
    sort::SORT, oracle::sort::sort, kernels::sort::sort, allowance::exact;
    sort::ARGSORT, oracle::sort::argsort, kernels::sort::argsort, allowance::exact;
    sort::TOPK, oracle::sort::topk, kernels::sort::topk, allowance::exact;
    sort::HISTC, oracle::sort::histc, kernels::sort::histc, allowance::histc;
    // Matrix products
    matmul::LINEAR, oracle::matmul::linear, kernels::matmul::linear, allowance::linear;
    matmul::MATMUL, oracle::matmul::matmul, kernels::matmul::matmul, allowance::matmul;
    products::MM, oracle::products::product, kernels::products::product, allowance::product;
    products::BMM, oracle::products::product, kernels::products::product, allowance::product;
    products::MV, oracle::products::product, kernels::products::product, allowance::product;
    products::DOT, oracle::products::product, kernels::products::product, allowance::product;
    products::ADDMM, oracle::products::product, kernels::products::product, allowance::product;
    products::ADDMV, oracle::products::product, kernels::products::product, allowance::product;
    products::BADDBMM, oracle::products::product, kernels::products::product, allowance::product;
    products::ADDBMM, oracle::products::product, kernels::products::product, allowance::product;
    grouped::GROUPED_MM, oracle::grouped::grouped_mm, kernels::grouped::grouped_mm, allowance::grouped_mm;
    grouped::GROUPED_MM_CORE, oracle::grouped::grouped_mm, kernels::grouped::grouped_mm, allowance::grouped_mm;
    // Softmax and norms
    norm::SOFTMAX, oracle::norm::softmax, kernels::norm::softmax, allowance::softmax;
    norm::LAYER_NORM, oracle::norm::layer_norm, kernels::norm::layer_norm, allowance::layer_norm;
    norm::RMS_NORM, oracle::norm::rms_norm, kernels::norm::rms_norm, allowance::rms_norm;
    softmax::SOFTMAX_CORE, oracle::softmax::softmax_core, kernels::norm::softmax, allowance::softmax;
    softmax::LOG_SOFTMAX, oracle::softmax::log_softmax, kernels::norm::softmax, allowance::log_softmax;
    softmax::LOG_SOFTMAX_CORE, oracle::softmax::log_softmax_core, kernels::norm::softmax, allowance::log_softmax;
    softmax::SOFTMIN, oracle::softmax::softmin, kernels::norm::softmax, allowance::softmin;
    softmax::LOGSUMEXP, oracle::softmax::logsumexp, kernels::logsumexp::logsumexp, allowance::logsumexp;
    normalization::BATCH_NORM, oracle::normalization::normalization, kernels::normalization::normalization,
        allowance::normalization;
    normalization::NATIVE_BATCH_NORM, oracle::normalization::normalization, kernels::normalization::normalization,
        allowance::normalization;
    normalization::INSTANCE_NORM, oracle::normalization::normalization, kernels::normalization::normalization,
        allowance::normalization;
    normalization::GROUP_NORM, oracle::normalization::normalization, kernels::normalization::normalization,
        allowance::normalization;
    normalization::NATIVE_GROUP_NORM, oracle::normalization::normalization, kernels::normalization::normalization,
        allowance::normalization;
    normalization::NATIVE_LAYER_NORM, oracle::normalization::normalization, kernels::normalization::normalization,
        allowance::normalization;
    weight_norm::WEIGHT_NORM, oracle::weight_norm::weight_norm, kernels::weight_norm::weight_norm, allowance::weight_norm;
    // Attention
    attention::SCALED_DOT_PRODUCT_ATTENTION, oracle::attention::scaled_dot_product_attention,
        kernels::attention::scaled_dot_product_attention, allowance::attention;
    // Convolutions
    convolution::CONV1D, oracle::convolution::conv1d, kernels::convolution::convolution, allowance::convolution;
    convolution::CONV2D, oracle::convolution::conv2d, kernels::convolution::convolution, allowance::convolution;
    convolution::CONV3D, oracle::convolution::conv3d, kernels::convolution::convolution, allowance::convolution;
    convolution::CONV_TRANSPOSE1D, oracle::convolution::conv_transpose1d, kernels::convolution::convolution, allowance::convolution;
    convolution::CONV_TRANSPOSE2D, oracle::convolution::conv_transpose2d, kernels::convolution::convolution, allowance::convolution;
    convolution::CONV_TRANSPOSE3D, oracle::convolution::conv_transpose3d, kernels::convolution::convolution, allowance::convolution;
    convolution::CONVOLUTION, oracle::convolution::convolution, kernels::convolution::convolution, allowance::convolution;
    // Pooling
    pooling::MAX_POOL1D, oracle::pooling::largest, kernels::pooling::largest, allowance::exact;
    pooling::MAX_POOL2D, oracle::pooling::largest, kernels::pooling::largest, allowance::exact;
    pooling::MAX_POOL3D, oracle::pooling::largest, kernels::pooling::largest, allowance::exact;
    pooling::MAX_POOL1D_WITH_INDICES, oracle::pooling::largest, kernels::pooling::largest_with_indices, allowance::exact;
    pooling::MAX_POOL2D_WITH_INDICES, oracle::pooling::largest, kernels::pooling::largest_with_indices, allowance::exact;
    pooling::MAX_POOL3D_WITH_INDICES, oracle::pooling::largest, kernels::pooling::largest_with_indices, allowance::exact;
    pooling::ADAPTIVE_MAX_POOL2D, oracle::pooling::largest, kernels::pooling::largest_with_indices, allowance::exact;
    pooling::AVG_POOL1D, oracle::pooling::mean, kernels::pooling::mean, allowance::window_mean;
    pooling::AVG_POOL2D, oracle::pooling::mean, kernels::pooling::mean, allowance::window_mean;
    pooling::AVG_POOL3D, oracle::pooling::mean, kernels::pooling::mean, allowance::window_mean;
    pooling::ADAPTIVE_AVG_POOL1D, oracle::pooling::mean, kernels::pooling::mean, allowance::window_mean;
    pooling::ADAPTIVE_AVG_POOL2D, oracle::pooling::mean, kernels::pooling::mean, allowance::window_mean;
    pooling::ADAPTIVE_AVG_POOL3D, oracle::pooling::mean, kernels::pooling::mean, allowance::window_mean;
    pooling::ADAPTIVE_AVG_POOL2D_CORE, oracle::pooling::mean, kernels::pooling::mean, allowance::window_mean;
    pooling::ADAPTIVE_AVG_POOL3D_CORE, oracle::pooling::mean, kernels::pooling::mean, allowance::window_mean;
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
    // Renamed dimensions
    &views::axes::T,
    &views::axes::NUMPY_T,
    &views::axes::MT,
    &views::axes::MOVEDIM,
    &views::axes::MOVEAXIS,
    &views::axes::SWAPDIMS,
    &views::axes::SWAPAXES,
    &views::axes::DETACH,
    // Parts
    &views::parts::CHUNK,
    &views::parts::SPLIT,
    &views::parts::UNBIND,
    &views::parts::NARROW,
    // Other sizes
    &views::sizes::UNFLATTEN,
    &views::sizes::BROADCAST_TO,
    &views::sizes::EXPAND_AS,
    &views::sizes::VIEW_AS,
    // Other paths
    &views::strided::DIAGONAL,
    &views::strided::UNFOLD,
    &views::strided::AS_STRIDED,
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
