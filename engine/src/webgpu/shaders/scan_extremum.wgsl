// The largest element so far along a line, or the smallest, and its position: the last of equal ones, NaN before all. Elements are
// compared by keys (keys.wgsl); see scan.wgsl for the rest.

var<workgroup> keys: array<u32, WORKGROUP>;
var<workgroup> places: array<u32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let line = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var carry_key = 0u;
  var carry_place = 0u;
  for (var first = 0u; first < params.places; first += LANES) {
    let place = first + lane;
    let there = line < params.lines && place < params.places;
    var key = 0u;
    var best = place;
    if (there) { key = key_of(input_bits(line, place)); }
    // What came before takes part as the element of the first lane.
    if (lane == 0u && carry_key > key) {
      key = carry_key;
      best = carry_place;
    }
    carry_key = key;
    carry_place = best;
    if (LANES > 1u) {
      keys[local] = key;
      places[local] = best;
      for (var reach = 1u; reach < LANES; reach *= 2u) {
        workgroupBarrier();
        var before = 0u;
        var before_place = 0u;
        if (lane >= reach) {
          before = keys[local - reach];
          before_place = places[local - reach];
        }
        workgroupBarrier();
        if (before > key) {
          key = before;
          best = before_place;
        }
        keys[local] = key;
        places[local] = best;
      }
      workgroupBarrier();
      let last = local - lane + LANES - 1u;
      carry_key = keys[last];
      carry_place = places[last];
      workgroupBarrier();
    }
    if (there) {
      values_store_bits(line, place, input_bits(line, best));
      indices_store(line, place, bitcast<i32>(best));
    }
  }
}
