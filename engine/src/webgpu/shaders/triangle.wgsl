// tril and triu of the last two dimensions. Moves bits, so NaN on the side cut off does no harm.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let column = i32(i % params.columns);
  let row = i32((i / params.columns) % params.rows);
  let offset = column - row;
  let kept = select(offset <= params.diagonal, offset >= params.diagonal, UPPER);
  result_store_bits(i, select(0u, input_bits(i), kept));
}
