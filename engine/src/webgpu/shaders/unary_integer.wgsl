// neg and relu of integers.

fn operation(i: u32, x: i32) -> i32 {
  switch (OPERATION) {
    case NEG: {
      if (!difference_fits(0, x)) { out_of_range(i); }
      return 0 - x;
    }
    default: { return max(x, 0); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(i, input_load(i)));
}
