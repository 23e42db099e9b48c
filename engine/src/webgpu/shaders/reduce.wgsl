// Sums of floats over dimensions: sum, mean, and the 2-norm. LANES neighbouring invocations share one element of the
// result: each sums every LANES-th term, then they add up as a tree, so that error grows with the terms per lane.

var<workgroup> partial: array<f32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let output = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var sum = 0.0;
  if (output < params.count) {
    for (var r = lane; r < params.reduced; r += LANES) {
      let x = input_load(output, r);
      if (OPERATION == LINALG_VECTOR_NORM) { sum += x * x; } else { sum += x; }
    }
  }
  partial[local] = sum;
  for (var width = LANES / 2u; width > 0u; width /= 2u) {
    workgroupBarrier();
    if (lane < width) { partial[local] += partial[local + width]; }
  }
  if (lane == 0u && output < params.count) {
    var value = partial[local];
    if (OPERATION == MEAN) {
      // The mean of nothing is NaN, as in PyTorch.
      if (params.reduced == 0u) { value = not_a_number(); } else { value = value / f32(params.reduced); }
    }
    if (OPERATION == LINALG_VECTOR_NORM && ordered(value) > ordered(0.0) && ordered(value) < ordered(infinity())) {
      value = sqrt(value);
    }
    result_store(output, value);
  }
}
