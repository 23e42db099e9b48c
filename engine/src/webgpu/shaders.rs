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
/// Sums and maxima over the lanes that share a row; needs the constants `LANES` and `WORKGROUP`.
const LANES: &str = include_str!("shaders/functions/lanes.wgsl");
/// Bits of f16 and bf16, NaN, infinity: every kernel gets these.
const BITS: &str = include_str!("shaders/functions/bits.wgsl");

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
    /// Arithmetic of two floats.
    BINARY = "binary" [EXP, POW];
    /// Arithmetic of two integers.
    BINARY_INTEGER = "binary_integer" [];
    /// Comparison of two floats.
    COMPARE = "compare" [];
    /// Comparison of two integers.
    COMPARE_INTEGER = "compare_integer" [];
    /// Choice by a condition.
    WHERE = "where" [];
    /// Functions of one float.
    UNARY = "unary" [EXP, SIGMOID, TRIGONOMETRY];
    /// Functions of one integer.
    UNARY_INTEGER = "unary_integer" [];
    /// gelu, exact and by tanh.
    GELU = "gelu" [EXP, SIGMOID, ERF];
    /// clamp of floats.
    CLAMP = "clamp" [];
    /// clamp of integers.
    CLAMP_INTEGER = "clamp_integer" [];
    /// Casts from float to integer and bool.
    TO = "to" [];
    /// Rows of a table by index.
    EMBEDDING = "embedding" [];
    /// sum, mean and 2-norm of floats.
    REDUCE = "reduce" [];
    /// Sums of integers.
    REDUCE_INTEGER = "reduce_integer" [];
    /// Position of the largest element.
    ARGMAX = "argmax" [];
    /// softmax.
    SOFTMAX = "softmax" [EXP, LANES];
    /// layer_norm.
    LAYER_NORM = "layer_norm" [LANES];
    /// rms_norm.
    RMS_NORM = "rms_norm" [LANES];
    /// Matrix products in tiles.
    MATMUL = "matmul" [];
    /// Matrix products of few rows.
    MATMUL_ROWS = "matmul_rows" [];
    /// Attention in tiles.
    SCALED_DOT_PRODUCT_ATTENTION = "scaled_dot_product_attention" [EXP];
    /// Attention of few rows.
    SCALED_DOT_PRODUCT_ATTENTION_ROWS = "scaled_dot_product_attention_rows" [EXP];
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
