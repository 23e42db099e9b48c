// 64-bit integers as two words, the low one first. They wrap around, as PyTorch's do.

fn wide_of(x: i32) -> vec2<u32> {
  return vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u));
}

fn wide_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

// The whole product of two words that are taken as unsigned.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let cross = (a & 0xffffu) * (b >> 16u);
  let other_cross = (a >> 16u) * (b & 0xffffu);
  let middle = (low >> 16u) + (cross & 0xffffu) + (other_cross & 0xffffu);
  let high = (a >> 16u) * (b >> 16u) + (cross >> 16u) + (other_cross >> 16u) + (middle >> 16u);
  return vec2<u32>((low & 0xffffu) | (middle << 16u), high);
}

fn wide_multiply(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let product = wide_product(a.x, b.x);
  return vec2<u32>(product.x, product.y + a.x * b.y + a.y * b.x);
}
