// The largest element of a window: the first of equal ones, the last of NaNs. Needs windows.wgsl and the constants FLOATS and
// LOWEST, the bits of what an empty window gives.

struct Largest {
  bits: u32,
  // In the plane.
  position: u32,
}

fn largest_of(i: u32) -> Largest {
  let plane = params.output_d * params.output_h * params.output_w;
  let image = i / plane;
  let window = window_of(i - image * plane);
  let start = params.input_offset + input_plane(image);
  let row = params.input_h;
  var best = Largest(LOWEST, (window.first.x * row + window.first.y) * params.input_w + window.first.z);
  var best_key = key_of(LOWEST);
  for (var d = window.first.x; d < window.end.x; d = d + params.dilation_d) {
    for (var h = window.first.y; h < window.end.y; h = h + params.dilation_h) {
      for (var w = window.first.z; w < window.end.z; w = w + params.dilation_w) {
        let at = start + d * params.input_d_stride + h * params.input_h_stride + w * params.input_w_stride;
        let bits = input_bits_at(at);
        let key = key_of(bits);
        if (key > best_key || (FLOATS && key == 0xffffffffu)) {
          best = Largest(bits, (d * row + h) * params.input_w + w);
          best_key = key;
        }
      }
    }
  }
  return best;
}

fn key_of(bits: u32) -> u32 {
  if (FLOATS) { return ordered(bitcast<f32>(bits)); }
  return bits ^ 0x80000000u;
}
