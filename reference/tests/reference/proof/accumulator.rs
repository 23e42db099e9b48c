//! Matrix products that add up in f16.

use super::models::Model;
use super::{Carved, kernel_with};
use taproot_engine::webgpu::KernelOverride;

/// Rounds to f16 without the feature shader-f16.
const ROUNDING: &str = "
fn rounded(x: f32) -> f32 { return unpack2x16float(pack2x16float(vec2<f32>(x, 0.0))).x; }
fn rounded_4(x: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(unpack2x16float(pack2x16float(x.xy)), unpack2x16float(pack2x16float(x.zw)));
}
";

fn with_f16_sum(kernel: &str, sum: &str, rounding: &str, only: Option<&str>) -> KernelOverride {
    let mut mistake = kernel_with(kernel, sum, &format!("{rounding}({sum})"), only);
    mistake.wgsl.push_str(ROUNDING);
    mistake
}

/// Every projection fails; the products of attention, which use the same kernel with its own sum, pass.
#[test]
fn an_f16_accumulator_fails_in_every_linear() {
    let carved = Carved::of(&Model::bert(), 0);
    let linears = carved.ids(|operator| operator.op == "linear");
    let sum = "block[r] + input_tile[k * ROW_PITCH + y + 16u * r] * other";
    carved.assert_fails_exactly(with_f16_sum("matmul", sum, "rounded_4", Some("*.linear")), &linears);
}

/// The kernel for few rows: decode steps fail, the prefill passes.
#[test]
fn an_f16_accumulator_fails_in_every_linear_of_a_decode_step() {
    let carved = Carved::of(&Model::llama(), 1);
    let linears = carved.ids(|operator| operator.op == "linear" && operator.step == 1);
    let sum = "sums[r] + input_at(row_starts[r] + k * params.input_k_stride) * other";
    carved.assert_fails_exactly(with_f16_sum("matmul_rows", sum, "rounded", Some("*.linear")), &linears);
}
