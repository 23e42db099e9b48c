// logical_and, logical_or and logical_xor of anything, by bits, with broadcasting. The masks drop the sign of floats: -0 is false.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let a = (input_bits(i) & INPUT_MASK) != 0u;
  let b = (other_bits(i) & OTHER_MASK) != 0u;
  var holds = a != b;
  if (OPERATION == LOGICAL_AND) { holds = a && b; }
  if (OPERATION == LOGICAL_OR) { holds = a || b; }
  result_store(i, select(0, 1, holds));
}
