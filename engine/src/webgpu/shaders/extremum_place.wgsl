// The largest element over a dimension, or the smallest, and its position (extremum_position.wgsl); see reduce.wgsl for LANES.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let output = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  let place = extremum_position(output, local);
  if (local % LANES == 0u && output < params.count) {
    values_store_bits(output, input_bits(output, place));
    indices_store(output, bitcast<i32>(place));
  }
}
