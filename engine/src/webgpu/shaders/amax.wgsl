// The largest element over dimensions, or the smallest, by keys (keys.wgsl); of the magnitudes if MAGNITUDE. See reduce.wgsl for
// LANES.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let output = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var top = 0u;
  if (output < params.count) {
    for (var r = lane; r < params.reduced; r += LANES) {
      var bits = input_bits(output, r);
      if (MAGNITUDE) { bits = bits & 0x7fffffffu; }
      top = max(top, whole_key_of(bits));
    }
  }
  top = row_top(local, top);
  if (lane == 0u && output < params.count) { result_store_bits(output, bits_of_key(top)); }
}
