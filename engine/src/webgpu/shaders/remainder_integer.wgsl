// Division of integers with its remainder. Dividing by 0 is an error; the smallest integer over -1 wraps around, which
// `out_of_range` is told.

fn operation(i: u32, a: i32, b: i32) -> i32 {
  if (b == 0) {
    division_by_zero(i);
    return 0;
  }
  if (b == -1) {
    if (OPERATION == REMAINDER || OPERATION == FMOD) { return 0; }
    if (!difference_fits(0, a)) { out_of_range(i); }
    return 0 - a;
  }
  let quotient = a / b;
  let rest = a - b * quotient;
  let other_sign = rest != 0 && (rest < 0) != (b < 0);
  switch (OPERATION) {
    case FLOOR: { return select(quotient, quotient - 1, other_sign); }
    case TRUNC: { return quotient; }
    case REMAINDER: { return select(rest, rest + b, other_sign); }
    default: { return rest; }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(i, input_load(i), other_load(i)));
}
