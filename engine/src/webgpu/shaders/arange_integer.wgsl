// start + i * step, in integers; the host has seen that the range fits 32 bits.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, params.start + i32(i) * params.step);
}
