// How many floats lie in each of equal parts of a range, whose last one holds the upper end too. A workgroup counts one part: there
// are few, and nothing is ever added twice or out of order.

var<workgroup> partial: array<u32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let bin = workgroup_index(workgroup);
  var low = low_load(0u);
  var high = high_load(0u);
  if (low == high) {
    low = low - 1.0;
    high = high + 1.0;
  }
  var count = 0u;
  for (var i = local; i < params.elements; i += WORKGROUP) {
    let x = input_load(i);
    // On keys, which NaN is above.
    if (ordered(x) >= ordered(low) && ordered(x) <= ordered(high)) {
      // A quotient may be off where it is a whole number, so it is held against products, which are rounded right.
      let width = high - low;
      let scaled = (x - low) * f32(params.bins);
      var part = u32(clamp(scaled / width, 0.0, f32(params.bins)));
      if (part > 0u && f32(part) * width > scaled) { part -= 1u; }
      if (f32(part + 1u) * width <= scaled) { part += 1u; }
      if (min(part, params.bins - 1u) == bin) { count += 1u; }
    }
  }
  partial[local] = count;
  for (var width = WORKGROUP / 2u; width > 0u; width /= 2u) {
    workgroupBarrier();
    if (local < width) { partial[local] += partial[local + width]; }
  }
  if (local == 0u && bin < params.bins) { result_store(bin, f32(partial[0])); }
}
