// result = alpha * input * other + beta * bias for each batch, in tiles held in workgroup memory.
//
// A workgroup of 256 invocations (16 x 16) computes a tile of 16 * ROWS rows and 64 columns; each invocation has ROWS x 4
// sums in registers. Products are summed in blocks of BLOCK steps of K, and the blocks' sums then added up, which keeps
// the rounding error near sqrt(BLOCK) + sqrt(K / BLOCK) instead of sqrt(K).

const TILE_ROWS = 16u * ROWS;
const TILE_COLUMNS = 64u;
const TILE_K = 16u;
const BLOCK = 128u;
// One more than the tile is wide, so that neighbours in k fall into different banks.
const ROW_PITCH = TILE_ROWS + 1u;
const COLUMN_PITCH = TILE_COLUMNS + 1u;

var<workgroup> input_tile: array<f32, TILE_K * ROW_PITCH>;
var<workgroup> other_tile: array<f32, TILE_K * COLUMN_PITCH>;

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

  var total: array<vec4<f32>, ROWS>;
  var block: array<vec4<f32>, ROWS>;
  for (var k0 = 0u; k0 < params.depth; k0 = k0 + TILE_K) {
    for (var n = local; n < TILE_K * TILE_ROWS; n = n + WORKGROUP) {
      // Neighbouring invocations read neighbours in memory, whichever way the matrix lies.
      let k = select(n / TILE_ROWS, n % TILE_K, INPUT_K_FIRST);
      let r = select(n % TILE_ROWS, n / TILE_K, INPUT_K_FIRST);
      var value = 0.0;
      if (first_row + r < params.rows && k0 + k < params.depth) {
        value = input_at(input_start + input_row(first_row + r) + (k0 + k) * params.input_k_stride);
      }
      input_tile[k * ROW_PITCH + r] = value;
    }
    for (var n = local; n < TILE_K * TILE_COLUMNS; n = n + WORKGROUP) {
      let k = select(n / TILE_COLUMNS, n % TILE_K, OTHER_K_FIRST);
      let c = select(n % TILE_COLUMNS, n / TILE_K, OTHER_K_FIRST);
      var value = 0.0;
      if (first_column + c < params.columns && k0 + k < params.depth) {
        value = other_at(other_start + (first_column + c) * params.other_column_stride + (k0 + k) * params.other_k_stride);
      }
      other_tile[k * COLUMN_PITCH + c] = value;
    }
    workgroupBarrier();
    for (var k = 0u; k < TILE_K; k = k + 1u) {
      let at = k * COLUMN_PITCH + x;
      let other = vec4<f32>(other_tile[at], other_tile[at + 16u], other_tile[at + 32u], other_tile[at + 48u]);
      for (var r = 0u; r < ROWS; r = r + 1u) {
        block[r] = block[r] + input_tile[k * ROW_PITCH + y + 16u * r] * other;
      }
    }
    workgroupBarrier();
    if ((k0 + TILE_K) % BLOCK == 0u) {
      for (var r = 0u; r < ROWS; r = r + 1u) {
        total[r] = total[r] + block[r];
        block[r] = vec4<f32>();
      }
    }
  }

  for (var r = 0u; r < ROWS; r = r + 1u) {
    let row = first_row + y + 16u * r;
    let sums = total[r] + block[r];
    for (var c = 0u; c < 4u; c = c + 1u) {
      let column = first_column + x + 16u * c;
      if (row < params.rows && column < params.columns) {
        let at = (batch * params.rows + row) * params.columns + column;
        result_store(at, params.alpha * sums[c] + params.beta * bias_load(at));
      }
    }
  }
}
