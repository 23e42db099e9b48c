// Takes the first elements of sorted lines from where they stood.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let line = i / params.taken;
  let rank = i - line * params.taken;
  let place = places_load(line * params.size + rank);
  values_store_bits(line, rank, input_bits(line, bitcast<u32>(place)));
  indices_store(line, rank, place);
}
