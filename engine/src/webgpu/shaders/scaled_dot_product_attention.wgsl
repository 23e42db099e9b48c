// softmax(query . key * scale + mask) . value for 16 rows of one head per workgroup of 256 invocations: 16 lanes share a row.
//
// Keys come in chunks of 64. Of each chunk the scores are computed like a matrix product, 32 columns of query and key at a
// time; then the chunk's weights are multiplied with the values, again 32 columns at a time. The running sums are rescaled
// when a chunk holds a larger score, so no more than 16 x 64 scores exist at once.

const ROWS = 16u;
const LANES = 16u;
const KEYS = 64u;
const DEPTH = 32u;
// One more than the row is long, so that neighbours down a column fall into different banks.
const PITCH = DEPTH + 1u;
const WEIGHT_PITCH = KEYS + 1u;

var<workgroup> query_tile: array<f32, ROWS * PITCH>;
// Keys while scores are computed, values afterwards.
var<workgroup> chunk_tile: array<f32, KEYS * PITCH>;
var<workgroup> weights: array<f32, ROWS * WEIGHT_PITCH>;
var<workgroup> tops: array<u32, ROWS * LANES>;

struct Score {
  value: f32,
  taken: bool,
}

// The score of a dot product, and whether the key takes part.
fn score(product: f32, batch: u32, head: u32, row: u32, key: u32) -> Score {
  if (row >= params.row_count || key >= params.key_count || (CAUSAL && key > row)) { return Score(0.0, false); }
  var added = 0.0;
  if (MASK != NO_MASK) {
    added = mask_load(batch, head, row, key);
    if (MASK == BOOL_MASK) {
      if (added == 0.0) { return Score(0.0, false); }
      added = 0.0;
    }
    if (bitcast<u32>(added) == 0xff800000u) { return Score(0.0, false); }
  }
  return Score(product * params.scale + added, true);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let index = workgroup_index(workgroup);
  if (index >= params.total) { return; }
  let row_tiles = (params.row_count + ROWS - 1u) / ROWS;
  let first_row = (index % row_tiles) * ROWS;
  let head = (index / row_tiles) % params.heads;
  let batch = index / row_tiles / params.heads;
  let key_head = head / params.group;
  let tile_row = local / LANES;
  let lane = local % LANES;
  let row = first_row + tile_row;

  var result: array<vec2<f32>, VALUE_SLOTS>;
  var top = 0u; // key of the row's largest score so far, see ordered(); 0 before any
  var total = 0.0;
  var key_end = params.key_count;
  if (CAUSAL) { key_end = min(key_end, first_row + ROWS); }
  for (var start = 0u; start < key_end; start += KEYS) {
    var products = vec4<f32>();
    for (var depth = 0u; depth < WIDTH; depth += DEPTH) {
      for (var n = local; n < ROWS * DEPTH; n += WORKGROUP) {
        let r = n / DEPTH;
        let c = n % DEPTH;
        var value = 0.0;
        if (first_row + r < params.row_count && depth + c < WIDTH) {
          value = query_load(batch, head, first_row + r, depth + c);
        }
        query_tile[r * PITCH + c] = value;
      }
      for (var n = local; n < KEYS * DEPTH; n += WORKGROUP) {
        let k = n / DEPTH;
        let c = n % DEPTH;
        var value = 0.0;
        if (start + k < params.key_count && depth + c < WIDTH) { value = key_load(batch, key_head, start + k, depth + c); }
        chunk_tile[k * PITCH + c] = value;
      }
      workgroupBarrier();
      var block = vec4<f32>();
      for (var c = 0u; c < DEPTH; c += 1u) {
        let at = lane * PITCH + c;
        let keys = vec4<f32>(
          chunk_tile[at],
          chunk_tile[at + 16u * PITCH],
          chunk_tile[at + 32u * PITCH],
          chunk_tile[at + 48u * PITCH],
        );
        block += query_tile[tile_row * PITCH + c] * keys;
      }
      products += block;
      workgroupBarrier();
    }

    // The row's largest score in this chunk, and the weights relative to the largest so far.
    var scores: array<Score, 4>;
    var own_top = 0u;
    for (var j = 0u; j < 4u; j += 1u) {
      scores[j] = score(products[j], batch, head, row, start + lane + 16u * j);
      if (scores[j].taken) { own_top = max(own_top, ordered(scores[j].value)); }
    }
    tops[local] = own_top;
    workgroupBarrier();
    var new_top = top;
    for (var other = 0u; other < LANES; other += 1u) { new_top = max(new_top, tops[tile_row * LANES + other]); }
    let base = of_ordered(new_top);
    for (var j = 0u; j < 4u; j += 1u) {
      var weight = 0.0;
      if (scores[j].taken) { weight = exp_f32(scores[j].value - base); }
      weights[tile_row * WEIGHT_PITCH + lane + 16u * j] = weight;
    }
    var rescale = 0.0;
    if (top != 0u) { rescale = exp_f32(of_ordered(top) - base); }
    top = new_top;

    for (var slot = 0u; slot < VALUE_SLOTS; slot += 1u) {
      for (var n = local; n < KEYS * DEPTH; n += WORKGROUP) {
        let k = n / DEPTH;
        let c = slot * DEPTH + n % DEPTH;
        var value = 0.0;
        if (start + k < params.key_count && c < params.value_width) { value = value_load(batch, key_head, start + k, c); }
        chunk_tile[k * PITCH + n % DEPTH] = value;
      }
      workgroupBarrier();
      var sums = vec2<f32>();
      var weight_sum = 0.0;
      for (var k = 0u; k < KEYS; k += 1u) {
        let weight = weights[tile_row * WEIGHT_PITCH + k];
        weight_sum += weight;
        sums += weight * vec2<f32>(chunk_tile[k * PITCH + lane], chunk_tile[k * PITCH + lane + 16u]);
      }
      result[slot] = result[slot] * rescale + sums;
      if (slot == 0u) { total = total * rescale + weight_sum; }
      workgroupBarrier();
    }
  }

  if (row >= params.row_count) { return; }
  for (var slot = 0u; slot < VALUE_SLOTS; slot += 1u) {
    for (var half = 0u; half < 2u; half += 1u) {
      let c = slot * DEPTH + lane + 16u * half;
      if (c < params.value_width) {
        // A row whose every key is masked gives zeros, as in PyTorch.
        var value = 0.0;
        if (top != 0u) { value = result[slot][half] / total; }
        result_store(batch, head, row, c, value);
      }
    }
  }
}
