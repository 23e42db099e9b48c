// (x - mean) / sqrt(variance + eps) * weight + bias with statistics that are given, element by element.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  var value = (input_load(i) - mean_load(i)) * rsqrt_f32(variance_load(i) + params.eps);
  if (HAS_WEIGHT) { value = value * weight_load(i); }
  if (HAS_BIAS) { value = value + bias_load(i); }
  result_store(i, value);
}
