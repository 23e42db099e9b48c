// sin and cos in f32 to about 1 ULP for every argument. WGSL promises nothing outside [-pi, pi] and only 2^-11 inside.
//
// Reduction after Payne and Hanek ("Radian reduction for trigonometric functions", 1983): the argument's mantissa times
// the part of 2/pi that matters for its exponent, in integers, so that no compiler's reordering can spoil it.
// Polynomials on [-pi/4, pi/4] after Cephes, sinf.c (S. L. Moshier).

// 2/pi in binary, 32 bits per word, after two words of zeros.
fn two_over_pi(word: u32) -> u32 {
  switch (word) {
    case 2u: { return 0xA2F9836Eu; }
    case 3u: { return 0x4E441529u; }
    case 4u: { return 0xFC2757D1u; }
    case 5u: { return 0xF534DDC0u; }
    case 6u: { return 0xDB629599u; }
    case 7u: { return 0x3C439041u; }
    default: { return 0u; }
  }
}

// The upper 32 bits of a product.
fn multiply_high(a: u32, b: u32) -> u32 {
  let al = a & 0xffffu;
  let ah = a >> 16u;
  let bl = b & 0xffffu;
  let bh = b >> 16u;
  let low = al * bl;
  let mid = ah * bl + (low >> 16u);
  let mid2 = al * bh + (mid & 0xffffu);
  return ah * bh + (mid >> 16u) + (mid2 >> 16u);
}

struct Reduced {
  // In [-pi/4, pi/4].
  rest: f32,
  // Multiples of pi/2 taken away, modulo 4.
  quadrant: u32,
}

// Reduces |x|; x must be finite.
fn reduce_angle(x: f32) -> Reduced {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  if (bits < 0x3f490fdau) { return Reduced(bitcast<f32>(bits), 0u); } // below pi/4
  let mantissa = (bits << 8u) | 0x80000000u; // |x| = mantissa * 2^(exponent - 158)
  // |x| * 2/pi / 4 = mantissa / 2^32 * (2/pi * 2^(exponent - 128)): bits of 2/pi that weigh more only add whole turns.
  let shift = (bits >> 23u) - 96u; // counted from the first of the two zero words; exponent >= 126
  let word = shift >> 5u;
  let by = shift & 31u;
  var high = two_over_pi(word);
  var mid = two_over_pi(word + 1u);
  var low = two_over_pi(word + 2u);
  if (by != 0u) {
    high = (high << by) | (mid >> (32u - by));
    mid = (mid << by) | (low >> (32u - by));
    low = (low << by) | (two_over_pi(word + 3u) >> (32u - by));
  }
  // The product as a 64-bit fraction of a whole turn.
  let carry_in = multiply_high(mantissa, low);
  let turn_low = mantissa * mid + carry_in;
  let carry = select(0u, 1u, turn_low < carry_in);
  let turn_high = mantissa * high + multiply_high(mantissa, mid) + carry;
  // Quadrant, and the rest as a 64-bit fraction of a quadrant; beyond half it counts back from the next.
  var quadrant = turn_high >> 30u;
  var fraction_high = (turn_high << 2u) | (turn_low >> 30u);
  var fraction_low = turn_low << 2u;
  let back = fraction_high >= 0x80000000u;
  if (back) {
    quadrant = quadrant + 1u;
    fraction_low = 0u - fraction_low;
    fraction_high = ~fraction_high + select(0u, 1u, fraction_low == 0u);
  }
  var zeros = 0u;
  if (fraction_high == 0u) {
    fraction_high = fraction_low;
    fraction_low = 0u;
    zeros = 32u;
  }
  let leading = countLeadingZeros(fraction_high);
  if (leading == 32u) { return Reduced(0.0, quadrant & 3u); }
  zeros = zeros + leading;
  var significant = fraction_high;
  if (leading != 0u) { significant = (fraction_high << leading) | (fraction_low >> (32u - leading)); }
  // fraction = significant * 2^(-32 - zeros); pi/2 = 0xC90FDAA2 * 2^-31.
  let magnitude = f32(multiply_high(significant, 0xC90FDAA2u)) * bitcast<f32>((96u - zeros) << 23u);
  return Reduced(select(magnitude, -magnitude, back), quadrant & 3u);
}

fn sin_polynomial(r: f32) -> f32 {
  let z = r * r;
  return ((-1.9515295891e-4 * z + 8.3321608736e-3) * z - 1.6666654611e-1) * z * r + r;
}

fn cos_polynomial(r: f32) -> f32 {
  let z = r * r;
  return ((2.443315711809948e-5 * z - 1.388731625493765e-3) * z + 4.166664568298827e-2) * z * z - 0.5 * z + 1.0;
}

fn is_finite_bits(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) < 0x7f800000u;
}

fn sin_f32(x: f32) -> f32 {
  if (!is_finite_bits(x)) { return not_a_number(); }
  let reduced = reduce_angle(x);
  let value = select(sin_polynomial(reduced.rest), cos_polynomial(reduced.rest), (reduced.quadrant & 1u) == 1u);
  let negative = ((bitcast<u32>(x) >> 31u) ^ (reduced.quadrant >> 1u)) == 1u;
  return select(value, -value, negative);
}

fn cos_f32(x: f32) -> f32 {
  if (!is_finite_bits(x)) { return not_a_number(); }
  let reduced = reduce_angle(x);
  let value = select(cos_polynomial(reduced.rest), sin_polynomial(reduced.rest), (reduced.quadrant & 1u) == 1u);
  let negative = reduced.quadrant == 1u || reduced.quadrant == 2u;
  return select(value, -value, negative);
}
