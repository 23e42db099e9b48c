// Keys of elements: unsigned integers that order them, largest last if LARGEST and first otherwise. NaN comes last either
// way. FLOATS says whether an element's bits are those of a float.

// Equal elements have equal keys, the two zeros too.
fn key_of(bits: u32) -> u32 {
  if (FLOATS) {
    let key = ordered(bitcast<f32>(bits));
    if (LARGEST || key == 0xffffffffu) { return key; }
    return ~key;
  }
  return bits ^ select(0x7fffffffu, 0x80000000u, LARGEST);
}

// Keys from which bits_of_key gets the bits back: here -0 comes before +0.
fn whole_key_of(bits: u32) -> u32 {
  if (FLOATS) {
    if ((bits & 0x7fffffffu) > 0x7f800000u) { return 0xffffffffu; }
    let key = bits ^ select(0x80000000u, 0xffffffffu, bits >> 31u == 1u);
    return select(~key, key, LARGEST);
  }
  return bits ^ select(0x7fffffffu, 0x80000000u, LARGEST);
}

fn bits_of_key(whole_key: u32) -> u32 {
  if (FLOATS) {
    if (whole_key == 0xffffffffu) { return 0x7fc00000u; }
    let key = select(~whole_key, whole_key, LARGEST);
    return key ^ select(0xffffffffu, 0x80000000u, key >> 31u == 1u);
  }
  return whole_key ^ select(0x7fffffffu, 0x80000000u, LARGEST);
}
