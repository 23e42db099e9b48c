//! Computes a graph's operators one after the other and writes what they read and give into a trace.

use super::tables::Tables;
use super::{CarveError, OnProgress, Progress, noise};
use crate::builders::{Graph, GraphTensor, Origin};
use crate::cpu;
use crate::models::Weights;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use taproot_engine::graph::{Arg, Call, OpError};
use taproot_engine::operators::{self, Definition, Kernel};
use taproot_engine::oracle::Array;
use taproot_engine::tensor::HostTensor;
use taproot_engine::trace::{Head, NamedOutput, Noise, Operator, Role, TensorId, TraceSummary, TraceWriter};

/// Records a run. Ids of the graph and ids of the trace differ, because the trace holds only what operators use.
#[derive(Debug)]
pub(super) struct Recorder<'a> {
    writer: TraceWriter,
    weights: &'a dyn Weights,
    tables: Option<Tables>,
    /// Results that are still needed, by the graph's id.
    values: HashMap<TensorId, HostTensor>,
    /// Ids in the trace, by the graph's id.
    written: HashMap<TensorId, TensorId>,
    operators: Vec<Recorded>,
}

/// An operator whose arguments are ids of the trace, but for the table that it looks up in, which is written last.
#[derive(Debug)]
struct Recorded {
    operator: Operator,
    table: Option<TensorId>,
}

impl<'a> Recorder<'a> {
    /// A recorder that writes into `folder`.
    pub(super) fn new(folder: &Path, weights: &'a dyn Weights) -> Result<Self, CarveError> {
        Ok(Recorder {
            writer: TraceWriter::create(folder)?,
            weights,
            tables: None,
            values: HashMap::new(),
            written: HashMap::new(),
            operators: Vec::new(),
        })
    }

    /// Computes the operators that the graph has gained since the last call, which is its next step. Results are dropped
    /// after their last use, but for those in `keep`.
    pub(super) fn record(
        &mut self,
        graph: &Graph,
        keep: &[TensorId],
        progress: OnProgress<'_>,
    ) -> Result<(), CarveError> {
        let new = graph.operators.get(self.operators.len()..).unwrap_or_default();
        let name = graph.steps.last().map(|step| step.name.clone()).unwrap_or_default();
        progress(Progress::Step { name, operators: new.len() });
        if self.tables.is_none() {
            self.tables = Some(Tables::of(graph));
        }
        let keep: HashSet<TensorId> = keep.iter().map(|&id| base(graph, id)).collect();
        let last_uses = last_uses(graph, new);
        for (at, operator) in new.iter().enumerate() {
            progress(Progress::Operator { id: operator.id.clone() });
            let recorded = match operators::lookup(&operator.op) {
                Some(Definition::Kernel(kernel)) => self.compute(graph, operator, kernel)?,
                Some(Definition::View(_)) => self.view(graph, operator)?,
                None => return Err(operator_error(operator, OpError::Unknown(operator.op.clone()))),
            };
            self.operators.push(recorded);
            self.values.retain(|id, _| keep.contains(id) || last_uses.get(id).is_some_and(|&last| last > at));
        }
        Ok(())
    }

    /// The one integer of a result that was kept.
    pub(super) fn integer(&self, graph: &Graph, id: TensorId) -> Result<i64, CarveError> {
        let (tensor, value) = (tensor(graph, id)?, self.values.get(&id));
        let value = value.ok_or_else(|| graph_error(tensor, "was not kept"))?;
        let integers = value.to_i64().map_err(|error| value_error(tensor, error))?;
        integers.first().copied().ok_or_else(|| graph_error(tensor, "has no elements"))
    }

    /// Operators whose two runs differed.
    pub(super) fn nondeterministic(&self) -> usize {
        self.operators.iter().filter(|recorded| recorded.operator.nondeterministic.is_some()).count()
    }

    /// Writes the carved tables and the operators, and closes the trace. `head.outputs` is filled from the graph.
    pub(super) fn finish(mut self, head: Head, graph: &Graph) -> Result<TraceSummary, CarveError> {
        for (id, table) in self.tables.take().unwrap_or_default().into_tables() {
            let tensor = tensor(graph, id)?;
            let carved = table.carved().map_err(|error| value_error(tensor, error))?;
            let name = self.trace_name(tensor);
            let id_in_trace = self.writer.add_stored(&name, tensor.role, &carved, Some(table.rows().to_vec()))?;
            self.written.insert(id, id_in_trace);
        }
        let mut outputs = Vec::new();
        for output in &graph.outputs {
            outputs.push(NamedOutput { tensor: self.in_trace(graph, output.tensor)?, ..output.clone() });
        }
        for Recorded { mut operator, table } in std::mem::take(&mut self.operators) {
            if let Some(table) = table {
                operator.args.insert("weight".to_owned(), Arg::Tensor(self.in_trace(graph, table)?));
            }
            self.writer.add_operator(operator);
        }
        Ok(self.writer.finish(Head { outputs, ..head })?)
    }

