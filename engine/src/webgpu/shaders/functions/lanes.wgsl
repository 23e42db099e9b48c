// LANES neighbouring invocations share a row. Every invocation of the workgroup must call these together.

var<workgroup> lane_sums: array<f32, WORKGROUP>;
var<workgroup> lane_tops: array<u32, WORKGROUP>;

// Sum over the lanes of a row, added as a tree.
fn row_sum(local: u32, value: f32) -> f32 {
  let lane = local % LANES;
  workgroupBarrier();
  lane_sums[local] = value;
  for (var width = LANES / 2u; width > 0u; width /= 2u) {
    workgroupBarrier();
    if (lane < width) { lane_sums[local] += lane_sums[local + width]; }
  }
  workgroupBarrier();
  return lane_sums[local - lane];
}

// Largest key over the lanes of a row.
fn row_top(local: u32, key: u32) -> u32 {
  let lane = local % LANES;
  workgroupBarrier();
  lane_tops[local] = key;
  for (var width = LANES / 2u; width > 0u; width /= 2u) {
    workgroupBarrier();
    if (lane < width) { lane_tops[local] = max(lane_tops[local], lane_tops[local + width]); }
  }
  workgroupBarrier();
  return lane_tops[local - lane];
}
