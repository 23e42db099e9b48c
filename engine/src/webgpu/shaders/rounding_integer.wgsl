// abs, sign and bitwise_not of integers; what rounds floats leaves integers as they are.

fn operation(i: u32, x: i32) -> i32 {
  switch (OPERATION) {
    case ABS: {
      if (!difference_fits(0, x)) { out_of_range(i); }
      return select(x, 0 - x, x < 0);
    }
    case SIGN: { return select(select(0, 1, x > 0), -1, x < 0); }
    case BITWISE_NOT: { return ~x; }
    default: { return x; }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(i, input_load(i)));
}
