// Exact, subnormals included; e4m3 has no infinity and one NaN per sign.
fn f32_bits_of_e4m3(byte: u32) -> u32 {
  let sign = (byte & 0x80u) << 24u;
  let magnitude = byte & 0x7fu;
  if (magnitude == 0x7fu) { return sign | 0x7fc00000u; }
  if (magnitude < 8u) { return sign | bitcast<u32>(f32(magnitude) * 0.001953125); } // 2^-9
  return sign | ((magnitude << 20u) + 0x3c000000u); // exponents are 120 larger in f32
}
