// Operators on the bits of two integers, with broadcasting. A shift by a negative number or by 32 and more leaves nothing of the
// bits but, to the right, the sign.

fn shifted_left_fits(a: i32, b: i32) -> bool {
  if (b < 0 || b > 63) { return true; }
  // In 64 bits the upper half would keep the low bits of `a`.
  if (b > 31) { return (bitcast<u32>(a) << (u32(b) - 32u)) == 0u; }
  return ((a << u32(b)) >> u32(b)) == a;
}

fn operation(i: u32, a: i32, b: i32) -> i32 {
  let beyond = b < 0 || b > 31;
  switch (OPERATION) {
    case BITWISE_AND: { return a & b; }
    case BITWISE_OR: { return a | b; }
    case BITWISE_XOR: { return a ^ b; }
    case BITWISE_LEFT_SHIFT: {
      if (!shifted_left_fits(a, b)) { out_of_range(i); }
      return select(a << (u32(b) & 31u), 0, beyond);
    }
    default: { return a >> select(u32(b) & 31u, 31u, beyond); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(i, input_load(i), other_load(i)));
}
