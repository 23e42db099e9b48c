// Sorts blocks of SPAN elements of lines in workgroup memory, TILE / SPAN blocks at a time, by a bitonic network (Batcher, "Sorting
// networks and their applications", 1968). No two elements of a block are equal, for their places decide between equal keys.

var<workgroup> tile_keys: array<u32, TILE>;
var<workgroup> tile_places: array<u32, TILE>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let first_block = workgroup_index(workgroup) * (TILE / SPAN);
  for (var slot = local; slot < TILE; slot += WORKGROUP) {
    let block = first_block + slot / SPAN;
    let line = block / params.blocks;
    let place = (block - line * params.blocks) * SPAN + slot % SPAN;
    // What is beyond the end of a line comes last.
    var key = 0xffffffffu;
    var at = 0xffffffffu;
    if (line < params.lines && place < params.size) {
      key = key_of(input_bits(line, place));
      if (DESCENDING) { key = ~key; }
      at = place;
    }
    tile_keys[slot] = key;
    tile_places[slot] = at;
  }
  for (var width = 2u; width <= SPAN; width *= 2u) {
    for (var reach = width / 2u; reach > 0u; reach /= 2u) {
      workgroupBarrier();
      for (var pair = local; pair < TILE / 2u; pair += WORKGROUP) {
        let low = (pair / reach) * reach * 2u + pair % reach;
        let high = low + reach;
        let ascending = ((low % SPAN) & width) == 0u;
        let a = tile_keys[low];
        let b = tile_keys[high];
        let a_place = tile_places[low];
        let b_place = tile_places[high];
        let greater = a > b || (a == b && a_place > b_place);
        if (greater == ascending) {
          tile_keys[low] = b;
          tile_keys[high] = a;
          tile_places[low] = b_place;
          tile_places[high] = a_place;
        }
      }
    }
  }
  workgroupBarrier();
  for (var slot = local; slot < TILE; slot += WORKGROUP) {
    let block = first_block + slot / SPAN;
    let line = block / params.blocks;
    let place = (block - line * params.blocks) * SPAN + slot % SPAN;
    if (line < params.lines && place < params.size) {
      keys_store(line * params.size + place, bitcast<i32>(tile_keys[slot]));
      places_store(line * params.size + place, bitcast<i32>(tile_places[slot]));
    }
  }
}
