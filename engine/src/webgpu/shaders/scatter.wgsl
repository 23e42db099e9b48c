// Each element as it was or, where a source has claimed it, that source's; see scatter_claim.wgsl.

const LOST: u32 = 0xffffffffu;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let claim = claims_bits(i);
  var bits = 0u;
  if (claim == LOST) {
    bits = select(0x80000000u, 0x7fc00000u, FLOATS);
  } else if (claim == 0u) {
    bits = input_bits(i);
  } else {
    bits = src_bits(claim - 1u);
  }
  result_store_bits(i, bits);
}