    /// A view computes nothing; its result is a look at its base.
    fn view(&mut self, graph: &Graph, operator: &Operator) -> Result<Recorded, CarveError> {
        for &id in operator.args.values().flat_map(Arg::tensors).chain(&operator.outputs) {
            self.write(graph, id)?;
        }
        self.recorded(graph, operator, None, Vec::new(), None)
    }

    fn compute(&mut self, graph: &Graph, operator: &Operator, kernel: &Kernel) -> Result<Recorded, CarveError> {
        let table = match operator.args.get("weight") {
            Some(&Arg::Tensor(id)) if self.tables.as_ref().is_some_and(|tables| tables.contains(id)) => Some(id),
            _ => None,
        };
        let (call, indices) = match table {
            Some(table) => self.look_up(graph, operator, table)?,
            None => (Call::resolve(operator, |id| self.argument(graph, id))?, None),
        };
        let error = |error| operator_error(operator, error);
        let loaded = cpu::load(&call);
        let results = cpu::run(&loaded).map_err(error)?;
        let nondeterministic = noise::difference(&results, &cpu::run(&loaded).map_err(error)?);
        drop(loaded);
        let exact = (kernel.oracle)(&call.map_tensors(Array::from_host)).map_err(error)?;
        let noise = results.iter().zip(&exact).map(|(source, oracle)| noise::measure(&operator.id, source, oracle));
        let noise = noise.collect::<Result<Vec<_>, _>>()?;
        for (&id, value) in operator.outputs.iter().zip(results) {
            let tensor = tensor(graph, id)?;
            let in_trace = self.writer.add_stored(&tensor.name, tensor.role, &value, None)?;
            self.written.insert(id, in_trace);
            self.values.insert(id, value);
        }
        let mut recorded = self.recorded(graph, operator, table, noise, nondeterministic)?;
        if let Some(indices) = indices {
            recorded.operator.args.insert("indices".to_owned(), Arg::Tensor(indices));
        }
        Ok(recorded)
    }

    /// An embedding in a table that is carved down: its indices are those of the carved table, a tensor of their own
    /// where they differ from the original ones.
    fn look_up(
        &mut self,
        graph: &Graph,
        operator: &Operator,
        table: TensorId,
    ) -> Result<(Call<HostTensor>, Option<TensorId>), CarveError> {
        let error = |rule: &str| CarveError::Graph { name: operator.id.clone(), rule: rule.to_owned() };
        let Some(&Arg::Tensor(indices_id)) = operator.args.get("indices") else {
            return Err(error("has no indices"));
        };
        let indices = self.value(graph, indices_id)?;
        let indices_tensor = tensor(graph, indices_id)?;
        let table_tensor = tensor(graph, table)?;
        let original = indices.to_i64().map_err(|e| value_error(indices_tensor, e))?;
        let (weights, tables) = (self.weights, self.tables.as_mut().ok_or_else(|| error("comes before its step"))?);
        let rows = tables.table(table, || weights.read(&table_tensor.name))?;
        let carved = rows.look_up(&original);
        let weight = rows.carved().map_err(|e| value_error(table_tensor, e))?;
        let (indices, in_trace) = if carved == original {
            self.write(graph, indices_id)?;
            (indices, None)
        } else {
            let carved = HostTensor::from_i64(indices.shape(), &carved).map_err(|e| value_error(indices_tensor, e))?;
            let name = format!("{} (rows of the carved {})", indices_tensor.name, table_tensor.name);
            let id = self.writer.add_stored(&name, Role::Input, &carved, None)?;
            (carved, Some(id))
        };
        let call = Call::new("embedding").tensor_arg("weight", weight).tensor_arg("indices", indices);
        Ok((call, in_trace))
    }

    /// The operator with ids of the trace.
    fn recorded(
        &mut self,
        graph: &Graph,
        operator: &Operator,
        table: Option<TensorId>,
        noise: Vec<Noise>,
        nondeterministic: Option<f64>,
    ) -> Result<Recorded, CarveError> {
        let mut args = BTreeMap::new();
        for (name, arg) in &operator.args {
            let looked_up = table.is_some() && matches!(name.as_str(), "weight" | "indices");
            let arg = match arg {
                // Filled in by those who know: the table at the end, indices where they were not the original ones.
                Arg::Tensor(id) if looked_up => self.written.get(id).copied().map_or(Arg::None, Arg::Tensor),
                Arg::Tensor(id) => Arg::Tensor(self.in_trace(graph, *id)?),
                Arg::Tensors(ids) => {
                    Arg::Tensors(ids.iter().map(|&id| self.in_trace(graph, id)).collect::<Result<_, _>>()?)
                }
                Arg::SomeTensors { ids, given } => {
                    let ids = ids.iter().map(|&id| self.in_trace(graph, id)).collect::<Result<_, _>>()?;
                    Arg::SomeTensors { ids, given: given.clone() }
                }
                plain => plain.clone(),
            };
            args.insert(name.clone(), arg);
        }
        let outputs = operator.outputs.iter().map(|&id| self.in_trace(graph, id)).collect::<Result<_, _>>()?;
        let operator = Operator { args, outputs, noise, nondeterministic, ..operator.clone() };
        Ok(Recorded { operator, table })
    }

