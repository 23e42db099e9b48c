// Running sums and products of integers along a line; see scan.wgsl. One that 32 bits cannot hold is told (total.wgsl).

var<workgroup> partial: array<vec2<u32>, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let line = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  let nothing = no_total();
  var carry = nothing;
  for (var first = 0u; first < params.places; first += LANES) {
    let place = first + lane;
    let there = line < params.lines && place < params.places;
    var value = nothing;
    if (there) { value = total_of(input_load(line, place)); }
    var whole = value;
    if (LANES > 1u) {
      partial[local] = value;
      for (var reach = 1u; reach < LANES; reach *= 2u) {
        workgroupBarrier();
        var before = nothing;
        if (lane >= reach) { before = partial[local - reach]; }
        workgroupBarrier();
        value = combine(before, value);
        partial[local] = value;
      }
      workgroupBarrier();
      whole = partial[local - lane + LANES - 1u];
      workgroupBarrier();
    }
    if (there) {
      let total = combine(carry, value);
      if (!total_fits(total)) { out_of_range(result_line(line) + result_place(place)); }
      result_store(line, place, bitcast<i32>(total.x));
    }
    carry = combine(carry, whole);
  }
}
