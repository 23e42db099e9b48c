//! An operator in words: arguments and results.

use super::session::Session;
use crate::protocol::{Argument, ArgumentValue, CaseDescription, Response, TensorDescription};
use taproot_engine::graph::Arg;
use taproot_engine::operators::{self, Definition};
use taproot_engine::trace::{Operator, TensorData, TensorId, Trace};

/// Describes an operator.
pub(super) fn describe(session: &Session, at: usize) -> Response {
    let trace = session.trace();
    let Some(operator) = trace.manifest().operators.get(at) else {
        return Response::Failed(format!("the trace has no operator {at}"));
    };
    Response::Described(Box::new(CaseDescription {
        operator: at,
        arguments: arguments(trace, operator),
        outputs: operator.outputs.iter().filter_map(|&id| tensor(trace, id)).collect(),
        noise: operator.noise.clone(),
        nondeterministic: operator.nondeterministic,
        source: operator.source.clone(),
    }))
}

fn arguments(trace: &Trace, operator: &Operator) -> Vec<Argument> {
    let order: &[&str] = match operators::lookup(&operator.op) {
        Some(Definition::Kernel(kernel)) => kernel.signature.params,
        Some(Definition::View(view)) => view.params,
        None => &[],
    };
    let mut arguments: Vec<Argument> =
        operator.args.iter().map(|(name, arg)| Argument { name: name.clone(), value: value(trace, arg) }).collect();
    // Unknown operators keep the order of the alphabet: the sort is stable.
    arguments.sort_by_key(|argument| order.iter().position(|name| *name == argument.name));
    arguments
}

fn value(trace: &Trace, arg: &Arg) -> ArgumentValue {
    ArgumentValue::Plain(match arg {
        Arg::Tensor(_) | Arg::Tensors(_) | Arg::SomeTensors { .. } => {
            return ArgumentValue::Tensors(arg.tensors().iter().filter_map(|&id| tensor(trace, id)).collect());
        }
        Arg::None => "None".to_owned(),
        Arg::Bool(true) => "True".to_owned(),
        Arg::Bool(false) => "False".to_owned(),
        Arg::Int(value) => value.to_string(),
        // Debug keeps the point or exponent that tells a float from an integer.
        Arg::Float(value) => format!("{value:?}"),
        Arg::Str(text) => format!("'{text}'"),
        Arg::Ints(values) => format!("{values:?}"),
    })
}

fn tensor(trace: &Trace, id: TensorId) -> Option<TensorDescription> {
    let entry = trace.entry(id).ok()?;
    Some(TensorDescription {
        name: entry.name.clone(),
        role: entry.role,
        dtype: entry.dtype,
        shape: entry.shape.clone(),
        is_view: matches!(entry.data, TensorData::View { .. }),
    })
}
