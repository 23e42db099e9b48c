// lerp, addcmul and addcdiv on floats, with broadcasting.

fn operation(x: f32, a: f32, b: f32) -> f32 {
  switch (OPERATION) {
    case LERP: {
      // From the nearer end, so that a weight of 1 gives it exactly.
      let way = a - x;
      if (abs(b) < 0.5) { return x + b * way; }
      return a - way * (1.0 - b);
    }
    case ADDCMUL: { return x + params.value * a * b; }
    default: { return x + params.value * a / b; }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i), first_load(i), second_load(i)));
}
