// abs, sign, floor, ceil, trunc and round of floats. round takes the even one of two integers as near, and with DECIMALS, the sign
// of its argument, rounds x * scale or x / scale.

fn operation(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  let magnitude = bits & 0x7fffffffu;
  if (OPERATION == ABS) { return bitcast<f32>(magnitude); }
  if (OPERATION == SIGN) {
    if (magnitude == 0u || is_nan(x)) { return 0.0; }
    return select(1.0, -1.0, bits >> 31u == 1u);
  }
  if (OPERATION == ROUND && DECIMALS != 0) {
    if (magnitude >= 0x7f800000u) { return x; }
    let scaled = select(x / params.scale, x * params.scale, DECIMALS > 0);
    // Large enough to be an integer already, or beyond f32.
    if ((bitcast<u32>(scaled) & 0x7fffffffu) >= 0x4b000000u) { return x; }
    let rounded = round(scaled);
    return select(rounded * params.scale, rounded / params.scale, DECIMALS > 0);
  }
  // From 2^23 on every float is an integer; infinity and NaN stay what they are.
  if (magnitude >= 0x4b000000u) { return x; }
  switch (OPERATION) {
    case FLOOR: { return floor(x); }
    case CEIL: { return ceil(x); }
    case ROUND: { return round(x); }
    default: { return trunc(x); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i)));
}
