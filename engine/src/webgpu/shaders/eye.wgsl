// 1 on the diagonal, 0 beside it.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, select(params.one - params.one, params.one, i / params.columns == i % params.columns));
}
