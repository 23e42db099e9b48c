//! The graph under construction: tensors and operators, each checked against its signature as it is added.

use std::collections::{BTreeMap, HashMap};
use taproot_engine::graph::{Arg, Call, Meta, OpError};
use taproot_engine::operators::{self, Definition};
use taproot_engine::tensor::{DType, Layout};
use taproot_engine::trace::{Layer, NamedOutput, Operator, Role, Step, TensorId};

/// Answers dtype and shape of a model's parameters: all that a builder needs to know of a checkpoint.
pub trait Parameters: std::fmt::Debug {
    /// dtype and shape of a parameter, or `None` where there is none of this name.
    fn meta(&self, name: &str) -> Option<Meta>;
}

/// Why a graph cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The checkpoint lacks a parameter.
    #[error("the checkpoint has no tensor '{0}', which its configuration asks for")]
    MissingParameter(String),
    /// A parameter does not have the shape that the configuration asks for.
    #[error("tensor '{name}' has shape {found:?}, but the configuration asks for {expected:?}")]
    Shape {
        /// Parameter.
        name: String,
        /// In the checkpoint.
        found: Vec<usize>,
        /// By the configuration.
        expected: Vec<usize>,
    },
    /// An operator does not take these arguments.
    #[error("in module '{module}': {error}")]
    Operator {
        /// Module.
        module: String,
        /// What is wrong.
        error: OpError,
    },
    /// A forward call over nothing.
    #[error("a forward call needs at least one token")]
    NoTokens,
    /// The configuration does not allow this run.
    #[error(transparent)]
    Config(#[from] super::ConfigError),
}

/// A tensor of the graph.
#[derive(Clone, Debug)]
pub struct GraphTensor {
    /// A name for people.
    pub name: String,
    /// What it is to the model.
    pub role: Role,
    /// dtype and shape.
    pub meta: Meta,
    /// Where its elements come from.
    pub origin: Origin,
}

/// Where a tensor's elements come from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// The checkpoint, under the tensor's name.
    Parameter,
    /// The builder: integers.
    Integers(Vec<i64>),
    /// The builder: floats.
    Floats(Vec<f32>),
    /// An operator.
    Result,
    /// A look at another tensor, which is no view.
    View {
        /// The tensor looked at.
        of: TensorId,
        /// How.
        layout: Layout,
    },
}

/// A graph: ids of tensors are positions in [`Graph::tensors`].
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Tensors.
    pub tensors: Vec<GraphTensor>,
    /// Operators, in order of execution.
    pub operators: Vec<Operator>,
    /// Layers, in order of execution.
    pub layers: Vec<Layer>,
    /// Forward calls.
    pub steps: Vec<Step>,
    /// Results of the model.
    pub outputs: Vec<NamedOutput>,
}

/// Builds a [`Graph`], a step at a time.
#[derive(Debug, Default)]
pub struct GraphBuilder {
    graph: Graph,
    module: String,
    layer: usize,
    parameters: HashMap<String, TensorId>,
    constants: HashMap<String, TensorId>,
    ids: HashMap<String, usize>,
}

impl GraphBuilder {
    /// What has been built so far.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Begins a forward call; what follows belongs to it.
    pub fn begin_step(&mut self, name: impl Into<String>, token_ids: &[i64]) {
        self.graph.steps.push(Step { name: name.into(), token_ids: token_ids.to_vec() });
    }

    /// Enters a layer, which is added where it is new; what follows belongs to it.
    pub fn enter_layer(&mut self, name: &str) {
        let known = self.graph.layers.iter().position(|layer| layer.name == name);
        self.layer = known.unwrap_or_else(|| {
            self.graph.layers.push(Layer { name: name.to_owned() });
            self.graph.layers.len() - 1
        });
    }

    /// Enters a module; what follows belongs to it.
    pub fn enter_module(&mut self, path: &str) {
        self.module.clear();
        self.module.push_str(path);
    }

    /// A tensor's dtype and shape.
    pub fn meta(&self, id: TensorId) -> &Meta {
        // Ids come from this builder alone, and tensors are never removed.
        &self.graph.tensors[id as usize].meta
    }

    /// A parameter of the checkpoint, which must have `shape`.
    ///
    /// # Errors
    /// When it is missing or has another shape.
    pub fn parameter(
        &mut self,
        parameters: &dyn Parameters,
        name: &str,
        shape: &[usize],
    ) -> Result<TensorId, BuildError> {
        if let Some(&id) = self.parameters.get(name) {
            return Ok(id);
        }
        let meta = parameters.meta(name).ok_or_else(|| BuildError::MissingParameter(name.to_owned()))?;
        if meta.shape != shape {
            let (name, found, expected) = (name.to_owned(), meta.shape, shape.to_vec());
            return Err(BuildError::Shape { name, found, expected });
        }
        let id = self.push(GraphTensor { name: name.to_owned(), role: Role::Weight, meta, origin: Origin::Parameter });
        self.parameters.insert(name.to_owned(), id);
        Ok(id)
    }

