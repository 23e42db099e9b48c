// asinh, acosh and atanh in f32 to a few ULP, from log and log1p.

// ln(x + sqrt(x^2 + 1)) = ln(1 + x + x^2 / (1 + sqrt(x^2 + 1))) for x >= 0; from 2^12 on ln 2x.
fn asinh_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let magnitude = abs(x);
  var value = 0.0;
  if (magnitude < 4096.0) {
    let square = magnitude * magnitude;
    value = log1p_f32(magnitude + square / (1.0 + sqrt(square + 1.0)));
  } else {
    value = log_f32(magnitude) + 0.69314718;
  }
  return select(value, -value, bitcast<u32>(x) >> 31u == 1u);
}

// ln(x + sqrt(x^2 - 1)) = ln(1 + t + sqrt(2t + t^2)) with t = x - 1.
fn acosh_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (ordered(x) < ordered(1.0)) { return not_a_number(); }
  if (x == 1.0) { return 0.0; } // whose root WGSL does not promise
  if (ordered(x) >= ordered(4096.0)) { return log_f32(x) + 0.69314718; }
  let t = x - 1.0;
  return log1p_f32(t + sqrt(t * (2.0 + t)));
}

// ln((1 + x) / (1 - x)) / 2 = ln(1 + 2x / (1 - x)) / 2 for x >= 0.
fn atanh_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let bits = bitcast<u32>(x);
  let magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x3f800000u) { return not_a_number(); }
  if (magnitude == 0x3f800000u) { return bitcast<f32>(bitcast<u32>(infinity()) | (bits & 0x80000000u)); }
  let a = bitcast<f32>(magnitude);
  let value = 0.5 * log1p_f32(2.0 * a / (1.0 - a));
  return select(value, -value, bits >> 31u == 1u);
}
