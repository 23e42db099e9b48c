// Position of the largest element over dimensions, or of the smallest (extremum_position.wgsl); see reduce.wgsl for LANES.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let output = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  let place = extremum_position(output, local);
  if (local % LANES == 0u && output < params.count) { result_store(output, bitcast<i32>(place)); }
}
