// add, sub, mul and pow on integers, with broadcasting; they wrap around at 32 bits.

fn power(base: i32, exponent: i32) -> i32 {
  if (exponent < 0) {
    // 1 / base^|exponent|, cut off.
    if (base == 1) { return 1; }
    if (base == -1) { return select(1, -1, (exponent & 1) == 1); }
    return 0;
  }
  var result = 1;
  var square = base;
  var rest = u32(exponent);
  while (rest > 0u) {
    if ((rest & 1u) == 1u) { result = result * square; }
    square = square * square;
    rest = rest >> 1u;
  }
  return result;
}

fn operation(a: i32, b: i32) -> i32 {
  switch (OPERATION) {
    case ADD: { return a + params.alpha * b; }
    case SUB: { return a - params.alpha * b; }
    case MUL: { return a * b; }
    default: { return power(a, b); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i), other_load(i)));
}
