// tan, asin, acos, atan.

fn tan_f32(x: f32) -> f32 {
  if (!is_finite_bits(x)) { return not_a_number(); }
  let reduced = reduce_angle(x);
  let s = sin_polynomial(reduced.rest);
  let c = cos_polynomial(reduced.rest);
  // A quarter turn on, tan is -1 / tan. No f32 but 0 is so near a multiple of pi/2 that the divisor were 0.
  let odd = (reduced.quadrant & 1u) == 1u;
  let value = select(s, -c, odd) / select(c, s, odd);
  return select(value, -value, bitcast<u32>(x) >> 31u == 1u);
}

fn operation(x: f32) -> f32 {
  switch (OPERATION) {
    case TAN: { return tan_f32(x); }
    case ASIN: { return asin_f32(x); }
    case ACOS: { return acos_f32(x); }
    default: { return atan_f32(x); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i)));
}
