// addcmul of integers; it wraps around at 32 bits, which `out_of_range` is told.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let x = input_load(i);
  let a = first_load(i);
  let b = second_load(i);
  let scaled = params.value * a;
  let product = scaled * b;
  if (!product_fits(params.value, a) || !product_fits(scaled, b) || !sum_fits(x, product)) { out_of_range(i); }
  result_store(i, x + product);
}
