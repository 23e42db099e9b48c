// maximum (if LARGER) and minimum of integers, with broadcasting.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let a = input_load(i);
  let b = other_load(i);
  result_store(i, select(b, a, (a > b) == LARGER));
}
