// clamp of integers: min(max(x, lower), upper), with broadcasting.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, min(max(input_load(i), lower_load(i)), upper_load(i)));
}
