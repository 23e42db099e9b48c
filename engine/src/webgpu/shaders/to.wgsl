// Casts from float to integer (towards zero) and, if BOOLEAN, to bool (whatever is not zero, NaN included). Other casts are
// copies.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  if (BOOLEAN) {
    result_store_bits(i, input_bits(i) & 0x7fffffffu);
  } else {
    // NaN and whatever is beyond 32 bits; 2^31 has a bit pattern of exponent 31, like all that is too large but -2^31.
    let bits = input_bits(i);
    if ((bits & 0x7fffffffu) >= 0x4f000000u && bits != 0xcf000000u) { out_of_range(i); }
    result_store(i, i32(input_load(i)));
  }
}
