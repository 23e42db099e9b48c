// Adds or multiplies each source onto its element. WGSL has no atomic floats: each tries again until no other came between,
// so the order of the sources is open. A lost source leaves NaN, or a number that is far off, on an element.

const LOST: u32 = 0xffffffffu;

fn combine(old: u32, term: u32) -> u32 {
  if (FLOATS) {
    let a = bitcast<f32>(old);
    let b = bitcast<f32>(term);
    if (OPERATION == SUM) { return bitcast<u32>(a + b); }
    return bitcast<u32>(a * b);
  }
  if (OPERATION == SUM) { return old + term; }
  return old * term;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let place = positions_bits(i);
  var at = params.result_offset + result_source(i);
  var term = select(0x80000000u, 0x7fc00000u, FLOATS);
  if (place != LOST) {
    at += place;
    term = src_bits(i);
  }
  var old = atomicLoad(&result_words[at]);
  loop {
    let exchange = atomicCompareExchangeWeak(&result_words[at], old, combine(old, term));
    if (exchange.exchanged) { break; }
    old = exchange.old_value;
  }
}
