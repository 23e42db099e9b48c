// exp(x) / sum of exp(x) over a row. Right on paper; in f32 e^89 is infinity.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let row = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var end = params.columns;
  if (row >= params.rows) { end = 0u; }
  var sum = 0.0;
  for (var c = lane; c < end; c += LANES) { sum += exp_f32(input_load(row, c)); }
  sum = row_sum(local, sum);
  for (var c = lane; c < end; c += LANES) { result_store(row, c, exp_f32(input_load(row, c)) / sum); }
}
