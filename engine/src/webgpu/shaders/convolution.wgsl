// Convolution as a matrix product whose right side, the input's elements by channel and tap (K) and by element of the result, is
// never written out: each workgroup gathers the tile of it that it needs.
//
// Tiles and sums are those of matmul.wgsl: 256 invocations compute 16 * ROWS channels of 64 elements. KERNEL_*, STRIDE_* and
// DILATION_* are constants, so that compilers turn divisions by them into products. D, H and W are the three spatial dimensions.

const TILE_ROWS = 16u * ROWS;
const TILE_COLUMNS = 64u;
const TILE_K = 16u;
const BLOCK = 128u;
const ROW_PITCH = TILE_ROWS + 1u;

var<workgroup> weight_tile: array<f32, TILE_K * ROW_PITCH>;
var<workgroup> input_tile: array<f32, TILE_K * TILE_COLUMNS>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let tile = workgroup_index(workgroup);
  if (tile >= params.tiles) { return; }
  let column_tiles = (params.columns + TILE_COLUMNS - 1u) / TILE_COLUMNS;
  let row_tiles = (params.out_channels + TILE_ROWS - 1u) / TILE_ROWS;
  let first_column = (tile % column_tiles) * TILE_COLUMNS;
  let first_row = (tile / column_tiles % row_tiles) * TILE_ROWS;
  let group = tile / (column_tiles * row_tiles);
  let x = local % 16u;
  let y = local / 16u;

  // Each invocation gathers for the same element of the result throughout.
  let gathered = local % TILE_COLUMNS;
  let column = min(first_column + gathered, params.columns - 1u);
  let plane = params.output_d * params.output_h * params.output_w;
  let n = column / plane;
  let at = place_of(column - n * plane);
  let input_start = params.input_offset + n * params.input_n_stride + group * params.in_channels * params.input_c_stride;
  let weight_start = params.weight_offset + group * params.weight_group_stride;

  var total: array<vec4<f32>, ROWS>;
  var block: array<vec4<f32>, ROWS>;
  for (var k0 = 0u; k0 < params.depth; k0 = k0 + TILE_K) {
    for (var i = local; i < TILE_K * TILE_ROWS; i = i + WORKGROUP) {
      let k = k0 + i % TILE_K;
      let row = first_row + i / TILE_K;
      var value = 0.0;
      if (row < params.out_channels && k < params.depth) {
        value = weight_at(weight_start + row * params.weight_out_stride + weight_k(k));
      }
      weight_tile[(i % TILE_K) * ROW_PITCH + i / TILE_K] = value;
    }
    for (var i = local / TILE_COLUMNS; i < TILE_K; i = i + WORKGROUP / TILE_COLUMNS) {
      let k = k0 + i;
      var value = 0.0;
      if (k < params.depth) {
        let c = k / TAPS;
        let source = source_of(at, k - c * TAPS);
        if (source.inside) { value = input_at(input_start + c * params.input_c_stride + source.position); }
      }
      input_tile[i * TILE_COLUMNS + gathered] = value;
    }
    workgroupBarrier();
    for (var k = 0u; k < TILE_K; k = k + 1u) {
      let c = k * TILE_COLUMNS + x;
      let inputs = vec4<f32>(input_tile[c], input_tile[c + 16u], input_tile[c + 32u], input_tile[c + 48u]);
      for (var r = 0u; r < ROWS; r = r + 1u) {
        block[r] = block[r] + weight_tile[k * ROW_PITCH + y + 16u * r] * inputs;
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

  for (var c = 0u; c < 4u; c = c + 1u) {
    let column = first_column + x + 16u * c;
    if (column >= params.columns) { continue; }
    let n = column / plane;
    for (var r = 0u; r < ROWS; r = r + 1u) {
      let row = first_row + y + 16u * r;
      if (row < params.out_channels) {
        let channel = group * params.out_channels + row;
        let sum = total[r][c] + block[r][c];
        result_store((n * params.channels + channel) * plane + (column - n * plane), sum + bias_load(channel));
      }
    }
  }
}
