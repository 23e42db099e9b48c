//! The graphs that the builders give for tiny configurations.

use std::collections::{BTreeMap, HashSet};
use taproot::builders::{
    Activation, BertConfig, BuildError, Graph, LlamaBuilder, LlamaConfig, Origin, Parameters, Pooling, Rope,
    RopeScaling, SentenceHead, build_bert,
};
use taproot_engine::graph::{Arg, Meta};
use taproot_engine::tensor::DType;
use taproot_engine::trace::Operator;

/// Parameters of any shape that is asked for first; a builder only checks them.
#[derive(Debug, Default)]
struct Shapes {
    shapes: BTreeMap<String, Meta>,
}

impl Parameters for Shapes {
    fn meta(&self, name: &str) -> Option<Meta> {
        self.shapes.get(name).cloned()
    }
}

impl Shapes {
    fn with(mut self, name: &str, shape: &[usize]) -> Self {
        self.shapes.insert(name.to_owned(), Meta::new(DType::F32, shape));
        self
    }
}

fn bert_config() -> BertConfig {
    BertConfig {
        vocab_size: 10,
        hidden_size: 8,
        num_hidden_layers: 1,
        num_attention_heads: 2,
        intermediate_size: 12,
        hidden_act: Activation::GeluTanh,
        max_position_embeddings: 6,
        type_vocab_size: 2,
        layer_norm_eps: 1e-12,
        head: Some(SentenceHead { pooling: Pooling::Mean, normalize: true }),
    }
}

fn bert_parameters() -> Shapes {
    let mut shapes = Shapes::default()
        .with("embeddings.word_embeddings.weight", &[10, 8])
        .with("embeddings.position_embeddings.weight", &[6, 8])
        .with("embeddings.token_type_embeddings.weight", &[2, 8]);
    let path = "encoder.layer.0";
    for module in
        ["embeddings.LayerNorm", "encoder.layer.0.attention.output.LayerNorm", "encoder.layer.0.output.LayerNorm"]
    {
        shapes = shapes.with(&format!("{module}.weight"), &[8]).with(&format!("{module}.bias"), &[8]);
    }
    let linears = [
        ("attention.self.query", 8, 8),
        ("attention.self.key", 8, 8),
        ("attention.self.value", 8, 8),
        ("attention.output.dense", 8, 8),
        ("intermediate.dense", 12, 8),
        ("output.dense", 8, 12),
    ];
    for (module, rows, columns) in linears {
        shapes = shapes
            .with(&format!("{path}.{module}.weight"), &[rows, columns])
            .with(&format!("{path}.{module}.bias"), &[rows]);
    }
    shapes
}

fn llama_config() -> LlamaConfig {
    LlamaConfig {
        vocab_size: 10,
        hidden_size: 8,
        num_hidden_layers: 1,
        num_attention_heads: 4,
        num_key_value_heads: 2,
        head_dim: 4,
        intermediate_size: 12,
        hidden_act: Activation::Silu,
        max_position_embeddings: 16,
        rms_norm_eps: 1e-5,
        rope: Rope { theta: 10_000.0, scaling: RopeScaling::None },
        qkv_bias: false,
        output_bias: false,
        mlp_bias: false,
        qk_norm: false,
        tie_word_embeddings: true,
        sliding_window: None,
    }
}

fn llama_parameters() -> Shapes {
    let path = "model.layers.0";
    let mut shapes = Shapes::default().with("model.embed_tokens.weight", &[10, 8]).with("model.norm.weight", &[8]);
    for module in ["input_layernorm", "post_attention_layernorm"] {
        shapes = shapes.with(&format!("{path}.{module}.weight"), &[8]);
    }
    let linears = [
        ("self_attn.q_proj", 16, 8),
        ("self_attn.k_proj", 8, 8),
        ("self_attn.v_proj", 8, 8),
        ("self_attn.o_proj", 8, 16),
        ("mlp.gate_proj", 12, 8),
        ("mlp.up_proj", 12, 8),
        ("mlp.down_proj", 8, 12),
    ];
    for (module, rows, columns) in linears {
        shapes = shapes.with(&format!("{path}.{module}.weight"), &[rows, columns]);
    }
    shapes
}

fn ops<'a>(operators: impl IntoIterator<Item = &'a Operator>) -> Vec<&'a str> {
    operators.into_iter().map(|operator| operator.op.as_str()).collect()
}

fn find<'a>(graph: &'a Graph, id: &str) -> &'a Operator {
    graph.operators.iter().find(|operator| operator.id == id).unwrap_or_else(|| panic!("there is no operator '{id}'"))
}

