//! A kernel that writes NaN.

use super::models::Model;
use super::{Carved, kernel_with};
use taproot_engine::webgpu::KernelOverride;

/// gelu that gives NaN for one of its 3700 elements, in layer 1.
pub(super) fn gelu_with_nan() -> KernelOverride {
    let store = "result_store(i, operation(input_load(i)));";
    // By its bits: a shader compiler may assume that arithmetic gives no NaN.
    let nan = "if (i == 1234u) { result_store_bits(i, 0x7fc00000u); }";
    kernel_with("gelu", store, &format!("{store}\n  {nan}"), Some("*.layer.1.*"))
}

#[test]
fn a_single_nan_fails() {
    let carved = Carved::of(&Model::bert(), 0);
    let gelu = "s0.encoder.layer.1.intermediate.intermediate_act_fn.gelu".to_owned();
    let failed = carved.assert_fails_exactly(gelu_with_nan(), &[gelu]);
    assert_eq!(failed[0].outputs[0].metrics.nonfinite_mismatches, 1);
    let reason = failed[0].reason.as_deref().unwrap_or_default();
    assert!(reason.contains("1 of 3700 elements") && reason.contains("the first is element 1234"), "{reason}");
}
