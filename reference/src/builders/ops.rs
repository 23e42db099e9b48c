//! The operators that the builders use, as methods with PyTorch's arguments in PyTorch's order.

use super::graph::{BuildError, GraphBuilder};
use super::{Activation, Parameters};
use taproot_engine::graph::Arg;
use taproot_engine::tensor::DType;
use taproot_engine::trace::TensorId;

type Result = std::result::Result<TensorId, BuildError>;

/// Sizes as an argument; no tensor is large enough to lose one.
fn sizes(sizes: &[usize]) -> Arg {
    Arg::Ints(sizes.iter().map(|&size| size as i64).collect())
}

fn optional(tensor: Option<TensorId>) -> Arg {
    tensor.map_or(Arg::None, Arg::Tensor)
}

impl GraphBuilder {
    pub(super) fn add(&mut self, input: TensorId, other: TensorId) -> Result {
        self.call("add", &[("input", Arg::Tensor(input)), ("other", Arg::Tensor(other))])
    }

    pub(super) fn mul(&mut self, input: TensorId, other: TensorId) -> Result {
        self.call("mul", &[("input", Arg::Tensor(input)), ("other", Arg::Tensor(other))])
    }

    pub(super) fn mul_scalar(&mut self, input: TensorId, other: f64) -> Result {
        self.call("mul", &[("input", Arg::Tensor(input)), ("other", Arg::Float(other))])
    }

    pub(super) fn div(&mut self, input: TensorId, other: TensorId) -> Result {
        self.call("div", &[("input", Arg::Tensor(input)), ("other", Arg::Tensor(other))])
    }

    pub(super) fn clamp_min(&mut self, input: TensorId, min: f64) -> Result {
        self.call("clamp", &[("input", Arg::Tensor(input)), ("min", Arg::Float(min))])
    }

    /// An operator of one tensor and nothing else.
    pub(super) fn unary(&mut self, op: &str, input: TensorId) -> Result {
        self.call(op, &[("input", Arg::Tensor(input))])
    }

    pub(super) fn to(&mut self, input: TensorId, dtype: DType) -> Result {
        self.call("to", &[("input", Arg::Tensor(input)), ("dtype", Arg::Str(dtype.name().to_owned()))])
    }

    pub(super) fn activation(&mut self, activation: Activation, input: TensorId) -> Result {
        match activation {
            Activation::Silu => self.unary("silu", input),
            Activation::Relu => self.unary("relu", input),
            Activation::Gelu => self.unary("gelu", input),
            Activation::GeluTanh => {
                self.call("gelu", &[("input", Arg::Tensor(input)), ("approximate", Arg::Str("tanh".to_owned()))])
            }
        }
    }

    /// Rows of a table. Activations are f32: rows in another float type are widened by an operator of their own.
    pub(super) fn embedding(&mut self, weight: TensorId, indices: TensorId) -> Result {
        let rows = self.call("embedding", &[("weight", Arg::Tensor(weight)), ("indices", Arg::Tensor(indices))])?;
        if self.meta(rows).dtype == DType::F32 { Ok(rows) } else { self.to(rows, DType::F32) }
    }

    pub(super) fn matmul(&mut self, input: TensorId, other: TensorId) -> Result {
        self.call("matmul", &[("input", Arg::Tensor(input)), ("other", Arg::Tensor(other))])
    }

    /// `torch.nn.Linear` of `module`, from `columns` to `rows` elements.
    pub(super) fn linear_module(
        &mut self,
        parameters: &dyn Parameters,
        module: &str,
        input: TensorId,
        [rows, columns]: [usize; 2],
        bias: bool,
    ) -> Result {
        self.enter_module(module);
        let weight = self.parameter(parameters, &format!("{module}.weight"), &[rows, columns])?;
        let bias = if bias { Some(self.parameter(parameters, &format!("{module}.bias"), &[rows])?) } else { None };
        self.linear(input, weight, bias)
    }

    pub(super) fn linear(&mut self, input: TensorId, weight: TensorId, bias: Option<TensorId>) -> Result {
        let args = [("input", Arg::Tensor(input)), ("weight", Arg::Tensor(weight)), ("bias", optional(bias))];
        self.call("linear", &args)
    }

    pub(super) fn softmax(&mut self, input: TensorId, dim: i64) -> Result {
        self.call("softmax", &[("input", Arg::Tensor(input)), ("dim", Arg::Int(dim))])
    }

