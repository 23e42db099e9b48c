// result = alpha * input * other + beta * bias for few rows (decoding one token at a time), where the elements of a
// column of `other` lie next to each other.
//
// A workgroup of 256 invocations computes 8 columns of up to ROWS rows: 32 lanes share a column, each takes every 32nd
// product, and the lanes' sums are added pairwise. A weight is read once for all rows.

const LANES = 32u;
const COLUMNS = 8u;

var<workgroup> partial: array<f32, ROWS * WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let group = workgroup_index(workgroup);
  if (group >= params.groups) { return; }
  let column_groups = (params.columns + COLUMNS - 1u) / COLUMNS;
  let row_groups = (params.rows + ROWS - 1u) / ROWS;
  let batch = group / (column_groups * row_groups);
  let first_row = (group / column_groups % row_groups) * ROWS;
  let lane = local % LANES;
  let column = (group % column_groups) * COLUMNS + local / LANES;
  let input_start = params.input_offset + input_batch(batch);
  let other_start = params.other_offset + other_batch(batch) + column * params.other_column_stride;
  let rows = min(ROWS, params.rows - first_row);

  var row_starts: array<u32, ROWS>;
  for (var r = 0u; r < rows; r = r + 1u) { row_starts[r] = input_start + input_row(first_row + r); }
  var sums: array<f32, ROWS>;
  if (column < params.columns) {
    for (var k = lane; k < params.depth; k = k + LANES) {
      let other = other_at(other_start + k * params.other_k_stride);
      for (var r = 0u; r < rows; r = r + 1u) {
        sums[r] = sums[r] + input_at(row_starts[r] + k * params.input_k_stride) * other;
      }
    }
  }
  for (var r = 0u; r < ROWS; r = r + 1u) { partial[r * WORKGROUP + local] = sums[r]; }
  workgroupBarrier();
  for (var width = LANES / 2u; width > 0u; width = width / 2u) {
    if (lane < width) {
      for (var r = 0u; r < ROWS; r = r + 1u) {
        let at = r * WORKGROUP + local;
        partial[at] = partial[at] + partial[at + width];
      }
    }
    workgroupBarrier();
  }
  if (lane == 0u && column < params.columns) {
    for (var r = 0u; r < rows; r = r + 1u) {
      let at = (batch * params.rows + first_row + r) * params.columns + column;
      result_store(at, params.alpha * partial[r * WORKGROUP + local] + params.beta * bias_load(at));
    }
  }
}
