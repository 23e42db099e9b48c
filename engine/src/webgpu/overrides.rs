//! Kernels replaced by other WGSL.

use super::GpuError;
use super::shaders::{self, Shader};
use globset::{Glob, GlobMatcher};
use serde::{Deserialize, Serialize};

/// Other WGSL for a kernel. It stands in the place of the kernel's own text, so it sees the same generated functions,
/// bindings and parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelOverride {
    /// Name of the kernel to replace: the stem of its `.wgsl` file.
    pub kernel: String,
    /// Its new text.
    pub wgsl: String,
    /// A glob on operator ids (`model.layers.7.*`); everywhere where it is `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
}

/// An override that has been checked.
#[derive(Debug)]
pub(super) struct Checked {
    shader: &'static Shader,
    wgsl: String,
    only: Option<GlobMatcher>,
}

impl Checked {
    pub(super) fn new(given: KernelOverride) -> Result<Self, GpuError> {
        let shader = shaders::find(&given.kernel)
            .ok_or_else(|| GpuError::UnknownKernel { name: given.kernel, known: shaders::names().collect() })?;
        let only = match given.only {
            None => None,
            Some(glob) => match Glob::new(&glob) {
                Ok(matcher) => Some(matcher.compile_matcher()),
                Err(error) => return Err(GpuError::Glob { message: error.kind().to_string(), glob }),
            },
        };
        Ok(Checked { shader, wgsl: given.wgsl, only })
    }

    /// The text for `shader` in the operator `id`, if this override concerns it.
    pub(super) fn text_for(&self, shader: &Shader, id: &str) -> Option<&str> {
        let concerned = self.shader.name == shader.name && self.only.as_ref().is_none_or(|only| only.is_match(id));
        concerned.then_some(self.wgsl.as_str())
    }
}
