// result = alpha * input * other + beta * bias for each batch, in tiles held in workgroup memory.
//
// A workgroup of 256 invocations (16 x 16) computes a tile of 64 * ROW_VECTORS rows and 64 * COLUMN_VECTORS columns; each
// invocation has 4 * ROW_VECTORS x 4 * COLUMN_VECTORS sums in registers. The tiles hold vectors of four neighbours, so that
// one load from workgroup memory serves sixteen products. Products are summed in blocks of BLOCK steps of K, and the blocks'
// sums then added up, which keeps the rounding error near sqrt(BLOCK) + sqrt(K / BLOCK) instead of sqrt(K).

const TILE_ROWS = 64u * ROW_VECTORS;
const TILE_COLUMNS = 64u * COLUMN_VECTORS;
const TILE_K = 16u / COLUMN_VECTORS;
const BLOCK = 128u;
// Vectors across a tile, and the distance from one k to the next: one more, so that neighbours in k fall into different banks.
const ROW_WIDTH = 16u * ROW_VECTORS;
const COLUMN_WIDTH = 16u * COLUMN_VECTORS;
const ROW_PITCH = ROW_WIDTH + 1u;
const COLUMN_PITCH = COLUMN_WIDTH + 1u;
const SUMS = ROW_VECTORS * COLUMN_VECTORS;

var<workgroup> input_tile: array<vec4<f32>, TILE_K * ROW_PITCH>;
var<workgroup> other_tile: array<vec4<f32>, TILE_K * COLUMN_PITCH>;

// Element (row, k) of the batch's input that starts at `start`; 0 outside it.
fn input_element(start: u32, row: u32, k: u32) -> f32 {
  var value = 0.0;
  if (row < params.rows && k < params.depth) { value = input_at(start + input_row(row) + k * params.input_k_stride); }
  return value;
}

// Element (k, column) of the batch's other that starts at `start`; 0 outside it.
fn other_element(start: u32, k: u32, column: u32) -> f32 {
  var value = 0.0;
  if (column < params.columns && k < params.depth) {
    value = other_at(start + column * params.other_column_stride + k * params.other_k_stride);
  }
  return value;
}

fn store_one(batch: u32, row: u32, column: u32, sum: f32) {
  if (row < params.rows && column < params.columns) {
    let at = (batch * params.rows + row) * params.columns + column;
    result_store(at, params.alpha * sum + params.beta * bias_load(at));
  }
}

fn store_four(batch: u32, row: u32, column: u32, sums: vec4<f32>) {
  store_one(batch, row, column, sums.x);
  store_one(batch, row, column + 1u, sums.y);
  store_one(batch, row, column + 2u, sums.z);
  store_one(batch, row, column + 3u, sums.w);
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

  // Of row vector r and column vector c: the four rows' sums.
  var total: array<mat4x4<f32>, SUMS>;
  var block: array<mat4x4<f32>, SUMS>;
  for (var k0 = 0u; k0 < params.depth; k0 = k0 + TILE_K) {
    for (var n = local; n < TILE_K * ROW_WIDTH; n = n + WORKGROUP) {
      // Neighbouring invocations read neighbours in memory, whichever way the matrix lies.
      let k = select(n / ROW_WIDTH, n % TILE_K, INPUT_K_FIRST);
      let r = select(n % ROW_WIDTH, n / TILE_K, INPUT_K_FIRST);
      let row = first_row + 4u * r;
      input_tile[k * ROW_PITCH + r] = vec4<f32>(
        input_element(input_start, row, k0 + k),
        input_element(input_start, row + 1u, k0 + k),
        input_element(input_start, row + 2u, k0 + k),
        input_element(input_start, row + 3u, k0 + k),
      );
    }
    for (var n = local; n < TILE_K * COLUMN_WIDTH; n = n + WORKGROUP) {
      let k = select(n / COLUMN_WIDTH, n % TILE_K, OTHER_K_FIRST);
      let c = select(n % COLUMN_WIDTH, n / TILE_K, OTHER_K_FIRST);
      let column = first_column + 4u * c;
      other_tile[k * COLUMN_PITCH + c] = vec4<f32>(
        other_element(other_start, k0 + k, column),
        other_element(other_start, k0 + k, column + 1u),
        other_element(other_start, k0 + k, column + 2u),
        other_element(other_start, k0 + k, column + 3u),
      );
    }
    workgroupBarrier();
    for (var k = 0u; k < TILE_K; k = k + 1u) {
      for (var r = 0u; r < ROW_VECTORS; r = r + 1u) {
        let rows = input_tile[k * ROW_PITCH + y + 16u * r];
        for (var c = 0u; c < COLUMN_VECTORS; c = c + 1u) {
          let columns = other_tile[k * COLUMN_PITCH + x + 16u * c];
          let at = r * COLUMN_VECTORS + c;
          block[at] += mat4x4<f32>(rows.x * columns, rows.y * columns, rows.z * columns, rows.w * columns);
        }
      }
    }
    workgroupBarrier();
    if ((k0 + TILE_K) % BLOCK == 0u) {
      for (var n = 0u; n < SUMS; n = n + 1u) {
        total[n] += block[n];
        block[n] = mat4x4<f32>();
      }
    }
  }

  for (var r = 0u; r < ROW_VECTORS; r = r + 1u) {
    let row = first_row + 4u * (y + 16u * r);
    for (var c = 0u; c < COLUMN_VECTORS; c = c + 1u) {
      let column = first_column + 4u * (x + 16u * c);
      let at = r * COLUMN_VECTORS + c;
      let sums = total[at] + block[at];
      store_four(batch, row, column, sums[0]);
      store_four(batch, row + 1u, column, sums[1]);
      store_four(batch, row + 2u, column, sums[2]);
      store_four(batch, row + 3u, column, sums[3]);
    }
  }
}
