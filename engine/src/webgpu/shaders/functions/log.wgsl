// Logarithms in f32 to about 1 ULP, from the logarithm in two floats that pow uses, whose first part has 12 bits: its product with
// another of 12 bits is exact.

struct LogCase {
  // Whether `value` is the result already.
  known: bool,
  value: f32,
}

// NaN stays, a negative number gives NaN, zero -inf, infinity itself.
fn log_of_special(x: f32) -> LogCase {
  let bits = bitcast<u32>(x);
  if (is_nan(x)) { return LogCase(true, x); }
  if ((bits & 0x7fffffffu) == 0u) { return LogCase(true, bitcast<f32>(bitcast<u32>(infinity()) | 0x80000000u)); }
  if (bits >> 31u == 1u) { return LogCase(true, not_a_number()); }
  if (bits == 0x7f800000u) { return LogCase(true, x); }
  return LogCase(false, 0.0);
}

fn log2_f32(x: f32) -> f32 {
  let special = log_of_special(x);
  if (special.known) { return special.value; }
  let log = log2_in_two(x);
  return log.high + log.low;
}

fn log_f32(x: f32) -> f32 {
  let special = log_of_special(x);
  if (special.known) { return special.value; }
  let log = log2_in_two(x);
  // ln 2 in two parts.
  return log.high * 0.693359375 + (log.low * 0.69314718 + log.high * -2.12194440e-4);
}

fn log10_f32(x: f32) -> f32 {
  let special = log_of_special(x);
  if (special.known) { return special.value; }
  let log = log2_in_two(x);
  // log10 2 in two parts.
  return log.high * 0.301025390625 + (log.low * 0.30103 + log.high * 4.6050389811952137e-6);
}

// ln(1 + x). Near 0 the series of ln((1 + s) / (1 - s)) in s = x / (2 + x), after FreeBSD's msun, e_logf.c (Sun Microsystems,
// 1993); elsewhere the logarithm is at least 0.34 and rounding 1 + x costs it no more than 1 ULP of 1.
fn log1p_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (is_nan(x) || bits == 0x7f800000u) { return x; }
  // -0.2929 to 0.4142
  let near = select((bits & 0x7fffffffu) < 0x3ed413cdu, (bits & 0x7fffffffu) < 0x3e95f61au, bits >> 31u == 1u);
  if (!near) { return log_f32(1.0 + x); }
  // x itself to the last bit, and 0 with its sign.
  if ((bits & 0x7fffffffu) < 0x33000000u) { return x; }
  let s = x / (2.0 + x);
  let z = s * s;
  let w = z * z;
  let r = w * (0.40000972152 + w * 0.24279078841) + z * (0.66666662693 + w * 0.28498786688);
  let half_square = 0.5 * x * x;
  return x - (half_square - s * (half_square + r));
}
