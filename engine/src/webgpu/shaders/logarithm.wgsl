// Logarithms, and the functions that are logarithms: the inverse hyperbolic ones.

fn operation(x: f32) -> f32 {
  switch (OPERATION) {
    case LOG: { return log_f32(x); }
    case LOG2: { return log2_f32(x); }
    case LOG10: { return log10_f32(x); }
    case LOG1P: { return log1p_f32(x); }
    case ASINH: { return asinh_f32(x); }
    case ACOSH: { return acosh_f32(x); }
    default: { return atanh_f32(x); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i)));
}
