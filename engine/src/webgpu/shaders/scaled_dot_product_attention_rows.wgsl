// softmax(query . key * scale + mask) . value for few rows (decoding one token at a time): one row of one head per
// workgroup. Keys come in chunks of one per invocation; the running sums are rescaled when a chunk holds a larger score.
// The result's elements are dealt out to the invocations, VALUE_SLOTS to each.

var<workgroup> row_query: array<f32, WIDTH>;
var<workgroup> weights: array<f32, WORKGROUP>;
var<workgroup> tops: array<u32, WORKGROUP>;
var<workgroup> sums: array<f32, WORKGROUP>;

struct Score {
  value: f32,
  taken: bool,
}

fn score(batch: u32, head: u32, row: u32, key: u32) -> Score {
  if (key >= params.key_count || (CAUSAL && key > row)) { return Score(0.0, false); }
  var added = 0.0;
  if (MASK != NO_MASK) {
    added = mask_load(batch, head, row, key);
    if (MASK == BOOL_MASK) {
      if (added == 0.0) { return Score(0.0, false); }
      added = 0.0;
    }
    if (bitcast<u32>(added) == 0xff800000u) { return Score(0.0, false); }
  }
  let key_head = head / params.group;
  var sum = 0.0;
  for (var c = 0u; c < WIDTH; c += 1u) { sum += row_query[c] * key_load(batch, key_head, key, c); }
  return Score(sum * params.scale + added, true);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let index = workgroup_index(workgroup);
  if (index >= params.total) { return; }
  let row = index % params.row_count;
  let head = (index / params.row_count) % params.heads;
  let batch = index / params.row_count / params.heads;
  for (var c = local; c < WIDTH; c += WORKGROUP) { row_query[c] = query_load(batch, head, row, c); }
  workgroupBarrier();

  var result: array<f32, VALUE_SLOTS>;
  var top = 0u; // key of the largest score so far, see ordered(); 0 before any
  var total = 0.0;
  var key_end = params.key_count;
  if (CAUSAL) { key_end = min(key_end, row + 1u); }
  for (var start = 0u; start < key_end; start += WORKGROUP) {
    let own = score(batch, head, row, start + local);
    tops[local] = select(0u, ordered(own.value), own.taken);
    for (var width = WORKGROUP / 2u; width > 0u; width /= 2u) {
      workgroupBarrier();
      if (local < width) { tops[local] = max(tops[local], tops[local + width]); }
    }
    let chunk_top = workgroupUniformLoad(&tops[0]);
    if (chunk_top != 0u) {
      let new_top = max(top, chunk_top);
      let base = of_ordered(new_top);
      var weight = 0.0;
      if (own.taken) { weight = exp_f32(own.value - base); }
      var rescale = 0.0;
      if (top != 0u) { rescale = exp_f32(of_ordered(top) - base); }
      weights[local] = weight;
      sums[local] = weight;
      for (var width = WORKGROUP / 2u; width > 0u; width /= 2u) {
        workgroupBarrier();
        if (local < width) { sums[local] += sums[local + width]; }
      }
      workgroupBarrier();
      total = total * rescale + sums[0];
      let end = min(WORKGROUP, params.key_count - start);
      for (var slot = 0u; slot < VALUE_SLOTS; slot += 1u) {
        let c = slot * WORKGROUP + local;
        if (c < params.value_width) {
          var sum = 0.0;
          for (var k = 0u; k < end; k += 1u) {
            sum += weights[k] * value_load(batch, head / params.group, start + k, c);
          }
          result[slot] = result[slot] * rescale + sum;
        }
      }
      top = new_top;
    }
    workgroupBarrier();
  }
  for (var slot = 0u; slot < VALUE_SLOTS; slot += 1u) {
    let c = slot * WORKGROUP + local;
    if (c < params.value_width) {
      // A row whose every key is masked gives zeros, as in PyTorch.
      var value = 0.0;
      if (top != 0u) { value = result[slot] / total; }
      result_store(batch, head, row, c, value);
    }
  }
}
