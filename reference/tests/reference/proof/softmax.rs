//! A softmax that does not subtract the maximum.

use super::models::Model;
use super::{Carved, kernel_of};

const WITHOUT_MAX: &str = include_str!("wgsl/softmax_without_max.wgsl");

/// Layer 1's queries are so large that its logits exceed 100; the kernel is wrong everywhere, but its results only there.
#[test]
fn a_softmax_without_max_subtraction_fails_where_logits_are_large() {
    let carved = Carved::of(&Model::bert().scaled("encoder.layer.1.attention.self.query.", 10.0), 0);
    let softmax = |layer: usize| format!("s0.encoder.layer.{layer}.attention.self.softmax");
    let largest = [0, 1, 2].map(|layer| carved.input_of(&softmax(layer)).to_f64().into_iter().fold(0.0, f64::max));
    assert!(largest[0] < 88.0 && largest[1] > 100.0 && largest[2] < 88.0, "{largest:?}");
    let failed = carved.assert_fails_exactly(kernel_of("softmax", WITHOUT_MAX, None), &[softmax(1)]);
    let mismatches = failed[0].outputs[0].metrics.nonfinite_mismatches;
    assert!(mismatches > 0, "{:?}", failed[0].reason);
}
