// (x - mean) / sqrt(variance + eps) * weight + bias over a row. Two passes: the variance is that of the centred values, because
// mean(x^2) - mean^2 cancels.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let row = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var end = params.columns;
  if (row >= params.rows) { end = 0u; }
  let count = f32(params.columns);
  var sum = 0.0;
  for (var c = lane; c < end; c += LANES) { sum += input_load(row, c); }
  let mean = row_sum(local, sum) / count;
  var square = 0.0;
  var rest = 0.0;
  for (var c = lane; c < end; c += LANES) {
    let centred = input_load(row, c) - mean;
    square += centred * centred;
    rest += centred;
  }
  square = row_sum(local, square);
  // What rounding left in the mean, corrected to first order (Chan, Golub and LeVeque, "Algorithms for computing the sample
  // variance", 1983).
  rest = row_sum(local, rest) / count;
  let variance = square / count - rest * rest;
  let factor = inverseSqrt(variance + params.eps);
  for (var c = lane; c < end; c += LANES) {
    var value = (input_load(row, c) - mean - rest) * factor;
    if (HAS_WEIGHT) { value = value * weight_load(c); }
    if (HAS_BIAS) { value = value + bias_load(c); }
    result_store(row, c, value);
  }
}
