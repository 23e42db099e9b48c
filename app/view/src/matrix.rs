//! The matrix of layers and operators: which column an operator stands in.
//!
//! Layers that repeat (`model.layers.0`, `model.layers.1` …) share columns: the same operator of the same submodule stands in the
//! same column in each. What comes before and after them has columns of its own. Columns are laid out over all steps at once, so
//! that nothing moves when another step is chosen.

use std::collections::HashMap;
use std::ops::Range;

/// An operator as the matrix sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Position in the trace.
    pub operator: usize,
    /// ATen name.
    pub op: &'a str,
    /// Module path.
    pub module: &'a str,
    /// Position of the layer.
    pub layer: usize,
    /// Position of the step.
    pub step: usize,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Submodule below the layer, empty for the layer itself.
    pub module: String,
    /// ATen name.
    pub op: String,
    /// Counts equal operators of one submodule, from 0.
    pub occurrence: usize,
    /// Whether other columns of the group have the same submodule and operator.
    pub is_repeated: bool,
}

/// Columns that belong to one kind of layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name of the layer, with `*` for the number where several share the group.
    pub name: String,
    /// Positions of its columns.
    pub columns: Range<usize>,
    /// Positions of its layers.
    pub layers: Vec<usize>,
}

/// Where each operator stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrix {
    /// Columns from left to right.
    pub columns: Vec<Column>,
    /// Groups of columns from left to right.
    pub groups: Vec<Group>,
    cells: HashMap<(usize, usize, usize), usize>,
    places: HashMap<usize, (usize, usize)>,
}

type Key<'a> = (&'a str, &'a str, usize);

impl Matrix {
    /// Lays out `entries`, which are in order of execution, over `layers` by name.
    pub fn new(layers: &[String], entries: &[Entry<'_>]) -> Self {
        let mut matrix = Matrix::default();
        for (name, members) in group_layers(layers) {
            matrix.add_group(name, members, layers, entries);
        }
        matrix
    }

    /// The operator in a cell.
    pub fn operator(&self, step: usize, layer: usize, column: usize) -> Option<usize> {
        self.cells.get(&(step, layer, column)).copied()
    }

    /// Layer and column of an operator.
    pub fn place(&self, operator: usize) -> Option<(usize, usize)> {
        self.places.get(&operator).copied()
    }

    /// The group of a column.
    pub fn group_of(&self, column: usize) -> Option<&Group> {
        self.groups.iter().find(|group| group.columns.contains(&column))
    }

    fn add_group(&mut self, name: String, members: Vec<usize>, layers: &[String], entries: &[Entry<'_>]) {
        let mut order: Vec<Key<'_>> = Vec::new();
        let mut placed: Vec<(Entry<'_>, Key<'_>)> = Vec::new();
        for &layer in &members {
            // In range: members are positions in `layers`.
            for run in runs(entries, layer, &layers[layer]) {
                merge(&mut order, run.iter().map(|(_, key)| *key));
                placed.extend(run);
            }
        }
        let start = self.columns.len();
        let position: HashMap<Key<'_>, usize> = order.iter().enumerate().map(|(at, key)| (*key, start + at)).collect();
        for (entry, key) in placed {
            let Some(&column) = position.get(&key) else { continue };
            self.cells.insert((entry.step, entry.layer, column), entry.operator);
            self.places.insert(entry.operator, (entry.layer, column));
        }
        let twin = |(module, op, _): Key<'_>| order.iter().filter(|(m, o, _)| *m == module && *o == op).count() > 1;
        self.columns.extend(order.iter().map(|&key| Column {
            module: key.0.to_owned(),
            op: key.1.to_owned(),
            occurrence: key.2,
            is_repeated: twin(key),
        }));
        self.groups.push(Group { name, columns: start..self.columns.len(), layers: members });
    }
}

impl Column {
    /// The last part of the submodule's path and the operator: `query linear`; `LayerNorm` says its operator itself.
    pub fn label(&self) -> String {
        let module = self.module.rsplit('.').next().unwrap_or_default();
        let number = if self.is_repeated { format!(" {}", self.occurrence + 1) } else { String::new() };
        let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
        if module.is_empty() {
            format!("{}{number}", self.op)
        } else if plain(module).contains(&plain(&self.op)) {
            format!("{module}{number}")
        } else {
            format!("{module} {}{number}", self.op)
        }
    }
}

/// Layers by kind, in order of appearance: names that differ only in a number are one kind.
fn group_layers(layers: &[String]) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (at, name) in layers.iter().enumerate() {
        let kind = without_numbers(name);
        match groups.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, members)) => members.push(at),
            None => groups.push((kind, vec![at])),
        }
    }
    for (name, members) in &mut groups {
        if let [only] = members.as_slice() {
            // In range: members are positions in `layers`.
            name.clone_from(&layers[*only]);
        }
    }
    groups
}

fn without_numbers(name: &str) -> String {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = name.split('.').map(|part| if is_number(part) { "*" } else { part }).collect();
    parts.join(".")
}

/// The operators of one layer, a run for each step, with the key of their column.
fn runs<'a>(entries: &[Entry<'a>], layer: usize, layer_name: &str) -> Vec<Vec<(Entry<'a>, Key<'a>)>> {
    let mut runs: Vec<(usize, Vec<(Entry<'a>, Key<'a>)>)> = Vec::new();
    for entry in entries.iter().filter(|entry| entry.layer == layer) {
        if runs.last().is_none_or(|(step, _)| *step != entry.step) {
            runs.push((entry.step, Vec::new()));
        }
        let Some((_, run)) = runs.last_mut() else { continue };
        let module = below(entry.module, layer_name);
        let occurrence = run.iter().filter(|(_, (m, op, _))| *m == module && *op == entry.op).count();
        run.push((*entry, (module, entry.op, occurrence)));
    }
    runs.into_iter().map(|(_, run)| run).collect()
}

