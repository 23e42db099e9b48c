// Functions of two floats, with broadcasting.

fn is_infinite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u;
}

// The larger of two and what the difference adds to it: ln(1 + e^-d), or the same to base 2.
fn larger_and_more(a: f32, b: f32) -> f32 {
  if (is_nan(a)) { return a; }
  if (is_nan(b)) { return b; }
  let larger = select(b, a, ordered(a) > ordered(b));
  // An infinity settles it, or leaves the other number alone; infinities of one sign have no difference.
  if (is_infinite(a) || is_infinite(b)) { return larger; }
  let difference = abs(a - b);
  if (OPERATION == LOGADDEXP) { return larger + log1p_f32(exp_f32(-difference)); }
  return larger + 1.44269504 * log1p_f32(exp2_of_two(-min(difference, 200.0), 0.0));
}

// x ln y; 0 at x = 0, whatever y, but for NaN.
fn x_log_y(x: f32, y: f32) -> f32 {
  if (is_nan(y)) { return y; }
  if (is_nan(x)) { return x; }
  if ((bitcast<u32>(x) & 0x7fffffffu) == 0u) { return 0.0; }
  let log = log_f32(y);
  if (is_nan(log)) { return log; }
  let log_bits = bitcast<u32>(log);
  if (is_infinite(x) || is_infinite(log)) {
    if ((log_bits & 0x7fffffffu) == 0u) { return not_a_number(); }
    return bitcast<f32>(bitcast<u32>(infinity()) | ((bitcast<u32>(x) ^ log_bits) & 0x80000000u));
  }
  return x * log;
}

// sqrt(a^2 + b^2) = larger sqrt(1 + (smaller / larger)^2), so that no square leaves the range.
fn hypotenuse(a: f32, b: f32) -> f32 {
  if (is_infinite(a) || is_infinite(b)) { return infinity(); } // NaN or not
  if (is_nan(a)) { return a; }
  if (is_nan(b)) { return b; }
  let larger = max(abs(a), abs(b));
  if (larger == 0.0) { return 0.0; }
  // WGSL promises a quotient's accuracy for divisors of 2^-126 to 2^126.
  let scale = select(select(1.0, 0.0625, larger > 1.0e37), 16777216.0, larger < 1.0e-30);
  let ratio = min(abs(a), abs(b)) * scale / (larger * scale);
  return larger * sqrt(1.0 + ratio * ratio);
}

fn operation(a: f32, b: f32) -> f32 {
  switch (OPERATION) {
    case LOGADDEXP, LOGADDEXP2: { return larger_and_more(a, b); }
    case XLOGY: { return x_log_y(a, b); }
    case ATAN2: { return atan2_f32(a, b); }
    case HYPOT: { return hypotenuse(a, b); }
    case GLU: { return a * sigmoid_f32(b); }
    default: {
      // prelu
      if (is_nan(a)) { return a; }
      return select(a * b, a, ordered(a) > 0x80000000u);
    }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i), other_load(i)));
}
