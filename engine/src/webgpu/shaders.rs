//! The kernels' WGSL files. A kernel's name, for overrides and in errors, is the stem of its file.

/// A kernel's own text and the function files that it uses.
#[derive(Debug)]
pub(crate) struct Shader {
    pub(crate) name: &'static str,
    pub(crate) body: &'static str,
    pub(crate) functions: &'static [&'static str],
}

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
