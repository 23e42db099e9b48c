// The squared deviations of a row over a divisor, or the root of that where ROOT; and the row's mean.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let row = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var end = params.columns;
  if (row >= params.rows) { end = 0u; }
  let moments = row_moments(local, row, end);
  if (local % LANES != 0u || row >= params.rows) { return; }
  var value = moments.squares / params.divisor;
  // WGSL promises nothing of a division by zero: 0 / 0 is NaN, anything else infinite.
  if (params.divisor == 0.0) {
    value = infinity();
    if ((bitcast<u32>(moments.squares) & 0x7fffffffu) == 0u || is_nan(moments.squares)) { value = not_a_number(); }
  }
  if (ROOT) { value = sqrt_f32(value); }
  variance_store(row, value);
  mean_store(row, moments.mean + moments.rest);
}