    /// A number for each token of this step, given from outside: i64 of shape `[1, tokens]`.
    pub fn token_input(&mut self, name: &str, values: &[i64]) -> TensorId {
        let name = format!("{}.{name}", self.step_name());
        let meta = Meta::new(DType::I64, &[1, values.len()]);
        self.push(GraphTensor { name, role: Role::Input, meta, origin: Origin::Integers(values.to_vec()) })
    }

    /// f32 numbers of one dimension that the graph holds; the same tensor in every step.
    pub fn vector_constant(&mut self, name: &str, values: &[f32]) -> TensorId {
        if let Some(&id) = self.constants.get(name) {
            return id;
        }
        let (meta, origin) = (Meta::new(DType::F32, &[values.len()]), Origin::Floats(values.to_vec()));
        let id = self.push(GraphTensor { name: name.to_owned(), role: Role::Constant, meta, origin });
        self.constants.insert(name.to_owned(), id);
        id
    }

    /// Whether a tensor's elements lie row-major without gaps.
    pub fn is_contiguous(&self, id: TensorId) -> bool {
        self.placed(id).layout.is_contiguous()
    }

    /// Names a result of the model in this step.
    pub fn output(&mut self, name: &str, tensor: TensorId) {
        let step = self.step();
        self.graph.outputs.push(NamedOutput { name: name.to_owned(), tensor, step });
    }

    /// Adds an operator with one result.
    ///
    /// # Errors
    /// When an argument breaks a rule of its signature.
    pub fn call(&mut self, op: &str, args: &[(&str, Arg)]) -> Result<TensorId, BuildError> {
        let operator = self.operator(op, args);
        let results = self.results(&operator).map_err(|error| self.error(error))?;
        let [result] = <[Pending; 1]>::try_from(results).map_err(|results| {
            let rule = format!("gives {} results where one is expected", results.len());
            self.error(OpError::Argument { op: op.to_owned(), argument: "input".to_owned(), rule })
        })?;
        let output = self.push(GraphTensor {
            name: operator.id.clone(),
            role: Role::Activation,
            meta: result.meta,
            origin: result.origin,
        });
        self.graph.operators.push(Operator { outputs: vec![output], ..operator });
        Ok(output)
    }

    fn push(&mut self, tensor: GraphTensor) -> TensorId {
        self.graph.tensors.push(tensor);
        // A graph of 2³² tensors does not fit in memory.
        (self.graph.tensors.len() - 1) as TensorId
    }

    fn step(&self) -> usize {
        self.graph.steps.len().saturating_sub(1)
    }

    fn step_name(&self) -> String {
        format!("s{}", self.step())
    }

    /// The operator without its results. Its id is made of step, module and name; a repetition gets a number.
    fn operator(&mut self, op: &str, args: &[(&str, Arg)]) -> Operator {
        let parts = [self.step_name(), self.module.clone(), op.to_owned()];
        let base = parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(".");
        let repetition = self.ids.entry(base.clone()).or_insert(0);
        *repetition += 1;
        let id = if *repetition == 1 { base } else { format!("{base}.{repetition}") };
        Operator {
            id,
            op: op.to_owned(),
            args: args.iter().map(|(name, arg)| ((*name).to_owned(), arg.clone())).collect::<BTreeMap<_, _>>(),
            outputs: Vec::new(),
            module: self.module.clone(),
            layer: self.layer,
            step: self.step(),
            source: None,
            noise: Vec::new(),
            nondeterministic: None,
        }
    }

    fn results(&self, operator: &Operator) -> Result<Vec<Pending>, OpError> {
        match operators::lookup(&operator.op) {
            Some(Definition::View(view)) => {
                let call = Call::resolve(operator, |id| Ok::<_, OpError>(self.placed(id)))?;
                let input = call.tensor("input")?.clone();
                let layouts = view.check(&call.map_tensors(|placed| placed.layout.clone()))?;
                let pending = |layout: Layout| Pending {
                    meta: Meta::new(input.dtype, &layout.shape),
                    origin: Origin::View { of: input.base, layout },
                };
                Ok(layouts.into_iter().map(pending).collect())
            }
            _ => {
                let call = Call::resolve(operator, |id| Ok::<_, OpError>(self.meta(id).clone()))?;
                let metas = operators::infer(&call)?;
                Ok(metas.into_iter().map(|meta| Pending { meta, origin: Origin::Result }).collect())
            }
        }
    }

    fn placed(&self, id: TensorId) -> Placed {
        // As in `meta`.
        let tensor = &self.graph.tensors[id as usize];
        let (base, layout) = match &tensor.origin {
            Origin::View { of, layout } => (*of, layout.clone()),
            _ => (id, Layout::contiguous(&tensor.meta.shape)),
        };
        Placed { base, layout, dtype: tensor.meta.dtype }
    }

    fn error(&self, error: OpError) -> BuildError {
        BuildError::Operator { module: self.module.clone(), error }
    }
}

/// A result that has no id yet.
#[derive(Debug)]
struct Pending {
    meta: Meta,
    origin: Origin,
}

/// A tensor as a layout in its base.
#[derive(Clone, Debug)]
struct Placed {
    base: TensorId,
    layout: Layout,
    dtype: DType,
}
