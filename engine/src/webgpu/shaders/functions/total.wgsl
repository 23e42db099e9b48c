
// Sums and, if PRODUCT, products of integers. A sum is carried in 64 bits, so that one that fits is right whatever its parts; beside
// a product stands whether 32 bits did not hold a part of it.

fn no_total() -> vec2<u32> {
  return vec2<u32>(select(0u, 1u, PRODUCT), 0u);
}

fn total_of(x: i32) -> vec2<u32> {
  return vec2<u32>(bitcast<u32>(x), select(bitcast<u32>(x >> 31u), 0u, PRODUCT));
}

fn add_totals(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn multiply_totals(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  // What is nothing times too much fits.
  if ((a.x | a.y) == 0u || (b.x | b.y) == 0u) { return vec2<u32>(0u, 0u); }
  let fits = product_fits(bitcast<i32>(a.x), bitcast<i32>(b.x));
  return vec2<u32>(a.x * b.x, a.y | b.y | select(1u, 0u, fits));
}

fn combine(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  if (PRODUCT) { return multiply_totals(a, b); }
  return add_totals(a, b);
}

fn total_fits(total: vec2<u32>) -> bool {
  return total.y == total_of(bitcast<i32>(total.x)).y;
}
