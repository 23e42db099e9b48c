// Numbers by their bits. WGSL lets a compiler assume that NaN and infinity do not occur in floating-point expressions,
// so whatever they decide is decided on integers here.

// A variable, not a constant: WGSL rejects constants that are infinite.
var<private> INFINITY_BITS: u32 = 0x7f800000u;

fn infinity() -> f32 {
  return bitcast<f32>(INFINITY_BITS);
}

fn not_a_number() -> f32 {
  return bitcast<f32>(INFINITY_BITS | 0x00400000u);
}

fn is_nan(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

// A key that orders f32 as unsigned integers: -inf < ... < -0 = +0 < ... < +inf < NaN.
fn ordered(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) { return 0xffffffffu; }
  if (bits >> 31u == 1u) { return 0x80000000u - magnitude; }
  return 0x80000000u + magnitude;
}

// The number of a key, +0 for both zeros.
fn of_ordered(key: u32) -> f32 {
  if (key == 0xffffffffu) { return not_a_number(); }
  if (key < 0x80000000u) { return bitcast<f32>(0x80000000u | (0x80000000u - key)); }
  return bitcast<f32>(key - 0x80000000u);
}

// Exact, subnormals included (unpack2x16float may flush them).
fn f32_bits_of_f16(half: u32) -> u32 {
  let sign = (half & 0x8000u) << 16u;
  let exponent = (half >> 10u) & 0x1fu;
  let mantissa = half & 0x3ffu;
  if (exponent == 0u) { return sign | bitcast<u32>(f32(mantissa) * 5.9604644775390625e-8); } // 2^-24
  if (exponent == 31u) { return sign | 0x7f800000u | (mantissa << 13u); }
  return sign | ((exponent + 112u) << 23u) | (mantissa << 13u);
}

// Rounds to nearest even; too large becomes infinity (pack2x16float would leave it undefined).
fn f16_of_f32_bits(bits: u32) -> u32 {
  let sign = (bits >> 16u) & 0x8000u;
  let magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) { return sign | 0x7e00u | ((magnitude >> 13u) & 0x3ffu); }
  if (magnitude >= 0x477ff000u) { return sign | 0x7c00u; } // 65520 and more
  if (magnitude >= 0x38800000u) { // normal: 2^-14 and more
    return sign | ((magnitude + 0xfffu + ((magnitude >> 13u) & 1u) - 0x38000000u) >> 13u);
  }
  if (magnitude <= 0x33000000u) { return sign; } // 2^-25, half of the smallest subnormal, and less
  let mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  let shift = 126u - (magnitude >> 23u);
  let kept = mantissa >> shift;
  let rest = mantissa & ((1u << shift) - 1u);
  let half = 1u << (shift - 1u);
  return sign | (kept + select(0u, 1u, rest > half || (rest == half && (kept & 1u) == 1u)));
}

// Rounds to nearest even.
fn bf16_of_f32_bits(bits: u32) -> u32 {
  if ((bits & 0x7fffffffu) > 0x7f800000u) { return (bits >> 16u) | 0x40u; }
  return (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
}
