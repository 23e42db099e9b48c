//! The kernels' WGSL files. A kernel's name, for overrides and in errors, is the stem of its file.

/// A kernel's own text and the function files that it uses.
#[derive(Debug)]
pub(crate) struct Shader {
    pub(crate) name: &'static str,
    pub(crate) body: &'static str,
    pub(crate) functions: &'static [&'static str],
}

/// `exp` and powers of two.
const EXP: &str = include_str!("shaders/functions/exp.wgsl");
/// `sigmoid` and `tanh`; needs `EXP`.
const SIGMOID: &str = include_str!("shaders/functions/sigmoid.wgsl");
/// The normal distribution; needs `EXP`.
const ERF: &str = include_str!("shaders/functions/erf.wgsl");
/// `sin` and `cos`.
const TRIGONOMETRY: &str = include_str!("shaders/functions/trigonometry.wgsl");
/// `pow`; needs `EXP`.
const POW: &str = include_str!("shaders/functions/pow.wgsl");
/// log, log2, log10, log1p; needs `EXP` and `POW`.
const LOG: &str = include_str!("shaders/functions/log.wgsl");
/// expm1; needs `EXP`.
const EXPM1: &str = include_str!("shaders/functions/expm1.wgsl");
/// sinh and cosh; needs `EXP` and `EXPM1`.
const HYPERBOLIC: &str = include_str!("shaders/functions/hyperbolic.wgsl");
/// asinh, acosh, atanh; needs `LOG`.
const AREA: &str = include_str!("shaders/functions/area.wgsl");
/// atan, asin, acos, atan2.
const ARCTANGENT: &str = include_str!("shaders/functions/arctangent.wgsl");
/// The error function; needs `ERF`.
const ERF_OF: &str = include_str!("shaders/functions/erf_of.wgsl");
/// Sums and maxima over the lanes that share a row; needs the constants `LANES` and `WORKGROUP`.
const LANES: &str = include_str!("shaders/functions/lanes.wgsl");
/// Mean and squared deviations of a row; needs `LANES`.
const MOMENTS: &str = include_str!("shaders/functions/moments.wgsl");
/// sqrt and its inverse of any number.
const ROOTS: &str = include_str!("shaders/functions/roots.wgsl");
/// Keys that order elements; needs the constants `FLOATS` and `LARGEST`.
const KEYS: &str = include_str!("shaders/functions/keys.wgsl");
/// Where the largest element of a row is; needs `KEYS`, the constants `LANES` and `WORKGROUP`, and an operand `input`.
const EXTREMUM_POSITION: &str = include_str!("shaders/functions/extremum_position.wgsl");
/// Whether sums and products of integers fit 32 bits.
const RANGE: &str = include_str!("shaders/functions/range.wgsl");
/// Sums and products of integers that know whether they fit; needs `RANGE` and the constant `PRODUCT`.
const TOTAL: &str = include_str!("shaders/functions/total.wgsl");
/// Bits of f16 and bf16, NaN, infinity: every kernel gets these.
const BITS: &str = include_str!("shaders/functions/bits.wgsl");

/// 64-bit integers.
const WIDE: &str = include_str!("shaders/functions/wide.wgsl");
/// What meets the taps of a convolution's kernel.
const TAPS: &str = include_str!("shaders/functions/taps.wgsl");
/// The windows of pooling.
const WINDOWS: &str = include_str!("shaders/functions/windows.wgsl");
/// The largest element of a window; needs `WINDOWS`.
const LARGEST: &str = include_str!("shaders/functions/largest.wgsl");

