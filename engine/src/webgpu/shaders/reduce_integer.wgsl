// Sums and products of integers and bool over dimensions; see reduce.wgsl. One that 32 bits cannot hold is told (total.wgsl).

var<workgroup> partial: array<vec2<u32>, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let output = workgroup_index(workgroup) * (WORKGROUP / LANES) + local / LANES;
  var total = no_total();
  if (output < params.count) {
    for (var r = lane; r < params.reduced; r += LANES) { total = combine(total, total_of(input_load(output, r))); }
  }
  partial[local] = total;
  for (var width = LANES / 2u; width > 0u; width /= 2u) {
    workgroupBarrier();
    if (lane < width) { partial[local] = combine(partial[local], partial[local + width]); }
  }
  if (lane == 0u && output < params.count) {
    if (!total_fits(partial[local])) { out_of_range(output); }
    result_store(output, bitcast<i32>(partial[local].x));
  }
}
