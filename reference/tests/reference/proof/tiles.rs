//! Off by one at the edge of a tile of the matrix product.

use super::models::Model;
use super::{Carved, kernel_with};
use taproot_engine::webgpu::KernelOverride;

/// The last column of a tile is not loaded.
fn lost_column() -> KernelOverride {
    let condition = "first_column + c < params.columns";
    kernel_with("matmul", condition, &format!("c + 1u < TILE_COLUMNS && {condition}"), None)
}

/// Only products of 64 and more columns have a last column in their tile: the widening ones, of 100. The scores of 37
/// tokens by 37, and projections to 60 columns, stay right.
#[test]
fn a_lost_column_of_a_tile_fails_where_a_product_is_as_wide_as_a_tile() {
    let carved = Carved::of(&Model::bert(), 0);
    let expected = [0, 1, 2].map(|layer| format!("s0.encoder.layer.{layer}.intermediate.dense.linear"));
    carved.assert_fails_exactly(lost_column(), &expected);
}

/// The same in a Llama, whose head is wide too; decode steps take the kernel for few rows, and stay right.
#[test]
fn a_lost_column_of_a_tile_fails_in_the_prefill_alone() {
    let carved = Carved::of(&Model::llama(), 1);
    let mut expected: Vec<String> = (0..3)
        .flat_map(|layer| ["gate", "up"].map(|name| format!("s0.model.layers.{layer}.mlp.{name}_proj.linear")))
        .collect();
    expected.push("s0.lm_head.linear".to_owned());
    carved.assert_fails_exactly(lost_column(), &expected);
}

/// The last step along K of a tile of 16 is not loaded: every product that is at least as deep as a tile is wrong. The
/// scores, of heads of 15, are not.
#[test]
fn a_lost_step_of_a_tile_fails_where_a_product_is_as_deep_as_a_tile() {
    let carved = Carved::of(&Model::bert(), 0);
    let condition = "first_column + c < params.columns && k0 + k < params.depth";
    let mistake = kernel_with("matmul", condition, &format!("k + 1u < TILE_K && {condition}"), None);
    let expected = carved.ids(|operator| {
        operator.op == "linear" || (operator.op == "matmul" && operator.id.ends_with(".attention.self.matmul.2"))
    });
    assert_eq!(expected.len(), 3 * 7);
    carved.assert_fails_exactly(mistake, &expected);
}
