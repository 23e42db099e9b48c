// Running sums and products of floats along a line. LANES neighbouring invocations share a line and take LANES elements of it at
// a time: these are scanned in log2(LANES) steps (Hillis and Steele, "Data parallel algorithms", 1986), and what came before is
// carried over.

var<workgroup> partial: array<f32, WORKGROUP>;

fn combine(a: f32, b: f32) -> f32 {
  if (PRODUCT) { return a * b; }
  return a + b;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let line = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  let nothing = select(0.0, 1.0, PRODUCT);
  var carry = nothing;
  for (var first = 0u; first < params.places; first += LANES) {
    let place = first + lane;
    let there = line < params.lines && place < params.places;
    var value = nothing;
    if (there) { value = input_load(line, place); }
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
    if (there) { result_store(line, place, combine(carry, value)); }
    carry = combine(carry, whole);
  }
}
