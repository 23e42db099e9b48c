// logical_not, isnan and isinf of anything, by its bits; FLOATS says whether they are those of floats.

fn holds(bits: u32) -> bool {
  let magnitude = bits & 0x7fffffffu;
  switch (OPERATION) {
    case ISNAN: { return FLOATS && magnitude > 0x7f800000u; }
    case ISINF: { return FLOATS && magnitude == 0x7f800000u; }
    default: { return select(bits, magnitude, FLOATS) == 0u; }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, select(0, 1, holds(input_bits(i))));
}
