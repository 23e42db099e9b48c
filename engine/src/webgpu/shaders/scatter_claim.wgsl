// Where several sources are meant for one element, the last one gets it, whichever comes first: each claims its element with
// its number. A lost source claims an element with the highest number, which nothing overrules.

const LOST: u32 = 0xffffffffu;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let place = positions_bits(i);
  var at = params.claims_offset + claims_source(i);
  var claim = LOST;
  if (place != LOST) {
    at += place;
    claim = i + 1u;
  }
  atomicMax(&claims_words[at], claim);
}
