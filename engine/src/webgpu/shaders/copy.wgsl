// Copies elements between strided tensors: clone, cat, casts that need no rounding, contiguous copies.
// Moves bits, so NaN payloads and subnormals arrive unchanged.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store_bits(i, input_bits(i));
}
