// x - max - log(sum of exp(x - max)) over a row. The maximum is found on ordered keys, so that a row of -inf, NaN or +inf gives NaN
// as in PyTorch.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let row = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var end = params.columns;
  if (row >= params.rows) { end = 0u; }
  var top = 0u;
  for (var c = lane; c < end; c += LANES) { top = max(top, ordered(input_load(row, c))); }
  let largest = of_ordered(row_top(local, top));
  var sum = 0.0;
  for (var c = lane; c < end; c += LANES) { sum += exp_f32(input_load(row, c) - largest); }
  let log_sum = log_f32(row_sum(local, sum));
  // WGSL may assume infinities away: what is not finite is decided on its bits.
  let finite = (bitcast<u32>(largest) & 0x7f800000u) != 0x7f800000u;
  for (var c = lane; c < end; c += LANES) {
    let x = input_load(row, c);
    var value = not_a_number();
    if (finite && bitcast<u32>(x) == 0xff800000u) { value = x; } else if (finite) { value = x - largest - log_sum; }
    result_store(row, c, value);
  }
}
