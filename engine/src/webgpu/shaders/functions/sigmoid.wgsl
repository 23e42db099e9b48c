// sigmoid and tanh on top of exp, without overflow.

// 1 / (1 + e^-x), small results accurate too.
fn sigmoid_f32(x: f32) -> f32 {
  let e = exp_f32(-abs(x));
  let positive = 1.0 / (1.0 + e);
  return select(e * positive, positive, x >= 0.0);
}

// After Cephes, tanhf.c: a polynomial near 0, where 1 - 2 / (e^2x + 1) would cancel.
fn tanh_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let magnitude = abs(x);
  if (magnitude < 0.625) {
    let z = x * x;
    var p = -5.70498872745e-3;
    p = p * z + 2.06390887954e-2;
    p = p * z - 5.37397155531e-2;
    p = p * z + 1.33314422036e-1;
    p = p * z - 3.33332819422e-1;
    return p * z * x + x;
  }
  // Beyond 10 the result is 1 in f32.
  let t = 1.0 - 2.0 / (exp_f32(2.0 * min(magnitude, 10.0)) + 1.0);
  return select(t, -t, x < 0.0);
}
