// The largest element of each window and where it lies, an invocation per window.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let largest = largest_of(i);
  result_store_bits(i, largest.bits);
  indices_store_bits(i, largest.position);
}
