// Elements at given positions. A lost position gives NaN, or the lowest integer.

const LOST: u32 = 0xffffffffu;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let place = positions_bits(i);
  if (place == LOST) {
    result_store_bits(i, select(0x80000000u, 0x7fc00000u, FLOATS));
    return;
  }
  result_store_bits(i, input_bits_at(params.input_offset + input_element(i) + place));
}
