// v * (g / sqrt(sum of v^2)) over a row.

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
  let norm = sqrt_f32(row_sum(local, square));
  // A row of zeros has no direction; WGSL promises nothing of a division by zero.
  let nothing = (bitcast<u32>(norm) & 0x7fffffffu) == 0u;
  for (var c = lane; c < end; c += LANES) {
    var value = not_a_number();
    if (!nothing) { value = input_load(row, c) * (length_load(row) / norm); }
    result_store(row, c, value);
  }
}
