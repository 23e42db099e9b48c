// add, sub, mul and pow on integers, with broadcasting; they wrap around at 32 bits, which `out_of_range` is told.

fn power(i: u32, base: i32, exponent: i32) -> i32 {
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
    if ((rest & 1u) == 1u) {
      if (!product_fits(result, square)) { out_of_range(i); }
      result = result * square;
    }
    rest = rest >> 1u;
    // The last square is not used.
    if (rest > 0u && !product_fits(square, square)) { out_of_range(i); }
    square = square * square;
  }
  return result;
}

fn operation(i: u32, a: i32, b: i32) -> i32 {
  switch (OPERATION) {
    case ADD, SUB: {
      let scaled = params.alpha * b;
      let sum = select(a - scaled, a + scaled, OPERATION == ADD);
      let fits = select(difference_fits(a, scaled), sum_fits(a, scaled), OPERATION == ADD);
      if (!fits || !product_fits(params.alpha, b)) { out_of_range(i); }
      return sum;
    }
    case MUL: {
      if (!product_fits(a, b)) { out_of_range(i); }
      return a * b;
    }
    default: { return power(i, a, b); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(i, input_load(i), other_load(i)));
}
