// The error function, from the pieces of erf.wgsl.

fn erf_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let magnitude = abs(x);
  var value = 1.0; // to the last bit from 4 on
  if (magnitude < 0.84375) {
    return x + x * erf_slope(x * x);
  } else if (magnitude < 4.0) {
    value = 1.0 - erfc_tail(magnitude, 1.41421356 * magnitude);
  }
  return select(value, -value, bitcast<u32>(x) >> 31u == 1u);
}
