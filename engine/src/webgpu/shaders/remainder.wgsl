// Division of floats with its remainder: floor_divide, div with a rounding mode, remainder, fmod. Quotient and remainder are those of a
// long division of the mantissas, in integers: x - y * trunc(x / y) in floats would lose what the quotient rounds away.

struct Division {
  // trunc |x / y|, below 2^32 exact.
  quotient: u32,
  // Whether the quotient is larger, and only `approximate` holds it.
  large: bool,
  approximate: f32,
  // |x| - |y| * trunc |x / y|, exact but where it is subnormal, which a GPU may flush.
  rest: f32,
  // Whether there is a rest.
  left: bool,
}

struct Parts {
  mantissa: u32,
  exponent: i32,
}

// A finite magnitude as mantissa * 2^(exponent - 150), the mantissa below 2^24.
fn parts(magnitude: u32) -> Parts {
  let exponent = magnitude >> 23u;
  if (exponent == 0u) { return Parts(magnitude, 1); }
  return Parts((magnitude & 0x7fffffu) | 0x800000u, i32(exponent));
}

// m / n * 2^exponent, for mantissas and an exponent of at least 0.
fn scaled_quotient(m: u32, n: u32, exponent: i32) -> f32 {
  let quotient = f32(m) / f32(n);
  if (i32(bitcast<u32>(quotient) >> 23u) - 127 + exponent > 127) { return infinity(); }
  return scale_by_power_of_two(quotient, exponent);
}

// Of magnitudes: x finite, y finite and not 0.
fn divide(x: u32, y: u32) -> Division {
  let top = parts(x);
  let bottom = parts(y);
  var shift = top.exponent - bottom.exponent;
  // The larger exponent has the larger number: only one whose mantissa is short has exponent 1, the smallest.
  if (shift < 0) { return Division(0u, false, 0.0, bitcast<f32>(x), x != 0u); }
  let approximate = scaled_quotient(top.mantissa, bottom.mantissa, shift);
  var quotient = top.mantissa / bottom.mantissa;
  var rest = top.mantissa % bottom.mantissa;
  var large = false;
  while (shift > 0) {
    let step = u32(min(shift, 8));
    large = large || quotient >= 0x1000000u;
    rest = rest << step;
    quotient = (quotient << step) + rest / bottom.mantissa;
    rest = rest % bottom.mantissa;
    shift = shift - i32(step);
  }
  let value = scale_by_power_of_two(f32(rest), bottom.exponent - 150);
  return Division(quotient, large, approximate, value, rest != 0u);
}

fn with_sign(magnitude: f32, negative: bool) -> f32 {
  return bitcast<f32>((bitcast<u32>(magnitude) & 0x7fffffffu) | select(0u, 0x80000000u, negative));
}

// The quotient as an integer, down where FLOOR, else towards zero.
fn whole_quotient(x: f32, y: f32) -> f32 {
  let a = bitcast<u32>(x) & 0x7fffffffu;
  let b = bitcast<u32>(y) & 0x7fffffffu;
  let negative = ((bitcast<u32>(x) ^ bitcast<u32>(y)) >> 31u) == 1u;
  let down = OPERATION == FLOOR && negative;
  if (b == 0u) {
    if (a == 0u) { return not_a_number(); }
    return with_sign(infinity(), negative);
  }
  if (a == 0x7f800000u) {
    if (b == 0x7f800000u || OPERATION == FLOOR) { return not_a_number(); }
    return with_sign(infinity(), negative);
  }
  if (b == 0x7f800000u) { return with_sign(select(0.0, 1.0, down && a != 0u), negative); }
  let division = divide(a, b);
  if (division.large) { return with_sign(division.approximate, negative); }
  let more = select(0u, 1u, down && division.left);
  return with_sign(f32(division.quotient + more), negative);
}

// What is left over: of x's sign, or of y's where REMAINDER.
fn left_over(x: f32, y: f32) -> f32 {
  let a = bitcast<u32>(x) & 0x7fffffffu;
  let b = bitcast<u32>(y) & 0x7fffffffu;
  if (b == 0u || a == 0x7f800000u) { return not_a_number(); }
  let other_sign = OPERATION == REMAINDER && ((bitcast<u32>(x) ^ bitcast<u32>(y)) >> 31u) == 1u;
  if (b == 0x7f800000u) {
    if (other_sign && a != 0u) { return y; }
    return x;
  }
  let division = divide(a, b);
  let rest = with_sign(division.rest, bitcast<u32>(x) >> 31u == 1u);
  if (other_sign && division.left) { return rest + y; }
  return rest;
}

fn operation(x: f32, y: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (is_nan(y)) { return y; }
  switch (OPERATION) {
    case FLOOR, TRUNC: { return whole_quotient(x, y); }
    default: { return left_over(x, y); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i), other_load(i)));
}
