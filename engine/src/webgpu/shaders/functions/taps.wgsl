// Which element of a convolution's input meets a tap of the kernel for an element of the result. Needs the constants KERNEL_*,
// STRIDE_*, DILATION_*, TAPS and TRANSPOSED, and the parameters output_*, input_*, padding_* and input_*_stride.

struct Source {
  // Whether there is such an element; beyond the edges and, transposed, between the strides there is none.
  inside: bool,
  // From the first element of its channel.
  position: u32,
}

// Where an element of the result lies on the padded input, transposed on the uncut result.
fn place_of(element: u32) -> vec3<u32> {
  let row = element / params.output_w;
  let w = element - row * params.output_w;
  let d = row / params.output_h;
  let h = row - d * params.output_h;
  if (TRANSPOSED) { return vec3<u32>(d + params.padding_d, h + params.padding_h, w + params.padding_w); }
  return vec3<u32>(d * STRIDE_D, h * STRIDE_H, w * STRIDE_W);
}

fn source_of(place: vec3<u32>, tap: u32) -> Source {
  let row = tap / KERNEL_W;
  let kw = tap - row * KERNEL_W;
  let kd = row / KERNEL_H;
  let kh = row - kd * KERNEL_H;
  let reach = vec3<u32>(kd * DILATION_D, kh * DILATION_H, kw * DILATION_W);
  let input = vec3<u32>(params.input_d, params.input_h, params.input_w);
  let strides = vec3<u32>(params.input_d_stride, params.input_h_stride, params.input_w_stride);
  // Below zero these wrap around to numbers that exceed every size.
  var origin = place + reach - vec3<u32>(params.padding_d, params.padding_h, params.padding_w);
  var inside = true;
  if (TRANSPOSED) {
    let spread = place - reach;
    let stride = vec3<u32>(STRIDE_D, STRIDE_H, STRIDE_W);
    origin = spread / stride;
    inside = all(origin * stride == spread) && all(spread < vec3<u32>(0x80000000u));
  }
  inside = inside && all(origin < input);
  return Source(inside, origin.x * strides.x + origin.y * strides.y + origin.z * strides.z);
}
