// where(condition, input, other), with broadcasting. Moves bits, so NaN on the side not taken does no harm.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store_bits(i, select(other_bits(i), input_bits(i), condition_bits(i) != 0u));
}
