// e^x - 1 in f32 to about 2 ULP. With x = n ln 2 + r it is 2^n (e^r - 1) + (2^n - 1), where nothing cancels: |e^r - 1| is
// below 0.42, and 2^n - 1 is exact. Reduction and polynomial are those of exp_f32.

fn expm1_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if ((bitcast<u32>(x) & 0x7fffffffu) < 0x33000000u) { return x; } // below 2^-25: x itself, and 0 with its sign
  if (x > 17.0) { return exp_f32(x) - 1.0; }
  let clamped = max(x, -20.0); // below, the result is -1
  let n = floor(1.44269504088896341 * clamped + 0.5);
  var r = clamped - n * 0.693359375;
  r = r + n * 2.12194440e-4;
  var p = 1.9875691500e-4;
  p = p * r + 1.3981999507e-3;
  p = p * r + 8.3334519073e-3;
  p = p * r + 4.1665795894e-2;
  p = p * r + 1.6666665459e-1;
  p = p * r + 5.0000001201e-1;
  let scale = power_of_two(i32(n));
  return scale * (p * r * r + r) + (scale - 1.0);
}
