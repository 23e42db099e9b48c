// Each element less its neighbour before it; for bool whether the two differ.

fn difference(after: u32, before: u32) -> u32 {
  if (FLOATS) { return bitcast<u32>(bitcast<f32>(after) - bitcast<f32>(before)); }
  if (BOOLEAN) { return after ^ before; }
  return after - before;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store_bits(i, difference(after_bits(i), before_bits(i)));
}
