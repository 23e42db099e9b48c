// Merges neighbouring sorted runs of lines. Each element finds its place by a binary search in the other run: an element of
// the first run stands before equal ones of the second.

fn key(at: u32) -> u32 {
  return bitcast<u32>(keys_load(at));
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let start = (i / params.size) * params.size;
  let end = start + params.size;
  let own = ((i - start) / params.run) * params.run + start;
  let second = (((i - start) / params.run) & 1u) == 1u;
  // The other run, which for the last first run may be empty.
  var low = own + params.run;
  if (second) { low = own - params.run; }
  low = min(low, end);
  let other = low;
  var high = min(low + params.run, end);
  let mine = key(i);
  while (low < high) {
    let middle = low + (high - low) / 2u;
    let theirs = key(middle);
    if (theirs < mine || (second && theirs == mine)) { low = middle + 1u; } else { high = middle; }
  }
  let to = select(own, other, second) + (i - own) + (low - other);
  merged_keys_store(to, keys_load(i));
  merged_places_store(to, places_load(i));
}
