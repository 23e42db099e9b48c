//! What the page and the worker say to each other: plain values, cloned by the browser from one thread to the other.
//!
//! The page asks, each request with a number of its own; answers carry the number of what they answer. Large arrays are typed
//! arrays and change hands without a copy.

use js_sys::{Array, Float32Array, Uint8Array};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use taproot_engine::compare::heatmap::{Element, Plane, Quantity, Region};
use taproot_engine::replay::{CaseResult, LayerError, PlanResult};
use taproot_engine::tensor::DType;
use taproot_engine::trace::{Noise, Producer, Prompt, Role, Step};
use taproot_engine::webgpu::GpuInfo;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::Blob;

/// Number of a request; grows with each.
pub type RequestId = u32;

/// A request with its number.
#[derive(Debug, Serialize, Deserialize)]
pub struct Asked {
    /// Number.
    pub id: RequestId,
    /// What is asked.
    pub request: Request,
}

/// An answer with the number of its request.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answered {
    /// Number of the request; 0 for what was not asked for.
    pub id: RequestId,
    /// What is answered.
    pub response: Response,
}

/// What the page asks.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    /// Open a trace. The one that is open stays until the new one is.
    Open(Source),
    /// Replay cases of the open trace, in this order, one answer for each.
    Replay {
        /// Positions of operators.
        operators: Vec<usize>,
    },
    /// Stop the replay after the case that is running.
    CancelReplay,
    /// Run a plan; one that is running stops.
    RunPlan {
        /// Layers that WebGPU computes.
        layers: Range<usize>,
        /// Step that is looked at.
        step: usize,
    },
    /// Stop the plan after the operator that is running.
    CancelPlan,
    /// Describe an operator.
    Describe {
        /// Position of the operator.
        operator: usize,
    },
    /// A part of a plane, for the heatmap. An older one that has not been answered is dropped.
    Grid(GridRequest),
    /// One element. An older one that has not been answered is dropped.
    Element(ElementRequest),
}

/// Where a trace comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Source {
    /// An address: of a folder, its `trace.json`, or a `.zip`.
    Url(String),
    /// Files dropped on the page or chosen in a dialog: those of a folder, or one `.zip`.
    Files {
        /// What to call them.
        name: String,
        /// The files.
        files: Vec<NamedFile>,
    },
}

/// A file of the user's machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NamedFile {
    /// Path below the folder that was dropped.
    pub path: String,
    /// The file itself; only slices of it are read.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub blob: Blob,
}

/// A plane of a result of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaneRef {
    /// Position of the operator.
    pub operator: usize,
    /// Which of its results.
    pub output: usize,
    /// The plane.
    pub plane: Plane,
}

/// A part of a plane at some resolution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridRequest {
    /// The plane.
    pub of: PlaneRef,
    /// What of it.
    pub quantity: Quantity,
    /// The part wanted.
    pub region: Region,
    /// Most cells across.
    pub max_width: usize,
    /// Most cells down.
    pub max_height: usize,
}

/// An element of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElementRequest {
    /// The plane.
    pub of: PlaneRef,
    /// Row in the plane.
    pub row: usize,
    /// Column in the plane.
    pub column: usize,
}

/// What the worker answers.
#[derive(Debug, Serialize, Deserialize)]
pub enum Response {
    /// The worker listens.
    Ready,
    /// What WebGPU there is. Sent once, unasked.
    Gpu(GpuStatus),
    /// A trace is open.
    Opened(Box<TraceSummary>),
    /// One more case is judged.
    Case(Box<CaseResult>),
    /// The replay is over.
    ReplayEnded {
        /// Whether it was stopped before its end.
        cancelled: bool,
    },
    /// The plan knows one more layer.
    PlanLayer(LayerError),
    /// The plan ran some more operators.
    PlanProgress {
        /// Operators done.
        done: usize,
        /// Operators in all.
        total: usize,
    },
    /// The plan is over.
    PlanEnded(Box<PlanResult>),
    /// An operator.
    Described(Box<CaseDescription>),
    /// A part of a plane.
    Grid(Grid),
    /// An element.
    Element(Box<Element>),
    /// What was asked cannot be done: one sentence.
    Failed(String),
}

