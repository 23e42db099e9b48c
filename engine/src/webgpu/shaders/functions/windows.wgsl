// The windows of pooling, d, h and w together. Needs the constant ADAPTIVE and the parameters input_*, output_*, and those of
// steps: reach_*, stride_*, padding_*, dilation_*, kernel_*, or numbers that are never used.

struct Window {
  first: vec3<u32>,
  // Behind the last element; not below `first` by more than an empty window is.
  end: vec3<u32>,
  // Elements in all.
  size: vec3<u32>,
  // Elements with those of the padding.
  padded: vec3<u32>,
}

fn dilation() -> vec3<u32> {
  return vec3<u32>(params.dilation_d, params.dilation_h, params.dilation_w);
}

// The window of an element of a plane of the result.
fn window_of(element: u32) -> Window {
  let row = element / params.output_w;
  let w = element - row * params.output_w;
  let d = row / params.output_h;
  let place_of = vec3<u32>(d, row - d * params.output_h, w);
  let input = vec3<u32>(params.input_d, params.input_h, params.input_w);
  var window: Window;
  if (ADAPTIVE) {
    let output = vec3<u32>(params.output_d, params.output_h, params.output_w);
    window.first = place_of * input / output;
    window.end = ((place_of + 1u) * input + output - 1u) / output;
    window.size = window.end - window.first;
    window.padded = window.size;
    return window;
  }
  // Counted from the first element of the padding.
  let padding = vec3<u32>(params.padding_d, params.padding_h, params.padding_w);
  let place = place_of * vec3<u32>(params.stride_d, params.stride_h, params.stride_w);
  let outside = max(padding, place) - place;
  let skipped = (outside + dilation() - 1u) / dilation() * dilation();
  window.first = max(place + skipped, padding) - padding;
  let reach = vec3<u32>(params.reach_d, params.reach_h, params.reach_w);
  window.end = max(min(place + reach, input + padding), padding) - padding;
  window.size = (max(window.end, window.first) - window.first + dilation() - 1u) / dilation();
  let kernel = vec3<u32>(params.kernel_d, params.kernel_h, params.kernel_w);
  window.padded = min(place + kernel, input + 2u * padding) - place;
  return window;
}

// Element `r` of a window, as position in the plane.
fn element_of(window: Window, r: u32) -> vec3<u32> {
  let row = r / window.size.z;
  let d = row / window.size.y;
  return window.first + vec3<u32>(d, row - d * window.size.y, r - row * window.size.z) * dilation();
}