    /// A tensor's value, which the trace holds afterwards.
    fn argument(&mut self, graph: &Graph, id: TensorId) -> Result<HostTensor, CarveError> {
        let value = self.value(graph, id)?;
        if !self.written.contains_key(&id) {
            match &tensor(graph, id)?.origin {
                Origin::View { .. } => self.write(graph, id)?,
                _ => self.store(graph, id, &value)?,
            }
        }
        Ok(value)
    }

    /// Sees to it that the trace holds a tensor.
    fn write(&mut self, graph: &Graph, id: TensorId) -> Result<(), CarveError> {
        if self.written.contains_key(&id) {
            return Ok(());
        }
        let tensor = tensor(graph, id)?;
        match &tensor.origin {
            Origin::View { of, layout } => {
                self.write(graph, *of)?;
                let base = self.in_trace(graph, *of)?;
                let in_trace = self.writer.add_view(&tensor.name, tensor.role, base, layout)?;
                self.written.insert(id, in_trace);
                Ok(())
            }
            _ => {
                let value = self.value(graph, id)?;
                self.store(graph, id, &value)
            }
        }
    }

    fn store(&mut self, graph: &Graph, id: TensorId, value: &HostTensor) -> Result<(), CarveError> {
        let tensor = tensor(graph, id)?;
        if self.tables.as_ref().is_some_and(|tables| tables.contains(id)) {
            return Err(graph_error(tensor, "is carved down to rows, but read as a whole"));
        }
        let name = self.trace_name(tensor);
        let in_trace = self.writer.add_stored(&name, tensor.role, value, None)?;
        self.written.insert(id, in_trace);
        Ok(())
    }

    fn value(&self, graph: &Graph, id: TensorId) -> Result<HostTensor, CarveError> {
        let tensor = tensor(graph, id)?;
        let error = |error| value_error(tensor, error);
        match &tensor.origin {
            Origin::Parameter => Ok(self.weights.read(&tensor.name)?),
            Origin::Integers(values) => HostTensor::from_i64(&tensor.meta.shape, values).map_err(error),
            Origin::Floats(values) => HostTensor::from_f32(&tensor.meta.shape, values).map_err(error),
            Origin::Result => self.values.get(&id).cloned().ok_or_else(|| graph_error(tensor, "was dropped too early")),
            Origin::View { of, layout } => self.value(graph, *of)?.view(layout).map_err(error),
        }
    }

    fn in_trace(&self, graph: &Graph, id: TensorId) -> Result<TensorId, CarveError> {
        let known = self.written.get(&id).copied();
        known.map_or_else(|| Err(graph_error(tensor(graph, id)?, "was never written")), Ok)
    }

    /// A parameter's name says what was done to its values.
    fn trace_name(&self, tensor: &GraphTensor) -> String {
        let note = match tensor.origin {
            Origin::Parameter => self.weights.note(&tensor.name),
            _ => None,
        };
        note.map_or_else(|| tensor.name.clone(), |note| format!("{} ({note})", tensor.name))
    }
}

/// For each result, the last of the operators that reads it, also through views.
fn last_uses(graph: &Graph, operators: &[Operator]) -> HashMap<TensorId, usize> {
    let mut last_uses = HashMap::new();
    for (at, operator) in operators.iter().enumerate() {
        for &id in operator.args.values().flat_map(Arg::tensors) {
            last_uses.insert(base(graph, id), at);
        }
    }
    last_uses
}

/// The tensor that holds the elements.
fn base(graph: &Graph, id: TensorId) -> TensorId {
    match graph.tensors.get(id as usize).map(|tensor| &tensor.origin) {
        Some(Origin::View { of, .. }) => *of,
        _ => id,
    }
}

fn tensor(graph: &Graph, id: TensorId) -> Result<&GraphTensor, CarveError> {
    graph
        .tensors
        .get(id as usize)
        .ok_or_else(|| CarveError::Graph { name: id.to_string(), rule: "is not in the graph".to_owned() })
}

fn operator_error(operator: &Operator, error: OpError) -> CarveError {
    CarveError::Operator { id: operator.id.clone(), error }
}

fn value_error(tensor: &GraphTensor, error: taproot_engine::tensor::TensorError) -> CarveError {
    CarveError::Value { name: tensor.name.clone(), error }
}

fn graph_error(tensor: &GraphTensor, rule: &str) -> CarveError {
    CarveError::Graph { name: tensor.name.clone(), rule: rule.to_owned() }
}
