//! Reads `tests/vectors/operators.*`: calls of every operator with the results that PyTorch computed.

// Each test program uses its own part of it.
#![allow(dead_code)]

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
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
    /// Relative and absolute tolerance of `source`, where somebody else published it with one.
    #[serde(default)]
    pub(crate) tolerance: Option<[f64; 2]>,
}

impl Case {
    /// The case where its file's tensors begin at `first`.
    fn shifted(mut self, first: TensorId) -> Self {
        for arg in self.args.values_mut() {
            match arg {
                Arg::Tensor(id) => *id += first,
                Arg::Tensors(ids) | Arg::SomeTensors { ids, .. } => ids.iter_mut().for_each(|id| *id += first),
                _ => {}
            }
        }
        self.expected.iter_mut().chain(&mut self.source).for_each(|id| *id += first);
        self
    }
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
    /// The tensor whose shape it takes, for those that take one.
    pub(crate) other: Option<Layout>,
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
    /// Reads every pair `operators*.json` and `operators*.safetensors`.
    pub(crate) fn load() -> Self {
        Self::load_from(&folder())
    }

    /// [`Self::load`] of another folder.
    pub(crate) fn load_from(folder: &Path) -> Self {
        let mut all = Vectors { cases: Vec::new(), views: Vec::new(), tensors: Vec::new() };
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .filter_map(|entry| entry.unwrap().file_name().into_string().ok()?.strip_suffix(".json").map(str::to_owned))
            .filter(|name| name.starts_with("operators"))
            .collect();
        names.sort_unstable();
        for name in names {
            all.add(folder, &name);
        }
        all
    }

    fn add(&mut self, folder: &Path, name: &str) {
        let index: Index = serde_json::from_slice(&read_file(&folder.join(format!("{name}.json")))).unwrap();
        let bytes = read_file(&folder.join(format!("{name}.safetensors")));
        let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
        let tensor = |entry: &Entry| {
            HostTensor::new(entry.dtype, &entry.shape, file.tensor(&entry.key).unwrap().data()).unwrap()
        };
        let first = self.tensors.len() as TensorId;
        self.tensors.extend(index.tensors.iter().map(tensor));
        self.cases.extend(index.cases.into_iter().map(|case| case.shifted(first)));
        self.views.extend(index.views);
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

    /// The dtype that a case is about: of its first tensor, or of its result where it has none.
    pub(crate) fn dtype(&self, case: &Case) -> DType {
        let named = ["input", "tensors", "condition", "query"].iter().find_map(|name| case.args.get(*name));
        let tensors = named.into_iter().chain(case.args.values()).find_map(|arg| match arg {
            Arg::Tensor(id) => Some(*id),
            Arg::Tensors(ids) => ids.first().copied(),
            _ => None,
        });
        self.tensors[tensors.unwrap_or(case.source[0]) as usize].dtype()
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
    read_file(&folder().join(name))
}

fn read_file(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors")
}
