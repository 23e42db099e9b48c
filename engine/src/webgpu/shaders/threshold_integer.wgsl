// threshold of integers: x above a, b elsewhere.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let x = input_load(i);
  result_store(i, select(x, params.b, x <= params.a));
}
