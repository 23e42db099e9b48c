// (x - mean) / sqrt(variance + eps) * weight + bias over a row, in which weight and bias may change; and the row's mean and
// 1 / sqrt(variance + eps).

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let row = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var end = params.columns;
  if (row >= params.rows) { end = 0u; }
  let moments = row_moments(local, row, end);
  let variance = moments.squares / f32(params.columns);
  let factor = rsqrt_f32(variance + params.eps);
  for (var c = local % LANES; c < end; c += LANES) {
    var value = (input_load(row, c) - moments.mean - moments.rest) * factor;
    if (HAS_WEIGHT) { value = value * weight_load(row, c); }
    if (HAS_BIAS) { value = value + bias_load(row, c); }
    result_store(row, c, value);
  }
  if (local % LANES == 0u && row < params.rows) {
    mean_store(row, moments.mean + moments.rest);
    factor_store(row, factor);
  }
}
