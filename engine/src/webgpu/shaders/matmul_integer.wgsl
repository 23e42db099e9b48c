// result = alpha * input * other + beta * bias for each batch, of integers and exact.
//
// A workgroup of 256 invocations (16 x 16) computes a tile of 16 rows and 64 columns, each invocation 4 elements. With WIDE
// (i64) sums have 64 bits, and those that 32 bits cannot hold are told; without, the sums wrap at 32 bits, which the low word
// of a sum is anyway.

const TILE_ROWS = 16u;
const TILE_COLUMNS = 64u;
const TILE_K = 16u;
const ROW_PITCH = TILE_ROWS + 1u;
const COLUMN_PITCH = TILE_COLUMNS + 1u;

var<workgroup> input_tile: array<i32, TILE_K * ROW_PITCH>;
var<workgroup> other_tile: array<i32, TILE_K * COLUMN_PITCH>;

fn multiply_add(sum: vec2<u32>, a: i32, b: i32) -> vec2<u32> {
  if (WIDE) { return wide_add(sum, wide_multiply(wide_of(a), wide_of(b))); }
  return vec2<u32>(sum.x + bitcast<u32>(a) * bitcast<u32>(b), 0u);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let group = workgroup_index(workgroup);
  if (group >= params.groups) { return; }
  let column_tiles = (params.columns + TILE_COLUMNS - 1u) / TILE_COLUMNS;
  let row_tiles = (params.rows + TILE_ROWS - 1u) / TILE_ROWS;
  let batch = group / (column_tiles * row_tiles);
  let first_row = (group / column_tiles % row_tiles) * TILE_ROWS;
  let first_column = (group % column_tiles) * TILE_COLUMNS;
  let input_start = params.input_offset + input_batch(batch);
  let other_start = params.other_offset + other_batch(batch);
  let x = local % 16u;
  let y = local / 16u;

  var sums: array<vec2<u32>, 4>;
  for (var k0 = 0u; k0 < params.depth; k0 = k0 + TILE_K) {
    // Neighbouring invocations read neighbours in memory, whichever way the matrix lies.
    let k = select(local / TILE_ROWS, local % TILE_K, INPUT_K_FIRST);
    let r = select(local % TILE_ROWS, local / TILE_K, INPUT_K_FIRST);
    var value = 0;
    if (first_row + r < params.rows && k0 + k < params.depth) {
      value = input_at(input_start + input_row(first_row + r) + (k0 + k) * params.input_k_stride);
    }
    input_tile[k * ROW_PITCH + r] = value;
    for (var n = local; n < TILE_K * TILE_COLUMNS; n = n + WORKGROUP) {
      let k = select(n / TILE_COLUMNS, n % TILE_K, OTHER_K_FIRST);
      let c = select(n % TILE_COLUMNS, n / TILE_K, OTHER_K_FIRST);
      var value = 0;
      if (first_column + c < params.columns && k0 + k < params.depth) {
        value = other_at(other_start + (first_column + c) * params.other_column_stride + (k0 + k) * params.other_k_stride);
      }
      other_tile[k * COLUMN_PITCH + c] = value;
    }
    workgroupBarrier();
    for (var k = 0u; k < TILE_K; k = k + 1u) {
      let a = input_tile[k * ROW_PITCH + y];
      for (var c = 0u; c < 4u; c = c + 1u) {
        sums[c] = multiply_add(sums[c], a, other_tile[k * COLUMN_PITCH + x + 16u * c]);
      }
    }
    workgroupBarrier();
  }

  let row = first_row + y;
  for (var c = 0u; c < 4u; c = c + 1u) {
    let column = first_column + x + 16u * c;
    if (row < params.rows && column < params.columns) {
      let at = (batch * params.rows + row) * params.columns + column;
      let alpha = vec2<u32>(params.alpha, params.alpha_high);
      let beta = vec2<u32>(params.beta, params.beta_high);
      let sum = wide_add(wide_multiply(alpha, sums[c]), wide_multiply(beta, wide_of(bias_load(at))));
      result_store_bits(at, sum.x);
      if (WIDE && sum.y != wide_of(bitcast<i32>(sum.x)).y) { out_of_range(at); }
    }
  }
}
