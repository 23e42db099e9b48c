// sinh and cosh in f32 to a few ULP, from exp and expm1.

// e^|x| / 2 as a product, since e^|x| alone overflows before its half does.
fn half_exp(magnitude: f32) -> f32 {
  let root = exp_f32(0.5 * magnitude);
  return 0.5 * root * root;
}

fn sinh_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let magnitude = abs(x);
  var value = 0.0;
  if (magnitude < 17.0) {
    let e = expm1_f32(magnitude);
    value = 0.5 * (e + e / (e + 1.0));
  } else {
    value = half_exp(magnitude); // e^-x no longer counts
  }
  return select(value, -value, bitcast<u32>(x) >> 31u == 1u);
}

fn cosh_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let magnitude = abs(x);
  if (magnitude >= 17.0) { return half_exp(magnitude); }
  let e = exp_f32(magnitude);
  return 0.5 * e + 0.5 / e;
}
