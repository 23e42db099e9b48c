// clamp(x, lower, upper) = min(max(x, lower), upper), with broadcasting; NaN in any of the three stays NaN.

fn operation(x: f32, lower: f32, upper: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (is_nan(lower)) { return lower; }
  if (is_nan(upper)) { return upper; }
  var value = x;
  if (ordered(value) < ordered(lower)) { value = lower; }
  if (ordered(value) > ordered(upper)) { value = upper; }
  return value;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i), lower_load(i), upper_load(i)));
}
