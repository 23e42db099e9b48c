// Rows of a table by index, one invocation per element of the result.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  let token = i / params.width;
  let column = i - token * params.width;
  let row = indices_load(token);
  if (row < 0 || u32(row) >= params.rows) {
    result_store(token, column, not_a_number());
    return;
  }
  result_store_bits(token, column, weight_bits(u32(row), column));
}