/// The module's path below the layer's, or all of it where it is not below.
fn below<'a>(module: &'a str, layer: &str) -> &'a str {
    match module.strip_prefix(layer) {
        Some("") => "",
        Some(rest) => rest.strip_prefix('.').unwrap_or(module),
        None => module,
    }
}

/// Adds the keys of `run` that `order` lacks, each behind the one that it follows in `run`.
fn merge<'a>(order: &mut Vec<Key<'a>>, run: impl Iterator<Item = Key<'a>>) {
    let mut at = 0;
    for key in run {
        match order.iter().position(|known| *known == key) {
            Some(known) => at = known + 1,
            None => {
                order.insert(at, key);
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers() -> Vec<String> {
        ["embeddings", "encoder.layer.0", "encoder.layer.1", "pooler"].map(str::to_owned).to_vec()
    }

    fn entry<'a>(operator: usize, op: &'a str, module: &'a str, layer: usize) -> Entry<'a> {
        Entry { operator, op, module, layer, step: 0 }
    }

    #[test]
    fn repeated_layers_share_columns_and_others_have_their_own() {
        let entries = [
            entry(0, "embedding", "embeddings.word", 0),
            entry(1, "linear", "encoder.layer.0.q", 1),
            entry(2, "add", "encoder.layer.0", 1),
            entry(3, "linear", "encoder.layer.1.q", 2),
            entry(4, "add", "encoder.layer.1", 2),
            entry(5, "tanh", "pooler", 3),
        ];
        let matrix = Matrix::new(&layers(), &entries);
        let labels: Vec<String> = matrix.columns.iter().map(Column::label).collect();
        assert_eq!(labels, ["word embedding", "q linear", "add", "tanh"]);
        let names: Vec<&str> = matrix.groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["embeddings", "encoder.layer.*", "pooler"]);
        assert_eq!(matrix.operator(0, 2, 1), Some(3));
        assert_eq!(matrix.operator(0, 0, 1), None);
        assert_eq!(matrix.place(5), Some((3, 3)));
        assert_eq!(matrix.group_of(2).map(|group| group.layers.clone()), Some(vec![1, 2]));
    }

    #[test]
    fn a_module_named_after_its_operator_says_it_once() {
        let entries = [
            entry(0, "layer_norm", "encoder.layer.0.LayerNorm", 1),
            entry(1, "embedding", "embeddings.word_embeddings", 0),
        ];
        let matrix = Matrix::new(&layers(), &entries);
        let labels: Vec<String> = matrix.columns.iter().map(Column::label).collect();
        assert_eq!(labels, ["word_embeddings", "LayerNorm"]);
    }

    #[test]
    fn equal_operators_of_one_module_are_told_apart() {
        let entries = [
            entry(0, "mul", "encoder.layer.0.rope", 1),
            entry(1, "add", "encoder.layer.0.rope", 1),
            entry(2, "mul", "encoder.layer.0.rope", 1),
        ];
        let matrix = Matrix::new(&layers(), &entries);
        let labels: Vec<String> = matrix.columns.iter().map(Column::label).collect();
        assert_eq!(labels, ["rope mul 1", "rope add", "rope mul 2"]);
    }

    #[test]
    fn an_operator_that_only_some_layers_have_stands_where_they_run_it() {
        let entries = [
            entry(0, "linear", "encoder.layer.0.q", 1),
            entry(1, "add", "encoder.layer.0", 1),
            entry(2, "linear", "encoder.layer.1.q", 2),
            entry(3, "gelu", "encoder.layer.1", 2),
            entry(4, "add", "encoder.layer.1", 2),
        ];
        let matrix = Matrix::new(&layers(), &entries);
        let ops: Vec<&str> = matrix.columns.iter().map(|column| column.op.as_str()).collect();
        assert_eq!(ops, ["linear", "gelu", "add"]);
        assert_eq!(matrix.operator(0, 1, 1), None);
    }

    #[test]
    fn steps_share_columns() {
        let mut entries = vec![entry(0, "linear", "encoder.layer.0.q", 1)];
        entries.push(Entry { operator: 1, step: 1, ..entries[0] });
        entries.push(Entry { operator: 2, op: "cat", step: 1, ..entries[0] });
        let matrix = Matrix::new(&layers(), &entries);
        assert_eq!(matrix.columns.len(), 2);
        assert_eq!((matrix.operator(0, 1, 0), matrix.operator(1, 1, 0)), (Some(0), Some(1)));
        assert_eq!((matrix.operator(0, 1, 1), matrix.operator(1, 1, 1)), (None, Some(2)));
    }

    #[test]
    fn every_operator_has_exactly_one_cell() {
        let entries: Vec<Entry<'_>> =
            (0..40).map(|at| entry(at, ["mul", "add", "linear"][at % 3], "encoder.layer.0.x", at % 4)).collect();
        let matrix = Matrix::new(&layers(), &entries);
        assert_eq!(matrix.cells.len(), entries.len());
        for entry in &entries {
            let (layer, column) = matrix.place(entry.operator).unwrap_or_else(|| panic!("{entry:?} has no place"));
            assert_eq!(matrix.operator(0, layer, column), Some(entry.operator));
        }
    }
}
