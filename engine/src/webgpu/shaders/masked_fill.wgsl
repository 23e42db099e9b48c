// masked_fill(input, mask, value), with broadcasting. Moves bits, so NaN under the mask does no harm. CUT: a float among integers,
// cut off; BOOLEAN: a float among bool, true where it is not zero.

fn replacement(i: u32) -> u32 {
  let bits = value_bits(i);
  if (BOOLEAN) { return bits & 0x7fffffffu; }
  if (CUT) {
    // NaN and whatever is beyond 32 bits, as in to.wgsl.
    if ((bits & 0x7fffffffu) >= 0x4f000000u && bits != 0xcf000000u) { out_of_range(i); }
    return bitcast<u32>(i32(bitcast<f32>(bits)));
  }
  return bits;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  if (mask_bits(i) != 0u) {
    result_store_bits(i, replacement(i));
  } else {
    result_store_bits(i, input_bits(i));
  }
}
