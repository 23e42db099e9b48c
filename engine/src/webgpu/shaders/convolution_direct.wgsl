// Convolution with few channels per group (depthwise above all), where tiles of channels would be mostly empty: an invocation per
// element of the result. Neighbouring invocations read neighbouring elements of the input, and the same weights.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let plane = params.output_d * params.output_h * params.output_w;
  let image = i / plane;
  let at = place_of(i - image * plane);
  let n = image / params.channels;
  let channel = image - n * params.channels;
  let group = channel / params.out_channels;
  let input_start = params.input_offset + n * params.input_n_stride + group * params.in_channels * params.input_c_stride;
  let weight_start = params.weight_offset + group * params.weight_group_stride
    + (channel - group * params.out_channels) * params.weight_out_stride;
  var sum = 0.0;
  for (var c = 0u; c < params.in_channels; c = c + 1u) {
    let first = input_start + c * params.input_c_stride;
    var part = 0.0;
    for (var tap = 0u; tap < TAPS; tap = tap + 1u) {
      let source = source_of(at, tap);
      if (source.inside) { part = part + input_at(first + source.position) * weight_at(weight_start + weight_k(c * TAPS + tap)); }
    }
    sum = sum + part;
  }
  result_store(i, sum + bias_load(channel));
}
