// atan, asin, acos and atan2 in f32 to a few ULP. Polynomials after Cephes, atanf.c and asinf.c (S. L. Moshier).

// atan of x in [0, 1]: above tan(pi/8), pi/4 + atan((x - 1) / (x + 1)).
fn atan_of_fraction(x: f32) -> f32 {
  var t = x;
  var base = 0.0;
  var rest = 0.0;
  if (x > 0.41421356) {
    t = (x - 1.0) / (x + 1.0);
    base = 0.78539819;
    rest = -2.1855695e-8; // pi/4 less the line above
  }
  let z = t * t;
  let p = ((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1;
  return base + (p * z * t + rest + t);
}

// pi/2 less a value: pi/2 in two parts.
fn from_right_angle(value: f32) -> f32 {
  return 1.5707964 - (value + 4.3711388e-8);
}

fn with_sign_of(magnitude: f32, bits: u32) -> f32 {
  return bitcast<f32>((bitcast<u32>(magnitude) & 0x7fffffffu) | (bits & 0x80000000u));
}

fn atan_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let bits = bitcast<u32>(x);
  let magnitude = bits & 0x7fffffffu;
  if (magnitude < 0x39800000u) { return x; } // below 2^-12 the cubic term is half a ULP at most
  if (magnitude >= 0x4c800000u) { return with_sign_of(1.5707964, bits); } // 2^26 and more, infinity too
  let a = bitcast<f32>(magnitude);
  if (magnitude <= 0x3f800000u) { return with_sign_of(atan_of_fraction(a), bits); }
  return with_sign_of(from_right_angle(atan_of_fraction(1.0 / a)), bits);
}

// asin of x in [0, 0.5].
fn asin_of_small(x: f32) -> f32 {
  let z = x * x;
  let p = (((4.2163199048e-2 * z + 2.4181311049e-2) * z + 4.5470025998e-2) * z + 7.4953002686e-2) * z + 1.6666752422e-1;
  return p * z * x + x;
}

// asin of sqrt((1 - x) / 2), which is half of acos x, for x in [0.5, 1].
fn half_acos(x: f32) -> f32 {
  if (x == 1.0) { return 0.0; } // whose root WGSL does not promise
  return asin_of_small(sqrt(0.5 * (1.0 - x)));
}

fn asin_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let bits = bitcast<u32>(x);
  let magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x3f800000u) { return not_a_number(); }
  if (magnitude < 0x39800000u) { return x; }
  let a = bitcast<f32>(magnitude);
  if (a <= 0.5) { return with_sign_of(asin_of_small(a), bits); }
  return with_sign_of(from_right_angle(2.0 * half_acos(a)), bits);
}

fn acos_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let bits = bitcast<u32>(x);
  if ((bits & 0x7fffffffu) > 0x3f800000u) { return not_a_number(); }
  let a = abs(x);
  let negative = bits >> 31u == 1u;
  if (a <= 0.5) {
    let angle = asin_of_small(a);
    return from_right_angle(select(angle, -angle, negative));
  }
  let angle = 2.0 * half_acos(a);
  return select(angle, 3.1415927 - (angle + 8.7422777e-8), negative);
}

// The angle of the point (x, y). Signed zeros and infinities as in IEEE 754.
fn atan2_f32(y: f32, x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (is_nan(y)) { return y; }
  let y_magnitude = bitcast<u32>(y) & 0x7fffffffu;
  let x_magnitude = bitcast<u32>(x) & 0x7fffffffu;
  var angle = 0.0; // of the point mirrored into the octant next to the x axis
  if (y_magnitude == x_magnitude && x_magnitude != 0u) {
    angle = 0.78539819;
  } else if (min(y_magnitude, x_magnitude) != 0u && max(y_magnitude, x_magnitude) != 0x7f800000u) {
    var small = bitcast<f32>(min(y_magnitude, x_magnitude));
    var large = bitcast<f32>(max(y_magnitude, x_magnitude));
    // WGSL promises a quotient's accuracy for divisors of 2^-126 to 2^126.
    if (large > 1.0e37) {
      small = small * 0.0625;
      large = large * 0.0625;
    }
    let fraction = small / large;
    angle = select(atan_of_fraction(fraction), fraction, fraction < 0.000244140625);
  }
  if (y_magnitude > x_magnitude) { angle = from_right_angle(angle); }
  if (bitcast<u32>(x) >> 31u == 1u) { angle = 3.1415927 - (angle + 8.7422777e-8); }
  return with_sign_of(angle, bitcast<u32>(y));
}
