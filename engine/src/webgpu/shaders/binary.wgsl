// add, sub, mul, div and pow on floats, with broadcasting.

fn operation(a: f32, b: f32) -> f32 {
  switch (OPERATION) {
    case ADD: { return a + params.alpha * b; }
    case SUB: { return a - params.alpha * b; }
    case MUL: { return a * b; }
    case DIV: { return a / b; }
    default: { return pow_f32(a, b); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i), other_load(i)));
}
