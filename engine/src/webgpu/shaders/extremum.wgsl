// maximum (if LARGER) and minimum of floats, with broadcasting; NaN where one is NaN.

fn operation(a: f32, b: f32) -> f32 {
  if (is_nan(a)) { return a; }
  if (is_nan(b)) { return b; }
  return select(b, a, (ordered(a) > ordered(b)) == LARGER);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i), other_load(i)));
}