/// What WebGPU the worker has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GpuStatus {
    /// A device.
    Device(GpuInfo),
    /// None.
    Missing {
        /// Why.
        reason: NoGpu,
    },
}

/// Why there is no WebGPU device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoGpu {
    /// Browsers offer WebGPU only over https and on this machine's own addresses.
    InsecureContext,
    /// The browser has no `navigator.gpu`.
    NoApi,
    /// The browser has WebGPU but offers no adapter, or the adapter no device.
    NoDevice(String),
    /// There was a device, and it is gone: the driver or the browser's GPU process was restarted.
    Lost(String),
}

/// All that the page needs to lay out a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceSummary {
    /// Content hash.
    pub hash: String,
    /// Name of the model, for people.
    pub model: String,
    /// Architecture.
    pub architecture: String,
    /// What recorded it.
    pub producer: Producer,
    /// What was run.
    pub prompt: Option<Prompt>,
    /// Forward calls.
    pub steps: Vec<Step>,
    /// Names of the layers.
    pub layers: Vec<String>,
    /// Operators that make a case; views, which compute nothing, are left out.
    pub cases: Vec<CaseSummary>,
    /// How many operators are views.
    pub views: usize,
}

/// A case, as far as the matrix needs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseSummary {
    /// Position of the operator.
    pub operator: usize,
    /// Id.
    pub id: String,
    /// ATen name.
    pub op: String,
    /// Module path.
    pub module: String,
    /// Position of the layer.
    pub layer: usize,
    /// Position of the step.
    pub step: usize,
}

/// An operator with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseDescription {
    /// Position of the operator.
    pub operator: usize,
    /// Arguments in PyTorch's order.
    pub arguments: Vec<Argument>,
    /// Results.
    pub outputs: Vec<TensorDescription>,
    /// The source's own error against f64, for each result, where the carver measured it.
    pub noise: Vec<Noise>,
    /// Where two runs of the source differed: by how much.
    pub nondeterministic: Option<f64>,
    /// Source line.
    pub source: Option<String>,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Argument {
    /// PyTorch's name.
    pub name: String,
    /// Its value.
    pub value: ArgumentValue,
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ArgumentValue {
    /// One or more tensors.
    Tensors(Vec<TensorDescription>),
    /// Anything else, as Python would print it.
    Plain(String),
}

/// A tensor without its elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TensorDescription {
    /// Name.
    pub name: String,
    /// What it is to the model.
    pub role: Role,
    /// Element type.
    pub dtype: DType,
    /// Size of each dimension.
    pub shape: Vec<usize>,
    /// Whether it is a strided look at another tensor.
    pub is_view: bool,
}

/// A part of a plane, row by row. Elements are pooled where there are more of them than cells.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grid {
    /// What was asked.
    pub request: GridRequest,
    /// Cells per row.
    pub width: usize,
    /// Rows of cells.
    pub height: usize,
    /// For each cell the finite value of largest magnitude in it.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub values: Float32Array,
    /// For each cell whether NaN or an infinity is in it: 0 where none is.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub non_finite: Uint8Array,
    /// Smallest finite value for the scale. Expected and actual share one.
    pub min: f32,
    /// Largest finite value for the scale.
    pub max: f32,
}

impl Answered {
    /// Buffers that change hands with the message.
    pub fn transferables(&self) -> Array {
        let buffers = Array::new();
        if let Response::Grid(grid) = &self.response {
            buffers.push(&grid.values.buffer());
            buffers.push(&grid.non_finite.buffer());
        }
        buffers
    }
}

/// Turns a message into what the browser can clone.
///
/// # Errors
/// When a number is too large for JavaScript.
pub fn encode<T: Serialize>(message: &T) -> Result<JsValue, serde_wasm_bindgen::Error> {
    serde_wasm_bindgen::to_value(message)
}

/// Reads a message.
///
/// # Errors
/// When it is none of this version.
pub fn decode<T: for<'de> Deserialize<'de>>(message: JsValue) -> Result<T, serde_wasm_bindgen::Error> {
    serde_wasm_bindgen::from_value(message)
}

/// A file as the blob that it is.
pub fn blob_of(file: web_sys::File) -> Blob {
    file.unchecked_into()
}
