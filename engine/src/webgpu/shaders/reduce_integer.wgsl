// Sums of integers and bool over dimensions; see reduce.wgsl.

var<workgroup> partial: array<i32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let output = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var sum = 0;
  if (output < params.count) {
    for (var r = lane; r < params.reduced; r += LANES) { sum += input_load(output, r); }
  }
  partial[local] = sum;
  for (var width = LANES / 2u; width > 0u; width /= 2u) {
    workgroupBarrier();
    if (lane < width) { partial[local] += partial[local + width]; }
  }
  if (lane == 0u && output < params.count) { result_store(output, partial[local]); }
}
