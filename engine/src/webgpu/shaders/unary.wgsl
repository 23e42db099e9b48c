// Functions of one float.

// sqrt and its inverse outside the positive finite numbers, where WGSL promises nothing: a negative number gives NaN.
fn sqrt_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if ((bits & 0x7fffffffu) == 0u || is_nan(x) || bits == 0x7f800000u) { return x; }
  if (bits >> 31u == 1u) { return not_a_number(); }
  return sqrt(x);
}

fn rsqrt_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (is_nan(x)) { return x; }
  if ((bits & 0x7fffffffu) == 0u) { return bitcast<f32>(bitcast<u32>(infinity()) | bits); }
  if (bits == 0x7f800000u) { return 0.0; }
  if (bits >> 31u == 1u) { return not_a_number(); }
  return inverseSqrt(x);
}

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