    /// `torch.nn.LayerNorm` of `module` over the last `width` elements.
    pub(super) fn layer_norm_module(
        &mut self,
        parameters: &dyn Parameters,
        module: &str,
        input: TensorId,
        width: usize,
        eps: f64,
    ) -> Result {
        self.enter_module(module);
        let weight = self.parameter(parameters, &format!("{module}.weight"), &[width])?;
        let bias = self.parameter(parameters, &format!("{module}.bias"), &[width])?;
        let args = [
            ("input", Arg::Tensor(input)),
            ("normalized_shape", sizes(&[width])),
            ("weight", Arg::Tensor(weight)),
            ("bias", Arg::Tensor(bias)),
            ("eps", Arg::Float(eps)),
        ];
        self.call("layer_norm", &args)
    }

    /// `torch.nn.RMSNorm` of `module` over the last `width` elements.
    pub(super) fn rms_norm_module(
        &mut self,
        parameters: &dyn Parameters,
        module: &str,
        input: TensorId,
        width: usize,
        eps: f64,
    ) -> Result {
        self.enter_module(module);
        let weight = self.parameter(parameters, &format!("{module}.weight"), &[width])?;
        let args = [
            ("input", Arg::Tensor(input)),
            ("normalized_shape", sizes(&[width])),
            ("weight", Arg::Tensor(weight)),
            ("eps", Arg::Float(eps)),
        ];
        self.call("rms_norm", &args)
    }

    pub(super) fn sum(&mut self, input: TensorId, dim: i64) -> Result {
        self.call("sum", &[("input", Arg::Tensor(input)), ("dim", Arg::Ints(vec![dim]))])
    }

    /// `torch.linalg.vector_norm(input, ord=2, dim=dim, keepdim=True)`.
    pub(super) fn vector_norm(&mut self, input: TensorId, dim: i64) -> Result {
        let args = [
            ("input", Arg::Tensor(input)),
            ("ord", Arg::Float(2.0)),
            ("dim", Arg::Ints(vec![dim])),
            ("keepdim", Arg::Bool(true)),
        ];
        self.call("linalg_vector_norm", &args)
    }

    pub(super) fn argmax(&mut self, input: TensorId, dim: i64) -> Result {
        self.call("argmax", &[("input", Arg::Tensor(input)), ("dim", Arg::Int(dim))])
    }

    pub(super) fn cat(&mut self, tensors: &[TensorId], dim: i64) -> Result {
        self.call("cat", &[("tensors", Arg::Tensors(tensors.to_vec())), ("dim", Arg::Int(dim))])
    }

    /// `Tensor.contiguous()`: a copy only where the elements do not lie row-major already.
    pub(super) fn contiguous(&mut self, input: TensorId) -> Result {
        if self.is_contiguous(input) { Ok(input) } else { self.unary("clone", input) }
    }

    pub(super) fn view(&mut self, input: TensorId, size: &[usize]) -> Result {
        self.call("view", &[("input", Arg::Tensor(input)), ("size", sizes(size))])
    }

    pub(super) fn transpose(&mut self, input: TensorId, dim0: i64, dim1: i64) -> Result {
        let args = [("input", Arg::Tensor(input)), ("dim0", Arg::Int(dim0)), ("dim1", Arg::Int(dim1))];
        self.call("transpose", &args)
    }

    pub(super) fn unsqueeze(&mut self, input: TensorId, dim: i64) -> Result {
        self.call("unsqueeze", &[("input", Arg::Tensor(input)), ("dim", Arg::Int(dim))])
    }

    pub(super) fn expand(&mut self, input: TensorId, size: &[usize]) -> Result {
        self.call("expand", &[("input", Arg::Tensor(input)), ("size", sizes(size))])
    }

    pub(super) fn slice(&mut self, input: TensorId, dim: i64, start: usize, end: usize) -> Result {
        let args = [
            ("input", Arg::Tensor(input)),
            ("dim", Arg::Int(dim)),
            ("start", Arg::Int(start as i64)),
            ("end", Arg::Int(end as i64)),
        ];
        self.call("slice", &args)
    }

    pub(super) fn select(&mut self, input: TensorId, dim: i64, index: i64) -> Result {
        let args = [("input", Arg::Tensor(input)), ("dim", Arg::Int(dim)), ("index", Arg::Int(index))];
        self.call("select", &args)
    }
}
