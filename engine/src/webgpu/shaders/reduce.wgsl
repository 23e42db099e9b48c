// Sums and products of floats over dimensions: sum, mean, prod and vector norms. LANES neighbouring invocations share one element
// of the result: each sums every LANES-th term, then they add up as a tree, so that error grows with the terms per lane.

var<workgroup> partial: array<f32, WORKGROUP>;

fn term(x: f32) -> f32 {
  switch (OPERATION) {
    case NORM_0: { return select(1.0, 0.0, (bitcast<u32>(x) & 0x7fffffffu) == 0u); }
    case NORM_1: { return abs(x); }
    case NORM_2: { return x * x; }
    case NORM_P: { return pow_f32(abs(x), params.ord); }
    default: { return x; }
  }
}

fn combine(a: f32, b: f32) -> f32 {
  if (OPERATION == PROD) { return a * b; }
  return a + b;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let output = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var total = select(0.0, 1.0, OPERATION == PROD);
  if (output < params.count) {
    for (var r = lane; r < params.reduced; r += LANES) { total = combine(total, term(input_load(output, r))); }
  }
  partial[local] = total;
  for (var width = LANES / 2u; width > 0u; width /= 2u) {
    workgroupBarrier();
    if (lane < width) { partial[local] = combine(partial[local], partial[local + width]); }
  }
  if (lane == 0u && output < params.count) {
    var value = partial[local];
    if (OPERATION == MEAN) {
      // The mean of nothing is NaN, as in PyTorch.
      if (params.reduced == 0u) { value = not_a_number(); } else { value = value / f32(params.reduced); }
    }
    if (OPERATION == NORM_2 && ordered(value) > ordered(0.0) && ordered(value) < ordered(infinity())) {
      value = sqrt(value);
    }
    if (OPERATION == NORM_P) { value = pow_f32(value, params.inverse_ord); }
    result_store(output, value);
  }
}
