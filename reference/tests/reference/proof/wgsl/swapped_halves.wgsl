// cat of two halves of a row, each copied to where the other belongs.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  // The rows' elements lie next to each other, so the offset of a half is where it begins in its row: 0, or the width.
  let other_half = params.element_size_3 - params.result_offset;
  result_store_bits_at(other_half + result_element(i), input_bits(i));
}