macro_rules! shaders {
    ($($(#[$doc:meta])* $constant:ident = $name:literal [$($functions:ident),*];)*) => {
        $(
            $(#[$doc])*
            pub(crate) static $constant: Shader = Shader {
                name: $name,
                body: include_str!(concat!("shaders/", $name, ".wgsl")),
                functions: &[BITS $(, $functions)*],
            };
        )*
        static ALL: &[&Shader] = &[$(&$constant),*];
    };
}

shaders! {
    /// Copies elements between strided tensors.
    COPY = "copy" [];
    /// Rounds f32 to f16 or bf16, two per word.
    PACK = "pack" [];
    /// Rounds f32 to 8-bit floats, four per word.
    PACK_BYTES = "pack_bytes" [];
    /// Arithmetic of two floats.
    BINARY = "binary" [EXP, POW];
    /// Arithmetic of two integers.
    BINARY_INTEGER = "binary_integer" [RANGE];
    /// Comparison of two floats.
    COMPARE = "compare" [];
    /// Comparison of two integers.
    COMPARE_INTEGER = "compare_integer" [];
    /// Choice by a condition.
    WHERE = "where" [];
    /// Functions of one float.
    UNARY = "unary" [EXP, SIGMOID, TRIGONOMETRY, ROOTS];
    /// Functions of one integer.
    UNARY_INTEGER = "unary_integer" [RANGE];
    /// gelu, exact and by tanh.
    GELU = "gelu" [EXP, SIGMOID, ERF];
    /// clamp of floats.
    CLAMP = "clamp" [];
    /// clamp of integers.
    CLAMP_INTEGER = "clamp_integer" [];
    /// full and its kin.
    FILL = "fill" [];
    /// arange of floats.
    ARANGE = "arange" [];
    /// arange of integers.
    ARANGE_INTEGER = "arange_integer" [];
    /// eye.
    EYE = "eye" [];
    /// tril and triu.
    TRIANGLE = "triangle" [];
    /// masked_fill.
    MASKED_FILL = "masked_fill" [];
    /// Casts from float to integer and bool.
    TO = "to" [];
    /// Rows of a table by index.
    EMBEDDING = "embedding" [];
    /// Positions that index tensors point to.
    INDEX_POSITIONS = "index_positions" [];
    /// Elements at given positions.
    GATHER = "gather" [];
    /// Which source an element gets of several.
    SCATTER_CLAIM = "scatter_claim" [];
    /// Elements with sources in the place of some.
    SCATTER = "scatter" [];
    /// Sums and products onto elements.
    SCATTER_REDUCE = "scatter_reduce" [];
    /// Differences of neighbours.
    DIFF = "diff" [];
    /// sum, mean, prod and vector norms of floats.
    REDUCE = "reduce" [EXP, POW];
    /// Sums and products of integers.
    REDUCE_INTEGER = "reduce_integer" [RANGE, TOTAL];
    /// Position of the largest or smallest element.
    ARGMAX = "argmax" [KEYS, EXTREMUM_POSITION];
    /// The largest or smallest element.
    AMAX = "amax" [KEYS, LANES];
    /// The largest or smallest element and its position.
    EXTREMUM_PLACE = "extremum_place" [KEYS, EXTREMUM_POSITION];
    /// any, all and count_nonzero.
    COUNT = "count" [];
    /// cumsum and cumprod of floats.
    SCAN = "scan" [];
    /// cumsum and cumprod of integers.
    SCAN_INTEGER = "scan_integer" [RANGE, TOTAL];
    /// cummax and cummin.
    SCAN_EXTREMUM = "scan_extremum" [KEYS];
    /// Sorts blocks of lines.
    SORT_BLOCKS = "sort_blocks" [KEYS];
    /// Merges sorted blocks.
    SORT_MERGE = "sort_merge" [];
    /// Elements in sorted order.
    SORT_TAKE = "sort_take" [];
    /// Indices in sorted order.
    SORT_PLACES = "sort_places" [];
    /// histc of floats.
    HISTC = "histc" [];
    /// histc of integers.
    HISTC_INTEGER = "histc_integer" [];
    /// softmax and softmin.
    SOFTMAX = "softmax" [EXP, LANES];
    /// layer_norm.
    LAYER_NORM = "layer_norm" [LANES, MOMENTS];
    /// rms_norm.
    RMS_NORM = "rms_norm" [LANES];
    /// Norms of rows along which weights change, with their statistics.
    NORMALIZE = "normalize" [LANES, MOMENTS, ROOTS];
    /// Norms with given statistics.
    BATCH_NORM = "batch_norm" [ROOTS];
    /// log_softmax.
    LOG_SOFTMAX = "log_softmax" [EXP, POW, LOG, LANES];
    /// logsumexp.
    LOGSUMEXP = "logsumexp" [EXP, POW, LOG, LANES];
    /// Variances, their roots and means.
    VARIANCE = "variance" [LANES, MOMENTS, ROOTS];
    /// Weights with a length of their own.
    WEIGHT_NORM = "weight_norm" [LANES, ROOTS];
    /// Matrix products in tiles.
    MATMUL = "matmul" [];
    /// Matrix products of few rows.
    MATMUL_ROWS = "matmul_rows" [];
    /// Matrix products of many rows and columns.
    MATMUL_LARGE = "matmul_large" [];
    /// Matrix products of integers.
    MATMUL_INTEGER = "matmul_integer" [WIDE];
    /// Matrix products per group.
    GROUPED_MM = "grouped_mm" [];
    /// Attention in tiles.
    SCALED_DOT_PRODUCT_ATTENTION = "scaled_dot_product_attention" [EXP];
    /// Attention of few rows.
    SCALED_DOT_PRODUCT_ATTENTION_ROWS = "scaled_dot_product_attention_rows" [EXP];
    /// Truth of one operand.
    TRUTH = "truth" [];
    /// Truth of two operands.
    LOGICAL = "logical" [];
    /// Operators on the bits of two integers.
    BITWISE = "bitwise" [];
    /// abs, sign and rounding of floats.
    ROUNDING = "rounding" [];
    /// abs, sign and bitwise_not of integers.
    ROUNDING_INTEGER = "rounding_integer" [RANGE];
    /// The larger or smaller of two floats.
    EXTREMUM = "extremum" [];
    /// The larger or smaller of two integers.
    EXTREMUM_INTEGER = "extremum_integer" [];
    /// Logarithms and inverse hyperbolic functions.
    LOGARITHM = "logarithm" [EXP, POW, LOG, AREA];
    /// Functions made of exponentials.
    EXPONENTIAL = "exponential" [EXP, POW, EXPM1, HYPERBOLIC, ERF, ERF_OF];
    /// tan and inverse trigonometric functions.
    ANGLE = "angle" [TRIGONOMETRY, ARCTANGENT];
    /// Activations, erfc and sinc.
    ACTIVATION = "activation" [EXP, POW, LOG, EXPM1, ERF, TRIGONOMETRY];
    /// threshold of integers.
    THRESHOLD_INTEGER = "threshold_integer" [];
    /// Functions of two floats.
    OF_TWO = "of_two" [EXP, POW, LOG, SIGMOID, ARCTANGENT];
    /// lerp, addcmul and addcdiv of floats.
    OF_THREE = "of_three" [];
    /// addcmul of integers.
    ADDCMUL_INTEGER = "addcmul_integer" [RANGE];
    /// Division of floats with its remainder.
    REMAINDER = "remainder" [EXP];
    /// Division of integers with its remainder.
    REMAINDER_INTEGER = "remainder_integer" [RANGE];
    /// Convolutions in tiles.
    CONVOLUTION = "convolution" [TAPS];
    /// Convolutions of few channels per group.
    CONVOLUTION_DIRECT = "convolution_direct" [TAPS];
    /// The largest element of each window.
    MAX_POOL = "max_pool" [WINDOWS, LARGEST];
    /// The largest element of each window and where it lies.
    MAX_POOL_WITH_INDICES = "max_pool_with_indices" [WINDOWS, LARGEST];
    /// The mean of each window.
    AVG_POOL = "avg_pool" [WINDOWS, LANES];
}

/// The kernel of this name.
pub(crate) fn find(name: &str) -> Option<&'static Shader> {
    ALL.iter().copied().find(|shader| shader.name == name)
}

/// All names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|shader| shader.name)
}

/// The kernel's own WGSL text, the starting point of an override.
pub fn shader_text(kernel: &str) -> Option<&'static str> {
    find(kernel).map(|shader| shader.body)
}
