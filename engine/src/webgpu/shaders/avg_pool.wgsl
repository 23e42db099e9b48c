// The mean of each window. LANES neighbouring invocations share a window: one where windows are small, many where they are large,
// up to the whole input.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let i = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  let plane = params.output_d * params.output_h * params.output_w;
  let image = i / plane;
  let window = window_of(i - image * plane);
  let start = params.input_offset + input_plane(image);
  var size = window.size.x * window.size.y * window.size.z;
  if (i >= params.count) { size = 0u; }
  var sum = 0.0;
  for (var r = lane; r < size; r = r + LANES) {
    let at = element_of(window, r);
    sum = sum + input_at(start + at.x * params.input_d_stride + at.y * params.input_h_stride + at.z * params.input_w_stride);
  }
  if (LANES > 1u) { sum = row_sum(local, sum); }
  if (lane == 0u && i < params.count) {
    let counted = select(window.size, window.padded, COUNT_PADDING);
    var divisor = f32(counted.x) * f32(counted.y) * f32(counted.z);
    if (OVERRIDDEN) { divisor = params.divisor; }
    result_store(i, select(sum / divisor, 0.0, size == 0u));
  }
}
