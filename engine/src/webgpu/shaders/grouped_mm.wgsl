// A product of matrices per group, in tiles held in workgroup memory. `offs` holds where each group ends: of the rows, or, if
// DEPTH, of the products to be summed. Rows behind the last group get 0. Ends that do not rise, or that leave the tensor, make
// everything NaN.
//
// A workgroup of 256 invocations (16 x 16) computes a tile of 16 * ROWS rows and 64 columns of one group; each invocation has
// ROWS x 4 sums in registers. Products are summed in blocks, as in the kernel matmul.

const TILE_ROWS = 16u * ROWS;
const TILE_COLUMNS = 64u;
const TILE_K = 16u;
const BLOCK = 128u;
// One more than the tile is wide, so that neighbours in k fall into different banks.
const ROW_PITCH = TILE_ROWS + 1u;
const COLUMN_PITCH = TILE_COLUMNS + 1u;

var<workgroup> input_tile: array<f32, TILE_K * ROW_PITCH>;
var<workgroup> other_tile: array<f32, TILE_K * COLUMN_PITCH>;

fn rising() -> bool {
  var last = 0;
  for (var g = 0u; g < params.groups; g = g + 1u) {
    let end = offs_load(g);
    if (end < last || u32(end) > params.length) { return false; }
    last = end;
  }
  return true;
}

struct Tile {
  found: bool,
  group: u32,
  first_row: u32,
  end_row: u32,
  start: u32,
  end: u32,
}

// The rows of tile `number`, and the range of k that they are summed over.
fn rows_of(number: u32, valid: bool) -> Tile {
  var before = 0u;
  var start = 0u;
  // The last round is that of the rows behind all groups.
  for (var g = 0u; g <= params.groups; g = g + 1u) {
    var end = params.rows;
    if (g < params.groups) { end = select(0u, u32(offs_load(g)), valid); }
    let tiles = (end - start + TILE_ROWS - 1u) / TILE_ROWS;
    if (number < before + tiles) {
      return Tile(true, g, start + (number - before) * TILE_ROWS, end, 0u, select(0u, params.depth, g < params.groups));
    }
    before = before + tiles;
    start = end;
  }
  return Tile(false, 0u, 0u, 0u, 0u, 0u);
}

fn depth_of(number: u32, valid: bool) -> Tile {
  let tiles = (params.rows + TILE_ROWS - 1u) / TILE_ROWS;
  let group = number / tiles;
  var start = 0u;
  var end = 0u;
  if (valid) {
    if (group > 0u) { start = u32(offs_load(group - 1u)); }
    end = u32(offs_load(group));
  }
  return Tile(true, group, (number % tiles) * TILE_ROWS, params.rows, start, end);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let index = workgroup_index(workgroup);
  if (index >= params.workgroups) { return; }
  let column_tiles = (params.columns + TILE_COLUMNS - 1u) / TILE_COLUMNS;
  let first_column = (index % column_tiles) * TILE_COLUMNS;
  let valid = rising();
  var tile = Tile(false, 0u, 0u, 0u, 0u, 0u);
  if (DEPTH) { tile = depth_of(index / column_tiles, valid); } else { tile = rows_of(index / column_tiles, valid); }
  if (!tile.found) { return; }
  let input_start = params.input_offset + tile.group * params.input_group_stride;
  let other_start = params.other_offset + tile.group * params.other_group_stride;
  let x = local % 16u;
  let y = local / 16u;

  var total: array<vec4<f32>, ROWS>;
  var block: array<vec4<f32>, ROWS>;
  for (var k0 = tile.start; k0 < tile.end; k0 = k0 + TILE_K) {
    for (var n = local; n < TILE_K * TILE_ROWS; n = n + WORKGROUP) {
      // Neighbouring invocations read neighbours in memory, whichever way the matrix lies.
      let k = k0 + select(n / TILE_ROWS, n % TILE_K, INPUT_K_FIRST);
      let r = select(n % TILE_ROWS, n / TILE_K, INPUT_K_FIRST);
      var value = 0.0;
      if (tile.first_row + r < tile.end_row && k < tile.end) {
        value = input_at(input_start + (tile.first_row + r) * params.input_row_stride + k * params.input_k_stride);
      }
      input_tile[(k - k0) * ROW_PITCH + r] = value;
    }
    for (var n = local; n < TILE_K * TILE_COLUMNS; n = n + WORKGROUP) {
      let k = k0 + select(n / TILE_COLUMNS, n % TILE_K, OTHER_K_FIRST);
      let c = select(n % TILE_COLUMNS, n / TILE_K, OTHER_K_FIRST);
      var value = 0.0;
      if (first_column + c < params.columns && k < tile.end) {
        value = other_at(other_start + (first_column + c) * params.other_column_stride + k * params.other_k_stride);
      }
      other_tile[(k - k0) * COLUMN_PITCH + c] = value;
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
    if ((k0 - tile.start + TILE_K) % BLOCK == 0u) {
      for (var r = 0u; r < ROWS; r = r + 1u) {
        total[r] = total[r] + block[r];
        block[r] = vec4<f32>();
      }
    }
  }

  let result_start = params.result_offset + tile.group * params.result_group_stride;
  for (var r = 0u; r < ROWS; r = r + 1u) {
    let row = tile.first_row + y + 16u * r;
    let sums = total[r] + block[r];
    for (var c = 0u; c < 4u; c = c + 1u) {
      let column = first_column + x + 16u * c;
      if (row < tile.end_row && column < params.columns) {
        let bits = select(bitcast<u32>(not_a_number()), bitcast<u32>(sums[c]), valid);
        result_store_bits_at(result_start + row * params.result_row_stride + column * params.result_column_stride, bits);
      }
    }
  }
}
