//! Rotary embeddings whose halves are the wrong way round.

use super::models::Model;
use super::{Carved, kernel_of, kernel_with};

const SWAPPED_HALVES: &str = include_str!("wgsl/swapped_halves.wgsl");

/// `rotate_half` of q and k in every layer and step. With a cache there are two more of `cat` behind them.
fn rotations(carved: &Carved, op: &str) -> Vec<String> {
    let repetition = |id: &str| id.rsplit('.').next().and_then(|last| last.parse::<usize>().ok()).unwrap_or(1);
    let rotations = carved
        .ids(|operator| operator.op == op && operator.module.ends_with(".self_attn") && repetition(&operator.id) <= 2);
    assert_eq!(rotations.len(), 2 * 3 * 2, "{rotations:?}");
    rotations
}

/// cat of the first half and the negated second one: each lands in the other's place.
#[test]
fn swapped_halves_fail_at_the_rotations() {
    let carved = Carved::of(&Model::llama(), 1);
    let only = Some("*.self_attn.{cat,cat.2}");
    carved.assert_fails_exactly(kernel_of("copy", SWAPPED_HALVES, only), &rotations(&carved, "cat"));
}

/// The second half keeps its sign.
#[test]
fn a_half_that_is_not_negated_fails_at_the_rotations() {
    let carved = Carved::of(&Model::llama(), 1);
    let mistake = kernel_with(
        "unary",
        "case NEG: { return bitcast<f32>(bitcast<u32>(x) ^ 0x80000000u); }",
        "case NEG: { return x; }",
        Some("*.self_attn.*"),
    );
    carved.assert_fails_exactly(mistake, &rotations(&carved, "neg"));
}
