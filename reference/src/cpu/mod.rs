//! The CPU source: operators in f32, as a framework without a GPU would compute them.
//!
//! The third implementation of each operator beside the f64 oracle and WGSL, and independent of both: accumulation is in
//! f32 and in order, matrix products come from the crate `matrixmultiply`, and nothing here is shared with the oracle but
//! the signatures.

mod array;
mod attention;
mod elementwise;
mod gemm;
mod matmul;
mod movement;
mod norm;
mod reduction;

pub use array::{Array, Data};

use taproot_engine::graph::{Call, OpError};
use taproot_engine::operators;
use taproot_engine::tensor::HostTensor;

/// Who says that something is not supported.
const BY: &str = "the CPU source";

/// The arguments of a call in the form that the operators compute with: stored weights are widened or dequantised to f32.
pub fn load(call: &Call<HostTensor>) -> Call<Array> {
    call.map_tensors(Array::from_host)
}

/// Computes an operator.
///
/// # Errors
/// When an argument breaks a rule of the signature, or the operator is not one of the vocabulary.
pub fn run(call: &Call<Array>) -> Result<Vec<HostTensor>, OpError> {
    let metas = operators::infer(&call.map_tensors(Array::meta))?;
    let results = compute(call)?;
    if results.len() != metas.len() {
        return Err(unsupported(call, format!("a call with {} results", metas.len())));
    }
    let stored = results.iter().zip(&metas).map(|(result, meta)| result.to_host(meta));
    stored
        .collect::<Result<_, _>>()
        .map_err(|error| unsupported(call, format!("a result that cannot be stored ({error})")))
}

fn compute(call: &Call<Array>) -> Result<Vec<Array>, OpError> {
    let result = match call.op() {
        "add" | "sub" | "mul" | "div" | "pow" | "le" | "eq" => elementwise::binary(call),
        "where" => elementwise::where_(call),
        "clamp" => elementwise::clamp(call),
        "to" => elementwise::to(call),
        "gelu" => elementwise::gelu(call),
        "neg" | "rsqrt" | "sqrt" | "cos" | "sin" | "exp" | "tanh" | "sigmoid" | "silu" | "relu" => {
            elementwise::unary(call)
        }
        "clone" => call.tensor("input").cloned(),
        "cat" => movement::cat(call),
        "embedding" => movement::embedding(call),
        "sum" | "mean" | "linalg_vector_norm" => reduction::reduce(call),
        "argmax" => reduction::argmax(call),
        "linear" => matmul::linear(call),
        "matmul" => matmul::matmul(call),
        "softmax" => norm::softmax(call),
        "layer_norm" => norm::layer_norm(call),
        "rms_norm" => norm::rms_norm(call),
        "scaled_dot_product_attention" => attention::scaled_dot_product_attention(call),
        op => Err(OpError::Unsupported { op: op.to_owned(), what: "this operator".to_owned(), by: BY }),
    };
    result.map(|array| vec![array])
}

fn unsupported(call: &Call<Array>, what: String) -> OpError {
    OpError::Unsupported { op: call.op().to_owned(), what, by: BY }
}