#[test]
fn bert_gives_the_operators_of_transformers_eager_attention() {
    let builder = build_bert(&bert_config(), &bert_parameters(), &[2, 5, 7]).unwrap();
    let graph = builder.graph();
    let of_layer = |layer: usize| ops(graph.operators.iter().filter(|operator| operator.layer == layer));
    assert_eq!(
        graph.layers.iter().map(|layer| layer.name.as_str()).collect::<Vec<_>>(),
        ["embeddings", "encoder.layer.0", "head"]
    );
    assert_eq!(of_layer(0), ["embedding", "embedding", "add", "embedding", "add", "layer_norm"]);
    let head = ["linear", "view", "transpose"];
    let attention = ["transpose", "matmul", "mul", "softmax", "matmul", "transpose", "clone", "view"];
    let rest = ["linear", "add", "layer_norm", "linear", "gelu", "linear", "add", "layer_norm"];
    assert_eq!(of_layer(1), [&head[..], &head, &head, &attention, &rest].concat());
    let pooling = ["unsqueeze", "expand", "to", "mul", "sum", "sum", "clamp", "div"];
    assert_eq!(of_layer(2), [&pooling[..], &["linalg_vector_norm", "clamp", "expand", "div"]].concat());

    let scale = find(graph, "s0.encoder.layer.0.attention.self.mul");
    assert_eq!(scale.args["other"], Arg::Float(0.5));
    assert_eq!(
        find(graph, "s0.encoder.layer.0.attention.self.query.linear").module,
        "encoder.layer.0.attention.self.query"
    );
    let gelu = find(graph, "s0.encoder.layer.0.intermediate.intermediate_act_fn.gelu");
    assert_eq!(gelu.args["approximate"], Arg::Str("tanh".to_owned()));
    let outputs: Vec<(&str, &[usize])> = graph
        .outputs
        .iter()
        .map(|output| (output.name.as_str(), graph.tensors[output.tensor as usize].meta.shape.as_slice()))
        .collect();
    assert_eq!(outputs, [("last_hidden_state", [1, 3, 8].as_slice()), ("sentence_embedding", &[1, 8])]);
}

#[test]
fn ids_and_tensor_names_are_unique_and_views_look_into_stored_tensors() {
    let config = llama_config();
    let parameters = llama_parameters();
    let mut builder = LlamaBuilder::new(&config, &parameters);
    for tokens in [&[1, 2, 3][..], &[4], &[5]] {
        builder.step(tokens).unwrap();
    }
    let graph = builder.graph().graph();
    let ids: HashSet<&str> = graph.operators.iter().map(|operator| operator.id.as_str()).collect();
    assert_eq!(ids.len(), graph.operators.len());
    let names: HashSet<&str> = graph.tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    assert_eq!(names.len(), graph.tensors.len());
    for tensor in &graph.tensors {
        if let Origin::View { of, layout } = &tensor.origin {
            let base = &graph.tensors[*of as usize];
            assert!(!matches!(base.origin, Origin::View { .. }), "'{}' is a view of a view", tensor.name);
            assert_eq!(layout.check(base.meta.shape.iter().product()), Ok(()), "{}", tensor.name);
        }
    }
    assert!(ids.contains("s1.model.layers.0.self_attn.mul.2"), "a repetition gets a number");
}

#[test]
fn llama_gives_the_operators_of_transformers_sdpa_attention() {
    let config = llama_config();
    let parameters = llama_parameters();
    let mut builder = LlamaBuilder::new(&config, &parameters);
    builder.step(&[1, 2, 3]).unwrap();
    builder.step(&[4]).unwrap();
    let graph = builder.graph().graph();
    let of = |step: usize, layer: usize| {
        ops(graph.operators.iter().filter(|operator| operator.step == step && operator.layer == layer))
    };
    assert_eq!(graph.steps.iter().map(|step| step.name.as_str()).collect::<Vec<_>>(), ["prefill", "decode 1"]);
    let rotary = [
        "unsqueeze",
        "unsqueeze",
        "expand",
        "unsqueeze",
        "to",
        "matmul",
        "transpose",
        "cat",
        "cos",
        "mul",
        "sin",
        "mul",
    ];
    assert_eq!(of(0, 0), [&["embedding"][..], &rotary].concat());
    let head = ["linear", "view", "transpose"];
    let rotate = ["mul", "slice", "slice", "neg", "cat", "mul", "add"];
    let before = [&["rms_norm"][..], &head, &head, &head, &["unsqueeze", "unsqueeze"], &rotate, &rotate].concat();
    let feed_forward = ["add", "rms_norm", "linear", "silu", "linear", "mul", "linear", "add"];
    let prefill = ["scaled_dot_product_attention", "transpose", "clone", "view", "linear"];
    assert_eq!(of(0, 1), [&before[..], &prefill, &feed_forward].concat());
    // One token: keys and values join the cache, and the result lies row-major already.
    let decode = ["cat", "cat", "scaled_dot_product_attention", "transpose", "view", "linear"];
    assert_eq!(of(1, 1), [&before[..], &decode, &feed_forward].concat());
    assert_eq!(of(1, 2), ["rms_norm", "linear", "select", "argmax"]);

    let attention = find(graph, "s0.model.layers.0.self_attn.scaled_dot_product_attention");
    assert_eq!((&attention.args["is_causal"], &attention.args["enable_gqa"]), (&Arg::Bool(true), &Arg::Bool(true)));
    let attention = find(graph, "s1.model.layers.0.self_attn.scaled_dot_product_attention");
    assert_eq!(attention.args["is_causal"], Arg::Bool(false));
    let [Arg::Tensor(keys)] = [&attention.args["key"]] else { panic!("key is no tensor") };
    assert_eq!(graph.tensors[*keys as usize].meta.shape, [1, 2, 4, 4]);
    let position = graph.tensors.iter().find(|tensor| tensor.name == "s1.position_ids").unwrap();
    assert!(matches!(&position.origin, Origin::Integers(values) if values == &[3]));
    // Tied: the head reads the token table, and no second tensor.
    let lm_head = find(graph, "s1.lm_head.linear");
    assert_eq!(lm_head.args["weight"], find(graph, "s0.model.embed_tokens.embedding").args["weight"]);
}

