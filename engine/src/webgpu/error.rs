//! What can go wrong on the GPU.

use crate::graph::OpError;
use crate::tensor::{DType, LayoutError, TensorError};

/// Why the GPU did not do what was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GpuError {
    /// The browser or the system offers no WebGPU adapter.
    #[error(
        "no WebGPU adapter is offered ({0}); check that the browser supports WebGPU and that a GPU driver is installed"
    )]
    NoAdapter(String),
    /// The adapter refused to open a device.
    #[error("the adapter opened no device: {0}")]
    RequestDevice(String),
    /// The device is gone; everything after this fails too.
    #[error("the GPU device was lost ({0}); open it again to go on")]
    Lost(String),
    /// WebGPU rejected what a kernel did: a bug in the kernel, not in its inputs.
    #[error("{} ({}): WebGPU rejected kernel {}: {}", .0.op, .0.id, .0.kernel, .0.message)]
    Validation(Box<KernelFailure>),
    /// A failure inside the browser or the driver.
    #[error("{} ({}): the GPU driver failed in kernel {}: {}", .0.op, .0.id, .0.kernel, .0.message)]
    Internal(Box<KernelFailure>),
    /// A kernel's WGSL does not compile.
    #[error("kernel {kernel}{}: {message}", position(*.line, *.column))]
    Shader {
        /// Kernel's name: its file's stem.
        kernel: String,
        /// Line in the kernel's own text (1-based); `None` where the error lies in the generated part or nowhere.
        line: Option<u32>,
        /// Column in that line (1-based).
        column: Option<u32>,
        /// The compiler's words.
        message: String,
    },
    /// The device's memory is full.
    #[error("the GPU is out of memory for {what} ({bytes} bytes); close other pages or replay fewer layers at once")]
    OutOfMemory {
        /// What the memory was for.
        what: String,
        /// Bytes asked for.
        bytes: u64,
    },
    /// A limit of the device is too small.
    #[error("{what} needs {needed} of {limit}, but the device offers {offered}")]
    DoesNotFit {
        /// What needs it.
        what: String,
        /// Name of the limit in WebGPU.
        limit: &'static str,
        /// How much is needed.
        needed: u64,
        /// How much there is.
        offered: u64,
    },
    /// An integer that the GPU's 32-bit words cannot hold.
    #[error("element {index} is {value}, but integers on the GPU are 32 bits wide (WGSL has no others)")]
    IntegerRange {
        /// Position in row-major order.
        index: usize,
        /// The value.
        value: i64,
    },
    /// A result that the GPU's 32-bit words cannot hold.
    #[error(
        "element {index} of the result is beyond 32 bits, and integers on the GPU are no wider (WGSL has no others)"
    )]
    ResultRange {
        /// Position in row-major order.
        index: usize,
    },
    /// An integer divided by 0, which has no result.
    #[error("element {index} of the result is an integer divided by 0")]
    DivisionByZero {
        /// Position in row-major order.
        index: usize,
    },
    /// A number beside a tensor of integers that 32 bits cannot hold.
    #[error("{argument} is {value}, but integers on the GPU are 32 bits wide (WGSL has no others)")]
    ScalarRange {
        /// The argument.
        argument: &'static str,
        /// The value.
        value: i64,
    },
    /// A dtype that WGSL cannot compute with.
    #[error("{dtype} is not supported on WebGPU ({what})")]
    UnsupportedDType {
        /// The dtype.
        dtype: DType,
        /// Where it was met.
        what: String,
    },
    /// An override names no kernel.
    #[error("there is no kernel '{name}'; the kernels are {}", .known.join(", "))]
    UnknownKernel {
        /// The name given.
        name: String,
        /// All names.
        known: Vec<&'static str>,
    },
    /// An override's `only` is no glob.
    #[error("'{glob}' is not a glob: {message}")]
    Glob {
        /// The text given.
        glob: String,
        /// What is wrong with it.
        message: String,
    },
    /// A result could not be read back.
    #[error("a result could not be read back from the GPU: {0}")]
    Download(String),
    /// The call breaks a rule of its operator.
    #[error(transparent)]
    Operator(#[from] OpError),
    /// A host tensor breaks a rule.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// A view reaches outside its buffer.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// Where a kernel failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelFailure {
    /// Operator's ATen name.
    pub op: String,
    /// Operator's id in the trace.
    pub id: String,
    /// Kernels that the operator ran.
    pub kernel: String,
    /// The implementation's words.
    pub message: String,
}

fn position(line: Option<u32>, column: Option<u32>) -> String {
    match (line, column) {
        (Some(line), Some(column)) => format!(", line {line} column {column}"),
        (Some(line), None) => format!(", line {line}"),
        _ => String::new(),
    }
}
