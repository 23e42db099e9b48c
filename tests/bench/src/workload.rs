//! What is measured.

use taproot_engine::graph::{Arg, Call};
use taproot_engine::tensor::{DType, HostTensor, TensorError};

/// What a run costs, from which its speed follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cost {
    /// Floating-point operations; a product and its sum are two.
    Operations(f64),
    /// Bytes that must be read and written once.
    Bytes(f64),
}

/// One operator on tensors of one size.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Name in tables and addresses, such as `matmul f32 1024`.
    pub name: String,
    /// Operator by PyTorch's name.
    pub op: &'static str,
    /// Element type of every tensor.
    pub dtype: DType,
    /// Names and shapes of the tensors.
    pub tensors: Vec<(&'static str, Vec<usize>)>,
    /// Other arguments.
    pub args: Vec<(&'static str, Arg)>,
    /// What a run costs.
    pub cost: Cost,
}

/// Sides of the square matrices that are multiplied.
const SIDES: [usize; 3] = [1024, 2048, 4096];
/// Shape of what is read once and written once.
const ROWS: [usize; 2] = [8192, 4096];

/// Everything that is measured: matrix products, and operators whose speed is that of memory beside a plain copy.
pub fn workloads() -> Vec<Workload> {
    let products = [DType::F32, DType::F16].into_iter().flat_map(|dtype| SIDES.map(|side| product(dtype, side)));
    let row = vec![ROWS[1]];
    let one = || vec![("input", ROWS.to_vec())];
    let shape = || Arg::Ints(vec![ROWS[1] as i64]);
    let memory = [
        streamed("clone", one(), vec![]),
        streamed("add", vec![("input", ROWS.to_vec()), ("other", ROWS.to_vec())], vec![]),
        streamed("silu", one(), vec![]),
        streamed("softmax", one(), vec![("dim", Arg::Int(-1))]),
        streamed(
            "rms_norm",
            vec![("input", ROWS.to_vec()), ("weight", row.clone())],
            vec![("normalized_shape", shape())],
        ),
        streamed(
            "layer_norm",
            vec![("input", ROWS.to_vec()), ("weight", row.clone()), ("bias", row)],
            vec![("normalized_shape", shape())],
        ),
    ];
    products.chain(memory).collect()
}

fn product(dtype: DType, side: usize) -> Workload {
    Workload {
        name: format!("matmul {dtype} {side}"),
        op: "matmul",
        dtype,
        tensors: vec![("input", vec![side, side]), ("other", vec![side, side])],
        args: vec![],
        cost: Cost::Operations(2.0 * (side as f64).powi(3)),
    }
}

fn streamed(op: &'static str, tensors: Vec<(&'static str, Vec<usize>)>, args: Vec<(&'static str, Arg)>) -> Workload {
    let read: usize = tensors.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
    let written: usize = ROWS.iter().product();
    let [rows, columns] = ROWS;
    Workload {
        name: format!("{op} f32 {rows}x{columns}"),
        op,
        dtype: DType::F32,
        tensors,
        args,
        cost: Cost::Bytes(4.0 * (read + written) as f64),
    }
}

impl Workload {
    /// The call, on tensors of small numbers that look random and are always the same.
    ///
    /// # Errors
    /// When a tensor's bytes don't fit its shape, which would be a mistake in [`workloads`].
    pub fn call(&self) -> Result<Call<HostTensor>, TensorError> {
        let mut call = Call::new(self.op);
        for (seed, (name, shape)) in (1..).zip(&self.tensors) {
            let mut state: u32 = seed;
            let values = std::iter::repeat_with(|| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f64::from(state >> 8) / f64::from(1u32 << 23) - 1.0
            });
            let values: Vec<f64> = values.take(shape.iter().product()).collect();
            call = call.tensor_arg(name, HostTensor::from_f64(self.dtype, shape, &values)?);
        }
        Ok(self.args.iter().fold(call, |call, (name, arg)| call.arg(name, arg.clone())))
    }
}
