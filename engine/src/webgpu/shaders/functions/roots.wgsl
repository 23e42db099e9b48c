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
