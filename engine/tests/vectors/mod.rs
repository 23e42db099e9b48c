//! Reads `tests/vectors/operators.*`: calls of every operator with the results that PyTorch computed.

// Each test program uses its own part of it.
#![allow(dead_code)]

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use taproot_engine::graph::{Arg, Call};
use taproot_engine::tensor::{DType, HostTensor, Layout};
use taproot_engine::trace::{Operator, TensorId};

/// A call and its results.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    /// `operator.what_is_special`.
    pub(crate) id: String,
    /// ATen name.
    pub(crate) op: String,
    args: BTreeMap<String, Arg>,
    expected: Vec<TensorId>,
    source: Vec<TensorId>,
}

/// A view of an input with any layout.
#[derive(Debug, Deserialize)]
pub(crate) struct ViewCase {
    /// `operator.number`.
    pub(crate) id: String,
    /// ATen name.
    pub(crate) op: String,
    /// Elements that the input is a view of.
    pub(crate) base: usize,
    /// The input.
    pub(crate) input: Layout,
    /// Arguments beside the input.
    pub(crate) args: BTreeMap<String, Arg>,
    /// Layouts of the results; none where PyTorch refuses.
    #[serde(default)]
    pub(crate) expected: Vec<Layout>,
    /// Whether PyTorch refuses.
    #[serde(default)]
    pub(crate) error: bool,
}

/// Everything in the files.
#[derive(Debug)]
pub(crate) struct Vectors {
    /// Calls that compute.
    pub(crate) cases: Vec<Case>,
    /// Views.
    pub(crate) views: Vec<ViewCase>,
    tensors: Vec<HostTensor>,
}

#[derive(Deserialize)]
struct Index {
    tensors: Vec<Entry>,
    cases: Vec<Case>,
    views: Vec<ViewCase>,
}

#[derive(Deserialize)]
struct Entry {
    key: String,
    dtype: DType,
    shape: Vec<usize>,
}

impl Vectors {
    /// Reads both files.
    pub(crate) fn load() -> Self {
        let index: Index = serde_json::from_slice(&read("operators.json")).unwrap();
        let bytes = read("operators.safetensors");
        let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
        let tensor = |entry: &Entry| {
            HostTensor::new(entry.dtype, &entry.shape, file.tensor(&entry.key).unwrap().data()).unwrap()
        };
        Vectors { tensors: index.tensors.iter().map(tensor).collect(), cases: index.cases, views: index.views }
    }

    /// A case's call with its tensors.
    pub(crate) fn call(&self, case: &Case) -> Call<HostTensor> {
        let operator = Operator {
            id: case.id.clone(),
            op: case.op.clone(),
            args: case.args.clone(),
            outputs: vec![],
            module: String::new(),
            layer: 0,
            step: 0,
            source: None,
            noise: vec![],
            nondeterministic: None,
        };
        Call::resolve(&operator, |id| Ok::<_, ()>(self.tensors[id as usize].clone())).unwrap()
    }

    /// A case's results in f64 (integers and bool as they are).
    pub(crate) fn expected(&self, case: &Case) -> Vec<&HostTensor> {
        case.expected.iter().map(|&id| &self.tensors[id as usize]).collect()
    }

    /// A case's results in the dtypes that PyTorch gives, as computed on CUDA.
    pub(crate) fn source(&self, case: &Case) -> Vec<&HostTensor> {
        case.source.iter().map(|&id| &self.tensors[id as usize]).collect()
    }
}

/// A file of `tests/vectors`.
pub(crate) fn read(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
