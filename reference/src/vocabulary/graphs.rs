//! How the operators of graphs that `torch.export` writes are spelled in traces.

use taproot_engine::operators::lookup;

/// Operators of exported graphs, with the number of architectures whose graph holds them, as exported and decomposed.
const ARCHITECTURES: &str = include_str!("architectures.txt");

/// What becomes of an operator of an exported graph in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is recorded under this name of the vocabulary.
    Recorded(&'static str),
    /// It isn't in a trace, for this reason.
    Removed(&'static str),
    /// Nothing replays it.
    Missing,
}

/// Names that another name of the vocabulary stands for.
const SPELLED: &[(&str, &str)] = &[
    ("__and__", "bitwise_and"),
    ("_softmax", "softmax"),
    ("_log_softmax", "log_softmax"),
    ("_to_copy", "to"),
    ("type_as", "to"),
    ("native_layer_norm", "layer_norm"),
    ("native_group_norm", "group_norm"),
    ("_native_batch_norm_legit_no_training", "batch_norm"),
    ("lift_fresh_copy", "clone"),
    ("transformers.grouped_mm_fallback", "grouped_mm"),
];

/// Names that no trace holds.
const REMOVED: &[(&str, &str)] = &[
    ("_assert_tensor_metadata", "computes nothing"),
    ("dropout", "the identity when a model is not trained"),
    ("copy", "gives its second argument, which functionalised graphs use directly"),
    ("empty", "its values are undefined: what fills it is recorded"),
    ("empty_like", "its values are undefined: what fills it is recorded"),
    ("empty_permuted", "its values are undefined: what fills it is recorded"),
    ("new_empty", "its values are undefined: what fills it is recorded"),
    ("rand", "random: its result is recorded as an input"),
];

/// Where the operator `name` of an exported graph (`add.Tensor`) is in a trace.
pub fn place(name: &str) -> Place {
    let base = match name.rsplit_once('.') {
        Some((base, _overload)) => base,
        None => name,
    };
    let functional = match base.strip_suffix('_') {
        Some(stem) if !stem.ends_with('_') => stem,
        _ => base,
    };
    if let Some(definition) = lookup(functional) {
        return Place::Recorded(definition.name());
    }
    if let Some((_, spelled)) = SPELLED.iter().find(|(from, _)| *from == functional) {
        return lookup(spelled).map_or(Place::Missing, |definition| Place::Recorded(definition.name()));
    }
    match REMOVED.iter().find(|(from, _)| *from == functional) {
        Some((_, reason)) => Place::Removed(reason),
        None => Place::Missing,
    }
}

/// An operator of the exported graphs.
pub(super) struct Used {
    pub(super) name: &'static str,
    /// Architectures whose graph holds it as exported.
    pub(super) whole: usize,
    /// Architectures whose graph holds it after decomposition to core ATen.
    pub(super) core: usize,
}

/// Every operator of the exported graphs, the most used first.
pub(super) fn used() -> impl Iterator<Item = Used> {
    ARCHITECTURES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut words = line.split(' ');
        Some(Used { name: words.next()?, whole: words.next()?.parse().ok()?, core: words.next()?.parse().ok()? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        assert_eq!(used().count(), ARCHITECTURES.lines().filter(|line| !line.starts_with('#')).count());
    }

    #[test]
    fn overloads_and_in_place_forms_have_one_name() {
        assert_eq!(place("add.Tensor"), Place::Recorded("add"));
        assert_eq!(place("add_.Tensor"), Place::Recorded("add"));
        assert_eq!(place("_to_copy.default"), Place::Recorded("to"));
        assert!(matches!(place("dropout.default"), Place::Removed(_)));
        assert_eq!(place("made_up.default"), Place::Missing);
        // Names that end in two underscores are operators of Python, not in-place forms.
        assert_ne!(place("__add__.Tensor"), Place::Recorded("add"));
    }
}
