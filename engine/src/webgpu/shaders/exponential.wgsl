// Functions made of exponentials: exp2, expm1, sinh, cosh, erf.

fn operation(x: f32) -> f32 {
  switch (OPERATION) {
    case EXP2: {
      if (is_nan(x)) { return x; }
      return exp2_of_two(x, 0.0);
    }
    case EXPM1: { return expm1_f32(x); }
    case SINH: { return sinh_f32(x); }
    case COSH: { return cosh_f32(x); }
    default: { return erf_f32(x); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i)));
}
