// Where the elements of an index tensor point to: index * stride, added up over several tensors. An index out of range marks
// its place as lost.

const LOST: u32 = 0xffffffffu;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  var index = indices_load(i);
  if (FROM_END && index < 0) { index += bitcast<i32>(params.size); }
  var place = LOST;
  if (index >= 0 && u32(index) < params.size) { place = u32(index) * params.stride; }
  if (!FIRST) {
    let before = positions_words[i];
    place = select(before + place, LOST, before == LOST || place == LOST);
  }
  positions_store_bits(i, place);
}
