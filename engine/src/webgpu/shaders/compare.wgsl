// Comparisons of floats, with broadcasting. Anything compared with NaN is false, but for ne.

fn holds(a: f32, b: f32) -> bool {
  if (is_nan(a) || is_nan(b)) { return OPERATION == NE; }
  switch (OPERATION) {
    case LE: { return ordered(a) <= ordered(b); }
    case GE: { return ordered(a) >= ordered(b); }
    case LT: { return ordered(a) < ordered(b); }
    case GT: { return ordered(a) > ordered(b); }
    case NE: { return ordered(a) != ordered(b); }
    default: { return ordered(a) == ordered(b); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, select(0, 1, holds(input_load(i), other_load(i))));
}
