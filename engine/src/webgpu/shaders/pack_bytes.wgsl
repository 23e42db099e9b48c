// Rounds f32 elements to f8_e4m3 (or f8_e5m2, if E5M2) and packs four per word; one invocation per word. To nearest even; too
// large becomes the largest number in e4m3, which has no infinity, and infinity in e5m2.

fn e4m3_of_f32_bits(bits: u32) -> u32 {
  let magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) { return 0x7fu; }
  if (magnitude >= 0x43e00000u) { return 0x7eu; } // 448 and more
  if (magnitude >= 0x3c800000u) { // normal: 2^-6 and more
    return (magnitude + 0x7ffffu + ((magnitude >> 20u) & 1u) - 0x3c000000u) >> 20u;
  }
  if (magnitude <= 0x3a800000u) { return 0u; } // 2^-10, half of the smallest subnormal, and less
  return shifted(magnitude, 141u);
}

fn e5m2_of_f32_bits(bits: u32) -> u32 {
  let magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) { return 0x7fu; }
  if (magnitude >= 0x47700000u) { return 0x7cu; } // 61440 and more
  if (magnitude >= 0x38800000u) { // normal: 2^-14 and more
    return (magnitude + 0xfffffu + ((magnitude >> 21u) & 1u) - 0x38000000u) >> 21u;
  }
  if (magnitude <= 0x37000000u) { return 0u; } // 2^-17, half of the smallest subnormal, and less
  return shifted(magnitude, 134u);
}

// The mantissa in quanta of which one has the f32 exponent `unit` - 23, rounded to nearest even.
fn shifted(magnitude: u32, unit: u32) -> u32 {
  let mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  let shift = unit - (magnitude >> 23u);
  let kept = mantissa >> shift;
  let rest = mantissa & ((1u << shift) - 1u);
  let half = 1u << (shift - 1u);
  return kept + select(0u, 1u, rest > half || (rest == half && (kept & 1u) == 1u));
}

fn byte_of(i: u32) -> u32 {
  if (i >= params.elements) { return 0u; }
  let bits = input_bits(i);
  let sign = (bits >> 24u) & 0x80u;
  if (E5M2) { return sign | e5m2_of_f32_bits(bits); }
  return sign | e4m3_of_f32_bits(bits);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let first = 4u * i;
  result_words[i] =
    byte_of(first) | (byte_of(first + 1u) << 8u) | (byte_of(first + 2u) << 16u) | (byte_of(first + 3u) << 24u);
}
