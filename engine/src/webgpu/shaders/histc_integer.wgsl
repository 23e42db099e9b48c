// How many integers lie in each of equal parts of a range; see histc.wgsl. The range times the number of parts fits i32.

var<workgroup> partial: array<u32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let bin = workgroup_index(workgroup);
  let low = low_load(0u);
  let high = high_load(0u);
  var count = 0u;
  for (var i = local; i < params.elements; i += WORKGROUP) {
    let x = input_load(i);
    if (x >= low && x <= high) {
      let part = u32(x - low) * params.bins / u32(high - low);
      if (min(part, params.bins - 1u) == bin) { count += 1u; }
    }
  }
  partial[local] = count;
  for (var width = WORKGROUP / 2u; width > 0u; width /= 2u) {
    workgroupBarrier();
    if (local < width) { partial[local] += partial[local + width]; }
  }
  if (local == 0u && bin < params.bins) { result_store(bin, bitcast<i32>(partial[0])); }
}
