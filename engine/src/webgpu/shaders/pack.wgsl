// Rounds f32 elements to f16 (or bf16, if BFLOAT) and packs two per word; one invocation per word.

fn half_bits(i: u32) -> u32 {
  if (i >= params.elements) { return 0u; }
  let bits = input_bits(i);
  if (BFLOAT) { return bf16_of_f32_bits(bits); }
  return f16_of_f32_bits(bits);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_words[i] = half_bits(2u * i) | (half_bits(2u * i + 1u) << 16u);
}
