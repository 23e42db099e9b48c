// The largest element over dimensions, or the smallest, and its position: the first of equal ones, NaN before all. Elements are
// compared by keys (keys.wgsl); see reduce.wgsl for LANES.

var<workgroup> keys: array<u32, WORKGROUP>;
var<workgroup> places: array<u32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let output = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
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
  if (lane == 0u && output < params.count) {
    values_store_bits(output, input_bits(output, places[local]));
    indices_store(output, bitcast<i32>(places[local]));
  }
}
