// x / sqrt(mean(x^2) + eps) * weight over a row.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let row = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var end = params.columns;
  if (row >= params.rows) { end = 0u; }
  var square = 0.0;
  for (var c = lane; c < end; c += LANES) {
    let x = input_load(row, c);
    square += x * x;
  }
  let factor = inverseSqrt(row_sum(local, square) / f32(params.columns) + params.eps);
  for (var c = lane; c < end; c += LANES) {
    var value = input_load(row, c) * factor;
    if (HAS_WEIGHT) { value = value * weight_load(c); }
    result_store(row, c, value);
  }
}
