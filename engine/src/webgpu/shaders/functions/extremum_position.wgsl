
var<workgroup> keys: array<u32, WORKGROUP>;
var<workgroup> places: array<u32, WORKGROUP>;

// Where along its row an output's largest element is, or its smallest: the first of equal ones, NaN before all. Elements are compared by
// keys (keys.wgsl); right in the first lane of each output.
fn extremum_position(output: u32, local: u32) -> u32 {
  let lane = local % LANES;
  var best = 0u;
  var place = 0xffffffffu;
  if (output < params.count) {
    for (var r = lane; r < params.reduced; r += LANES) {
      let candidate = key_of(input_bits(output, r));
      if (place == 0xffffffffu || candidate > best) { best = candidate; place = r; }
    }
  }
  keys[local] = best;
  places[local] = place;
  for (var width = LANES / 2u; width > 0u; width /= 2u) {
    workgroupBarrier();
    if (lane < width) {
      let other = local + width;
      // A lane that saw nothing holds the lowest key and the highest place, and loses.
      if (keys[other] > keys[local] || (keys[other] == keys[local] && places[other] < places[local])) {
        keys[local] = keys[other];
        places[local] = places[other];
      }
    }
  }
  return places[local];
}
