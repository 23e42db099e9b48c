// Functions of one float.

fn operation(x: f32) -> f32 {
  switch (OPERATION) {
    case NEG: { return bitcast<f32>(bitcast<u32>(x) ^ 0x80000000u); }
    case RSQRT: { return rsqrt_f32(x); }
    case SQRT: { return sqrt_f32(x); }
    case COS: { return cos_f32(x); }
    case SIN: { return sin_f32(x); }
    case EXP: { return exp_f32(x); }
    case TANH: { return tanh_f32(x); }
    case SIGMOID: { return sigmoid_f32(x); }
    case SILU: { return x * sigmoid_f32(x); }
    default: {
      if (is_nan(x)) { return x; }
      return select(x, 0.0, bitcast<u32>(x) >> 31u == 1u);
    }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i)));
}
