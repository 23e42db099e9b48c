
// Whether integers that 32 bits hold give one that they hold.

fn sum_fits(a: i32, b: i32) -> bool {
  // A sum leaves the range only where both have one sign and it has the other.
  let sum = a + b;
  return ((a ^ sum) & (b ^ sum)) >= 0;
}

fn difference_fits(a: i32, b: i32) -> bool {
  let difference = a - b;
  return ((a ^ b) & (a ^ difference)) >= 0;
}

fn product_fits(a: i32, b: i32) -> bool {
  if (a == 0 || b == 0) { return true; }
  // The smallest integer has no positive: dividing it by -1 would leave the range.
  if (a == -1) { return b != i32(-2147483647 - 1); }
  return (a * b) / a == b;
}
