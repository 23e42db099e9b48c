// Mean and squared deviations of a row. Two passes: mean(x^2) - mean^2 would cancel. Needs lanes.wgsl, the input over rows and
// columns, and params.columns. Every invocation of the workgroup must call this together; `end` is 0 where there is no such row.

struct Moments {
  // Rounded, and what it takes to the mean of what is left.
  mean: f32,
  rest: f32,
  // Sum of the squared deviations from the mean.
  squares: f32,
}

fn row_moments(local: u32, row: u32, end: u32) -> Moments {
  let lane = local % LANES;
  let count = f32(params.columns);
  var sum = 0.0;
  for (var c = lane; c < end; c += LANES) { sum += input_load(row, c); }
  sum = row_sum(local, sum);
  let mean = select(sum / count, sum, params.columns == 1u);
  var square = 0.0;
  var rest = 0.0;
  for (var c = lane; c < end; c += LANES) {
    let centred = input_load(row, c) - mean;
    square += centred * centred;
    rest += centred;
  }
  square = row_sum(local, square);
  // What rounding left in the mean, corrected to first order (Chan, Golub and LeVeque, "Algorithms for computing the sample
  // variance", 1983).
  rest = row_sum(local, rest) / count;
  // One element is its own mean, even where it is infinite and leaves NaN.
  if (params.columns == 1u) { rest = 0.0; }
  square = square - rest * rest * count;
  // Nothing has no mean. Where all elements are equal, rounding may leave less than nothing; decided on bits, which keep NaN.
  if (params.columns == 0u) { return Moments(not_a_number(), 0.0, not_a_number()); }
  if (bitcast<u32>(square) >> 31u == 1u && !is_nan(square)) { square = 0.0; }
  return Moments(mean, rest, square);
}
