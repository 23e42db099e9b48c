// How many elements over dimensions are not zero, and what any and all make of it; see reduce.wgsl for LANES.

var<workgroup> partial: array<u32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let output = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  // Both zeros are zero; NaN is not.
  let mask = select(0xffffffffu, 0x7fffffffu, FLOATS);
  var count = 0u;
  if (output < params.count) {
    for (var r = lane; r < params.reduced; r += LANES) {
      if ((input_bits(output, r) & mask) != 0u) { count += 1u; }
    }
  }
  partial[local] = count;
  for (var width = LANES / 2u; width > 0u; width /= 2u) {
    workgroupBarrier();
    if (lane < width) { partial[local] += partial[local + width]; }
  }
  if (lane == 0u && output < params.count) {
    var value = partial[local];
    if (OPERATION == ANY) { value = select(0u, 1u, value > 0u); }
    if (OPERATION == ALL) { value = select(0u, 1u, value == params.reduced); }
    result_store_bits(output, value);
  }
}
