// exp in f32 to about 1.5 ULP everywhere (WGSL's own is off by 3 + 2|x| ULP), with the usual limits: NaN stays, large
// gives +inf, small gives 0. Cody-Waite reduction and polynomial after Cephes, expf.c (S. L. Moshier).

fn exp_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (x >= 88.722839) { return infinity(); } // ln of the largest f32, rounded up
  let clamped = max(x, -104.0); // below, exp is less than half of the smallest subnormal
  let n = floor(1.44269504088896341 * clamped + 0.5);
  // ln 2 in two parts; n times the first is exact.
  var r = clamped - n * 0.693359375;
  r = r + n * 2.12194440e-4;
  var p = 1.9875691500e-4;
  p = p * r + 1.3981999507e-3;
  p = p * r + 8.3334519073e-3;
  p = p * r + 4.1665795894e-2;
  p = p * r + 1.6666665459e-1;
  p = p * r + 5.0000001201e-1;
  return scale_by_power_of_two(p * r * r + r + 1.0, i32(n));
}

// x * 2^n for n in -252..=254: two factors, since 2^n alone may leave the range of f32.
fn scale_by_power_of_two(x: f32, n: i32) -> f32 {
  let half = n / 2;
  return x * power_of_two(half) * power_of_two(n - half);
}

// 2^n for n in -126..=127.
fn power_of_two(n: i32) -> f32 {
  return bitcast<f32>(u32(n + 127) << 23u);
}
