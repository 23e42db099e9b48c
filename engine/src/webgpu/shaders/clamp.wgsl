// clamp(x, lower, upper) = min(max(x, lower), upper); NaN stays NaN.

fn operation(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (is_nan(params.lower)) { return params.lower; }
  if (is_nan(params.upper)) { return params.upper; }
  var value = x;
  if (ordered(value) < ordered(params.lower)) { value = params.lower; }
  if (ordered(value) > ordered(params.upper)) { value = params.upper; }
  return value;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i)));
}
