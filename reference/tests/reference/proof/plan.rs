//! A wrong kernel in one layer, seen through a plan: the error appears at that layer and is inherited from there on.

use super::models::{LAYERS, Model};
use super::nan::gelu_with_nan;
use super::{Carved, kernel_with};
use std::ops::{ControlFlow, Range};
use taproot_engine::replay::{LayerError, Plan, PlanResult};
use taproot_engine::webgpu::KernelOverride;

/// Layers are the embeddings, the encoder's, and none behind them: this BERT has no head.
const ENCODER_LAYER_1: usize = 2;
/// f32 through one layer of this size: RMS errors are some 1e-7 of the values.
const ROUNDING: f64 = 1e-5;

fn run(carved: &Carved, overrides: Vec<KernelOverride>, layers: Range<usize>) -> PlanResult {
    let replayer = carved.replayer(overrides);
    let plan = Plan { layers, step: 0 };
    pollster::block_on(replayer.run_plan(&plan, &mut |_| ControlFlow::Continue(()))).unwrap()
}

fn all_layers() -> Range<usize> {
    0..LAYERS + 1
}

/// gelu that is off by 1%, in layer 1.
fn gelu_off_by_a_percent() -> KernelOverride {
    kernel_with("gelu", "operation(input_load(i))", "1.01 * operation(input_load(i))", Some("*.layer.1.*"))
}

fn numbers(result: &PlanResult) -> Vec<(usize, f64, f64)> {
    result.layers.iter().map(|error| (error.layer, error.isolated, error.inherited)).collect()
}

#[test]
fn without_a_mistake_errors_are_those_of_rounding() {
    let carved = Carved::of(&Model::bert(), 0);
    let result = run(&carved, vec![], all_layers());
    assert_eq!(result.layers.iter().map(|error| error.layer).collect::<Vec<_>>(), [0, 1, 2, 3]);
    for LayerError { layer, isolated, inherited, .. } in &result.layers {
        assert!((0.0..ROUNDING).contains(isolated) && (0.0..ROUNDING).contains(inherited), "{layer}: {result:?}");
    }
    assert_eq!((result.cancelled, result.gaps), (false, vec![]));
}

#[test]
fn an_error_appears_at_the_wrong_layer_and_is_inherited_by_the_next() {
    let carved = Carved::of(&Model::bert(), 0);
    let result = run(&carved, vec![gelu_off_by_a_percent()], all_layers());
    let shown = numbers(&result);
    assert_eq!(result.layers.len(), LAYERS + 1);
    for error in &result.layers {
        let (is_wrong, follows) = (error.layer == ENCODER_LAYER_1, error.layer > ENCODER_LAYER_1);
        assert_eq!(error.isolated > 100.0 * ROUNDING, is_wrong, "isolated: {shown:?}");
        assert_eq!(error.inherited > 100.0 * ROUNDING, is_wrong || follows, "inherited: {shown:?}");
        assert!(is_wrong || error.isolated < ROUNDING, "isolated: {shown:?}");
        assert!(is_wrong || follows || error.inherited < ROUNDING, "inherited: {shown:?}");
        // What layer 2 inherits dwarfs what it adds.
        assert_eq!(error.amplification.is_some_and(|factor| factor > 100.0), follows, "{shown:?}");
    }
    // The model's result is what the last layer gives.
    let output = result.outputs.iter().find(|output| output.name == "last_hidden_state").unwrap();
    assert_eq!(output.error, result.layers[LAYERS].inherited);
}

/// A range that starts behind the wrong layer shows nothing of it; one that starts with it shows it at once.
#[test]
fn moving_the_range_past_the_wrong_layer_removes_the_error() {
    let carved = Carved::of(&Model::bert(), 0);
    for first in 0..=LAYERS {
        let result = run(&carved, vec![gelu_off_by_a_percent()], first..LAYERS + 1);
        let (shown, errors) = (numbers(&result), &result.layers);
        assert_eq!(errors.len(), LAYERS + 1 - first);
        // Fed with the record in both: the same computation, so the same bits.
        assert_eq!(errors[0].inherited, errors[0].isolated, "{shown:?}");
        let wrong = errors.iter().any(|error| error.inherited > 100.0 * ROUNDING);
        assert_eq!(wrong, first <= ENCODER_LAYER_1, "{shown:?}");
    }
}

#[test]
fn an_empty_range_computes_nothing() {
    let carved = Carved::of(&Model::bert(), 0);
    for at in 0..=LAYERS + 1 {
        let result = run(&carved, vec![gelu_off_by_a_percent()], at..at);
        assert!(result.layers.is_empty() && result.outputs.is_empty() && !result.cancelled, "{result:?}");
    }
}

/// One NaN spreads over its row at once, and over all rows through attention.
#[test]
fn a_nan_is_an_infinite_error_from_its_layer_on() {
    let carved = Carved::of(&Model::bert(), 0);
    let result = run(&carved, vec![gelu_with_nan()], all_layers());
    let shown = numbers(&result);
    for error in &result.layers {
        assert_eq!(error.isolated == f64::INFINITY, error.layer == ENCODER_LAYER_1, "{shown:?}");
        assert_eq!(error.inherited == f64::INFINITY, error.layer >= ENCODER_LAYER_1, "{shown:?}");
        let is_wrong = error.layer == ENCODER_LAYER_1;
        assert_eq!(error.amplification.is_none(), is_wrong || error.isolated == 0.0, "{shown:?}");
    }
}
