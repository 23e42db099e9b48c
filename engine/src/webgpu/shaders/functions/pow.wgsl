// x^y in f32 to about 1 ULP, after FreeBSD's msun, e_powf.c (Sun Microsystems, 1993). The built-in pow is
// exp2(y * log2(x)), which loses as many bits as the exponent of the result has, and knows no negative x.

// Keeps the upper bits of a float, so that products of two such heads are exact.
fn head(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u);
}

struct TwoFloats {
  high: f32,
  low: f32,
}

// log2 of x > 0, finite, in two floats.
fn log2_in_two(x: f32) -> TwoFloats {
  var exponent = 0;
  var bits = bitcast<u32>(x);
  if (bits < 0x00800000u) { // subnormal
    bits = bitcast<u32>(x * 16777216.0);
    exponent = -24;
  }
  exponent = exponent + i32(bits >> 23u) - 127;
  let mantissa = bits & 0x007fffffu;
  bits = mantissa | 0x3f800000u;
  var k = 0u; // whether the mantissa is compared with 1.5 instead of 1
  if (mantissa > 0x1cc471u) { // above sqrt(3/2)
    if (mantissa < 0x5db3d7u) { // below sqrt 3
      k = 1u;
    } else {
      exponent = exponent + 1;
      bits = bits - 0x00800000u;
    }
  }
  let near = select(1.0, 1.5, k == 1u);
  let log_high = select(0.0, 5.84960938e-01, k == 1u); // log2 1.5 in two parts
  let log_low = select(0.0, 1.56322085e-06, k == 1u);
  let ax = bitcast<f32>(bits);
  // s = (ax - near) / (ax + near) in two parts
  var u = ax - near;
  var v = 1.0 / (ax + near);
  let s = u * v;
  let s_high = head(s);
  var t_high = bitcast<f32>((((bits >> 1u) & 0xfffff000u) | 0x20000000u) + 0x00400000u + (k << 21u));
  var t_low = ax - (t_high - near);
  let s_low = v * ((u - s_high * t_high) - s_high * t_low);
  var s2 = s * s;
  var r = s2 * s2 * (6.0000002384e-01 + s2 * (4.2857143283e-01 + s2 * (3.3333334327e-01 + s2 * (2.7272811532e-01
    + s2 * (2.3066075146e-01 + s2 * 2.0697501302e-01)))));
  r = r + s_low * (s_high + s);
  s2 = s_high * s_high;
  t_high = head(3.0 + s2 + r);
  t_low = r - ((t_high - 3.0) - s2);
  u = s_high * t_high;
  v = s_low * t_high + t_low * s;
  let p_high = head(u + v);
  let p_low = v - (p_high - u);
  // times 2 / (3 ln 2)
  let z_high = 9.6191406250e-01 * p_high;
  let z_low = -1.1736857402e-04 * p_high + p_low * 9.6179670095e-01 + log_low;
  let n = f32(exponent);
  let high = head(((z_high + z_low) + log_high) + n);
  return TwoFloats(high, z_low - (((high - n) - log_high) - z_high));
}

// 2^(high + low).
fn exp2_of_two(high: f32, low: f32) -> f32 {
  let z = high + low;
  if (z >= 128.0) { return infinity(); }
  if (z < -150.0) { return 0.0; }
  let n = floor(z + 0.5);
  let p_high = high - n;
  let t = bitcast<f32>(bitcast<u32>(low + p_high) & 0xffff8000u);
  let u = t * 6.93145752e-01;
  let v = (low - (t - p_high)) * 6.9314718246e-01 + t * 1.42860654e-06;
  let x = u + v;
  let w = v - (x - u);
  let x2 = x * x;
  let t1 = x - x2 * (1.6666667163e-01 + x2 * (-2.7777778450e-03 + x2 * (6.6137559770e-05 + x2 * (-1.6533901999e-06
    + x2 * 4.1381369442e-08))));
  let r = (x * t1) / (t1 - 2.0) - (w + x * w);
  return scale_by_power_of_two(1.0 - (r - x), i32(n));
}

// 0: y is no integer, 1: odd, 2: even.
fn parity(y: f32) -> u32 {
  let magnitude = abs(y);
  if (magnitude >= 16777216.0) { return 2u; }
  if (floor(magnitude) != magnitude) { return 0u; }
  return 2u - (u32(magnitude) & 1u);
}

fn pow_f32(x: f32, y: f32) -> f32 {
  let x_bits = bitcast<u32>(x);
  let y_magnitude = bitcast<u32>(y) & 0x7fffffffu;
  let x_magnitude = x_bits & 0x7fffffffu;
  let y_negative = bitcast<u32>(y) >> 31u == 1u;
  if (y_magnitude == 0u || x_bits == 0x3f800000u) { return 1.0; }
  if (is_nan(x)) { return x; }
  if (is_nan(y)) { return y; }
  if (y == 2.0) { return x * x; }
  if (y == 1.0) { return x; }
  let big = x_magnitude > 0x3f800000u;
  if (y_magnitude == 0x7f800000u) {
    if (x_magnitude == 0x3f800000u) { return 1.0; }
    return select(0.0, infinity(), big != y_negative);
  }
  let kind = parity(y);
  let negative = x_bits >> 31u == 1u && kind == 1u;
  var value = 0.0;
  if (x_magnitude == 0u || x_magnitude == 0x7f800000u) {
    value = select(0.0, infinity(), big != y_negative);
  } else {
    if (x_bits >> 31u == 1u && kind == 0u) { return not_a_number(); }
    if (y_magnitude > 0x4d000000u) { // beyond 2^27 only 1 does not end in 0 or infinity
      value = select(0.0, infinity(), big != y_negative);
      if (x_magnitude == 0x3f800000u) { value = 1.0; }
    } else {
      let log = log2_in_two(bitcast<f32>(x_magnitude));
      let y_high = head(y);
      value = exp2_of_two(y_high * log.high, (y - y_high) * log.high + y * log.low);
    }
  }
  return select(value, -value, negative);
}
