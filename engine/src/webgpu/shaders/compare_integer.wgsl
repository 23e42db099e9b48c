// Comparisons of integers, with broadcasting.

fn holds(a: i32, b: i32) -> bool {
  switch (OPERATION) {
    case LE: { return a <= b; }
    case GE: { return a >= b; }
    case LT: { return a < b; }
    case GT: { return a > b; }
    case NE: { return a != b; }
    default: { return a == b; }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, select(0, 1, holds(input_load(i), other_load(i))));
}
