// gelu(x) = x * P(X <= x) for a standard normal X; with TANH the approximation
// x / 2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))), where (1 + tanh u) / 2 = sigmoid(2u) does not cancel.

fn operation(x: f32) -> f32 {
  if (TANH) { return x * sigmoid_f32(1.5957691216057308 * (x + 0.044715 * x * x * x)); }
  return x * normal_distribution(x);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i)));
}
