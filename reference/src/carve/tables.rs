//! Embedding tables carved down to the rows that a run looks up.

use crate::builders::Graph;
use crate::models::ModelError;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use taproot_engine::tensor::{HostTensor, TensorError};
use taproot_engine::trace::TensorId;

/// The rows of one table, in the order in which they were first looked up.
#[derive(Debug)]
pub(super) struct Table {
    whole: HostTensor,
    rows: Vec<u64>,
    positions: HashMap<u64, i64>,
}

impl Table {
    fn new(whole: HostTensor) -> Self {
        Table { whole, rows: Vec::new(), positions: HashMap::new() }
    }

    /// Indices into the carved table that mean the same rows as `indices` in the whole one, which it grows by those that
    /// are new. Indices outside the table are left for the operator to refuse.
    pub(super) fn look_up(&mut self, indices: &[i64]) -> Vec<i64> {
        let height = self.whole.shape().first().copied().unwrap_or(0) as u64;
        let carved = indices.iter().map(|&index| {
            let Some(row) = u64::try_from(index).ok().filter(|&row| row < height) else { return i64::MAX };
            *self.positions.entry(row).or_insert_with(|| {
                self.rows.push(row);
                self.rows.len() as i64 - 1
            })
        });
        carved.collect()
    }

    /// The carved table.
    pub(super) fn carved(&self) -> Result<HostTensor, TensorError> {
        let [height, width] =
            [self.whole.shape().first(), self.whole.shape().get(1)].map(|size| size.copied().unwrap_or(0));
        let row_bytes = self.whole.bytes().len().checked_div(height).unwrap_or(0);
        let mut bytes = Vec::with_capacity(self.rows.len() * row_bytes);
        for &row in &self.rows {
            // In range: `look_up` takes only rows of the table.
            let start = row as usize * row_bytes;
            bytes.extend_from_slice(&self.whole.bytes()[start..start + row_bytes]);
        }
        HostTensor::new(self.whole.dtype(), &[self.rows.len(), width], bytes)
    }

    /// Rows of the whole table, in the order of the carved one.
    pub(super) fn rows(&self) -> &[u64] {
        &self.rows
    }
}

/// Every table of a graph that only embeddings read.
#[derive(Debug, Default)]
pub(super) struct Tables {
    names: BTreeSet<TensorId>,
    tables: BTreeMap<TensorId, Table>,
}

impl Tables {
    /// The tables of a graph's first step: parameters that are the weight of embeddings and of nothing else.
    pub(super) fn of(graph: &Graph) -> Self {
        let mut read_whole = BTreeSet::new();
        let mut looked_up = BTreeSet::new();
        for operator in &graph.operators {
            for (name, arg) in &operator.args {
                let is_table = operator.op == "embedding" && name == "weight";
                if is_table { &mut looked_up } else { &mut read_whole }.extend(arg.tensors());
            }
        }
        Tables { names: looked_up.difference(&read_whole).copied().collect(), tables: BTreeMap::new() }
    }

    /// Whether a tensor is such a table.
    pub(super) fn contains(&self, id: TensorId) -> bool {
        self.names.contains(&id)
    }

    /// A table, which `read` reads when it is first asked for.
    pub(super) fn table(
        &mut self,
        id: TensorId,
        read: impl FnOnce() -> Result<HostTensor, ModelError>,
    ) -> Result<&mut Table, ModelError> {
        Ok(match self.tables.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(Table::new(read()?)),
        })
    }

    /// Every table that was looked up in.
    pub(super) fn into_tables(self) -> BTreeMap<TensorId, Table> {
        self.tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_kept_in_the_order_of_their_first_use() -> Result<(), TensorError> {
        let whole = HostTensor::from_f32(&[4, 2], &[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5])?;
        let mut table = Table::new(whole);
        assert_eq!(table.look_up(&[3, 1, 3]), [0, 1, 0]);
        assert_eq!(table.look_up(&[2, 1]), [2, 1]);
        assert_eq!(table.rows(), [3, 1, 2]);
        assert_eq!(table.carved()?.to_f32(), [3.0, 3.5, 1.0, 1.5, 2.0, 2.5]);
        assert_eq!(table.look_up(&[4, -1]), [i64::MAX, i64::MAX]);
        Ok(())
    }
}