#[test]
fn the_family_differs_where_its_configurations_do() {
    let config = LlamaConfig {
        qkv_bias: true,
        qk_norm: true,
        tie_word_embeddings: false,
        num_key_value_heads: 4,
        ..llama_config()
    };
    let mut parameters = llama_parameters()
        .with("lm_head.weight", &[10, 8])
        .with("model.layers.0.self_attn.q_norm.weight", &[4])
        .with("model.layers.0.self_attn.k_norm.weight", &[4]);
    for name in ["q_proj", "k_proj", "v_proj"] {
        parameters = parameters
            .with(&format!("model.layers.0.self_attn.{name}.weight"), &[16, 8])
            .with(&format!("model.layers.0.self_attn.{name}.bias"), &[16]);
    }
    let mut builder = LlamaBuilder::new(&config, &parameters);
    builder.step(&[1, 2]).unwrap();
    let graph = builder.graph().graph();
    let tensor =
        |id: &str| graph.tensors.iter().position(|tensor| tensor.name == id).map(|at| Arg::Tensor(at as u32)).unwrap();
    let query = find(graph, "s0.model.layers.0.self_attn.q_proj.linear");
    assert_eq!(query.args["bias"], tensor("model.layers.0.self_attn.q_proj.bias"));
    assert_eq!(find(graph, "s0.model.layers.0.self_attn.o_proj.linear").args["bias"], Arg::None);
    let norm = find(graph, "s0.model.layers.0.self_attn.k_norm.rms_norm");
    assert_eq!(norm.args["normalized_shape"], Arg::Ints(vec![4]));
    let attention = find(graph, "s0.model.layers.0.self_attn.scaled_dot_product_attention");
    assert_eq!(attention.args["enable_gqa"], Arg::Bool(false));
    assert_eq!(find(graph, "s0.lm_head.linear").args["weight"], tensor("lm_head.weight"));
}

#[test]
fn tables_in_half_precision_are_widened_by_an_operator() {
    let mut parameters = llama_parameters();
    parameters.shapes.insert("model.embed_tokens.weight".to_owned(), Meta::new(DType::F16, &[10, 8]));
    let config = llama_config();
    let mut builder = LlamaBuilder::new(&config, &parameters);
    builder.step(&[1]).unwrap();
    let graph = builder.graph().graph();
    assert_eq!(ops(&graph.operators[..2]), ["embedding", "to"]);
    let activations = graph.operators[1..].iter().flat_map(|operator| &operator.outputs);
    let dtypes: HashSet<DType> = activations.map(|&id| graph.tensors[id as usize].meta.dtype).collect();
    assert!(!dtypes.contains(&DType::F16), "{dtypes:?}");
}

#[test]
fn what_does_not_fit_is_named() {
    let error = |parameters: &Shapes, tokens: &[i64]| {
        let config = llama_config();
        let mut builder = LlamaBuilder::new(&config, parameters);
        builder.step(tokens).err()
    };
    let mut missing = llama_parameters();
    missing.shapes.remove("model.norm.weight");
    assert_eq!(error(&missing, &[1]), Some(BuildError::MissingParameter("model.norm.weight".to_owned())));
    let wrong = llama_parameters().with("model.layers.0.mlp.up_proj.weight", &[12, 9]);
    let message = error(&wrong, &[1]).map(|error| error.to_string()).unwrap_or_default();
    let expected =
        "tensor 'model.layers.0.mlp.up_proj.weight' has shape [12, 9], but the configuration asks for [12, 8]";
    assert_eq!(message, expected);
    assert_eq!(error(&llama_parameters(), &[]), Some(BuildError::NoTokens));
    let message = error(&llama_parameters(), &[1; 17]).map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains("'max_position_embeddings' is 16") && message.contains("17 tokens"), "{message}");
    let bert = build_bert(&bert_config(), &bert_parameters(), &[1; 7]).err().map(|error| error.to_string());
    assert!(bert.unwrap_or_default().contains("'max_position_embeddings' is 6"));
}
