// max + log(sum of exp(x - max)) over a row. The maximum is found on ordered keys; where it is not finite it is the result.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let row = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var end = params.columns;
  if (row >= params.rows) { end = 0u; }
  // -inf, which is what nothing gives.
  var top = ordered(bitcast<f32>(bitcast<u32>(infinity()) | 0x80000000u));
  for (var c = lane; c < end; c += LANES) { top = max(top, ordered(input_load(row, c))); }
  let largest = of_ordered(row_top(local, top));
  var sum = 0.0;
  for (var c = lane; c < end; c += LANES) { sum += exp_f32(input_load(row, c) - largest); }
  let log_sum = log_f32(row_sum(local, sum));
  if (lane == 0u && row < params.rows) {
    let finite = (bitcast<u32>(largest) & 0x7f800000u) != 0x7f800000u;
    result_store(row, select(largest, largest + log_sum, finite));
  }
}
