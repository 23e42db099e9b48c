//! A norm that leaves its epsilon out.

use super::models::Model;
use super::{Carved, kernel_with};

/// Mean square of each row.
fn mean_squares(carved: &Carved, id: &str) -> Vec<f64> {
    let input = carved.input_of(id);
    let width = *input.shape().last().unwrap();
    input.to_f64().chunks_exact(width).map(|row| row.iter().map(|x| x * x).sum::<f64>() / width as f64).collect()
}

/// Embeddings of some 1e-6 have a variance of some 1e-13, less than BERT's epsilon of 1e-12. Behind the first norm
/// activations are of size 1, and f32 cannot tell whether 1e-12 is added to them.
#[test]
fn a_layer_norm_without_epsilon_fails_where_activations_are_small() {
    let mut model = Model::bert();
    for table in ["embeddings.word_", "embeddings.position_", "embeddings.token_type_"] {
        model = model.scaled(table, 1e-6);
    }
    let carved = Carved::of(&model, 0);
    let first = "s0.embeddings.LayerNorm.layer_norm";
    assert!(mean_squares(&carved, first).into_iter().all(|square| square < 1e-12));
    for id in carved.ids(|operator| operator.op == "layer_norm" && operator.id != first) {
        assert!(mean_squares(&carved, &id).into_iter().all(|square| square > 1e-3), "{id}");
    }
    let mistake = kernel_with("layer_norm", "inverseSqrt(variance + params.eps)", "inverseSqrt(variance)", None);
    carved.assert_fails_exactly(mistake, &[first.to_owned()]);
}

/// Embeddings of some 1e-3 have a mean square of some 1e-7, less than the epsilon of 1e-5. The first attention's result,
/// which is added to them, is large: a mean square of more than 1000, where 1e-5 is less than half a ULP of f32.
#[test]
fn an_rms_norm_without_epsilon_fails_where_activations_are_small() {
    let model = Model::llama()
        .scaled("model.embed_tokens.", 1e-3)
        .scaled("model.layers.0.self_attn.v_proj.", 100.0)
        .scaled("model.layers.0.self_attn.o_proj.", 100.0);
    let carved = Carved::of(&model, 1);
    let first = [0, 1].map(|step| format!("s{step}.model.layers.0.input_layernorm.rms_norm"));
    for id in carved.ids(|operator| operator.op == "rms_norm") {
        let squares = mean_squares(&carved, &id);
        let expected = |square: &f64| if first.contains(&id) { *square < 1e-6 } else { *square > 1e3 };
        assert!(squares.iter().all(expected), "{id}: {squares:?}");
    }
    let mistake = kernel_with("rms_norm", " + params.eps", "", None);
    carved.assert_fails_exactly(mistake, &first);
}
