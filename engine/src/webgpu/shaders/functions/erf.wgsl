// The standard normal distribution function, after erfc in FreeBSD's msun, s_erff.c (Sun Microsystems, 1993).

// erfc(z) for 0.84375 <= z < 1.25.
fn erfc_near_1(z: f32) -> f32 {
  let s = z - 1.0;
  let p = -2.3621185683e-03 + s * (4.1485610604e-01 + s * (-3.7220788002e-01 + s * (3.1834661961e-01
    + s * (-1.1089469492e-01 + s * (3.5478305072e-02 + s * -2.1663755178e-03)))));
  let q = 1.0 + s * (1.0642088205e-01 + s * (5.4039794207e-01 + s * (7.1828655899e-02 + s * (1.2617121637e-01
    + s * (1.3637083583e-02 + s * 1.1984500103e-02)))));
  return 1.0 - 8.4506291151e-01 - p / q;
}

// ln(z e^(z^2) erfc(z)) + 0.5625 for z >= 1.25.
fn erfc_exponent(z: f32) -> f32 {
  let s = 1.0 / (z * z);
  var r = 0.0;
  var q = 1.0;
  if (z < 2.857142) { // 1 / 0.35
    r = -9.8649440333e-03 + s * (-6.9385856390e-01 + s * (-1.0558626175e+01 + s * (-6.2375331879e+01
      + s * (-1.6239666748e+02 + s * (-1.8460508728e+02 + s * (-8.1287437439e+01 + s * -9.8143291473e+00))))));
    q = 1.0 + s * (1.9651271820e+01 + s * (1.3765776062e+02 + s * (4.3456588745e+02 + s * (6.4538726807e+02
      + s * (4.2900814819e+02 + s * (1.0863500214e+02 + s * (6.5702495575e+00 + s * -6.0424413532e-02)))))));
  } else {
    r = -9.8649431020e-03 + s * (-7.9928326607e-01 + s * (-1.7757955551e+01 + s * (-1.6063638306e+02
      + s * (-6.3756646729e+02 + s * (-1.0250950928e+03 + s * -4.8351919556e+02)))));
    q = 1.0 + s * (3.0338060379e+01 + s * (3.2579251099e+02 + s * (1.5367296143e+03 + s * (3.1998581543e+03
      + s * (2.5530502930e+03 + s * (4.7452853394e+02 + s * -2.2440952301e+01))))));
  }
  return r / q;
}

// erfc(z) for 0.84375 <= z < 28. x is sqrt(2) z: e^(-z^2) is taken from it, so that rounding z does not count z^2-fold.
fn erfc_tail(z: f32, x: f32) -> f32 {
  if (z < 1.25) { return erfc_near_1(z); }
  // e^(-x^2 / 2) in two factors: the square of a head with 11 bits is exact.
  let head = bitcast<f32>(bitcast<u32>(x) & 0xffffe000u);
  return exp_f32(-0.5 * head * head - 0.5625) * exp_f32(0.5 * (head - x) * (head + x) + erfc_exponent(z)) / z;
}

// erfc(z) for 0.84375 <= z < 28, where z itself is exact.
fn erfc_of_large(z: f32) -> f32 {
  if (z < 1.25) { return erfc_near_1(z); }
  let head = bitcast<f32>(bitcast<u32>(z) & 0xffffe000u);
  return exp_f32(-head * head - 0.5625) * exp_f32((head - z) * (head + z) + erfc_exponent(z)) / z;
}

// erf(z) / z - 1 for |z| < 0.84375, from z^2.
fn erf_slope(z2: f32) -> f32 {
  let r = 1.2837916613e-01 + z2 * (-3.2504209876e-01 + z2 * (-2.8481749818e-02 + z2 * (-5.7702702470e-03
    + z2 * -2.3763017452e-05)));
  let s = 1.0 + z2 * (3.9791721106e-01 + z2 * (6.5022252500e-02 + z2 * (5.0813062117e-03 + z2 * (1.3249473704e-04
    + z2 * -3.9602282413e-06))));
  return r / s;
}

// P(X <= x) = erfc(-x / sqrt 2) / 2: (1 + erf) / 2 would cancel for negative x.
fn normal_distribution(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let z = -0.70710678118654752 * x;
  let magnitude = abs(z);
  if (magnitude < 0.84375) {
    let y = erf_slope(z * z);
    if (z < 0.25) { return 0.5 * (1.0 - (z + z * y)); }
    return 0.5 * (0.5 - (z - 0.5 + z * y));
  }
  var tail = 0.0;
  if (magnitude < 28.0) { tail = erfc_tail(magnitude, abs(x)); }
  return 0.5 * select(tail, 2.0 - tail, z < 0.0);
}
