// Activations. a, b and c are an activation's numbers in the order of its arguments; of an exponential unit, the factor below 0, the
// factor above, and that of the exponent.

// sign(x) of magnitude 0: a zero that keeps the sign.
fn zero_of(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) & 0x80000000u);
}

fn is_negative(x: f32) -> bool {
  return bitcast<u32>(x) >> 31u == 1u;
}

fn is_infinite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u;
}

// ln(1 + e^z), no overflow and no loss: e^z below 0, z and a little above.
fn softplus_of(z: f32) -> f32 {
  return max(z, 0.0) + log1p_f32(exp_f32(-abs(z)));
}

// x * tanh(ln(1 + e^x)): with e = e^-|x| the tangent is (e^2 + 2e) / (e^2 + 2e + 2) below 0 and (1 + 2e) / (1 + 2e + 2e^2) above.
fn mish_f32(x: f32) -> f32 {
  if (is_infinite(x)) { return select(x, not_a_number(), is_negative(x)); }
  let e = exp_f32(-abs(x));
  let below = e * (e + 2.0);
  let above = 1.0 + 2.0 * e;
  return x * select(above / (above + 2.0 * e * e), below / (below + 2.0), is_negative(x));
}

// min(max(x + 3, 0), 6)
fn ramp(x: f32) -> f32 {
  return min(max(x + 3.0, 0.0), 6.0);
}

// erfc(x) = 1 - erf(x), small results too.
fn erfc_f32(x: f32) -> f32 {
  let z = abs(x);
  if (z < 0.84375) {
    let y = erf_slope(x * x);
    if (x < 0.25) { return 1.0 - (x + x * y); }
    return 0.5 - (x - 0.5 + x * y);
  }
  var tail = 0.0; // beyond 11 less than the smallest subnormal
  if (z < 11.0) { tail = erfc_of_large(z); }
  return select(tail, 2.0 - tail, is_negative(x));
}

// sin(pi x) / (pi x): x less the nearest integer is exact, and has the same sine or its opposite.
fn sinc_f32(x: f32) -> f32 {
  if (is_infinite(x)) { return not_a_number(); }
  if ((bitcast<u32>(x) & 0x7fffffffu) == 0u) { return 1.0; }
  if (abs(x) >= 8388608.0) { return 0.0; } // an integer
  let nearest = round(x);
  let odd = (i32(nearest) & 1) == 1;
  let sine = sin_f32(3.14159274 * (x - nearest));
  return select(sine, -sine, odd) / (3.14159274 * x);
}

fn operation(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  switch (OPERATION) {
    case SOFTPLUS: {
      let z = params.a * x;
      if (ordered(z) > ordered(params.b)) { return x; }
      return softplus_of(z) / params.a;
    }
    case LEAKY_RELU: { return select(x, params.a * x, is_negative(x)); }
    case EXPONENTIAL: {
      if (is_negative(x)) { return params.a * expm1_f32(params.c * x); }
      return params.b * x;
    }
    case BETWEEN: {
      if (ordered(x) < ordered(params.a)) { return params.a; }
      if (ordered(x) > ordered(params.b)) { return params.b; }
      return x;
    }
    case HARDSIGMOID: { return ramp(x) / 6.0; }
    case HARDSWISH: {
      if (is_infinite(x)) { return select(x, not_a_number(), is_negative(x)); }
      return x * (ramp(x) / 6.0);
    }
    case HARDSHRINK: {
      let inside = ordered(x) <= ordered(params.a) && ordered(x) >= ordered(-params.a);
      return select(x, 0.0, inside);
    }
    case SOFTSHRINK: {
      if (ordered(x) > ordered(params.a)) { return x - params.a; }
      if (ordered(x) < ordered(-params.a)) { return x + params.a; }
      return zero_of(x);
    }
    case THRESHOLD: { return select(x, params.b, ordered(x) <= ordered(params.a)); }
    case MISH: { return mish_f32(x); }
    case SOFTSIGN: {
      if (is_infinite(x)) { return not_a_number(); }
      return x / (1.0 + abs(x));
    }
    case LOGSIGMOID: { return -softplus_of(-x); }
    case ERFC: { return erfc_f32(x); }
    default: { return sinc_f32(x); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = invocation_index(workgroup, local);
  if (i >= params.count) { return; }
  result_store(i, operation(input_load(i)));
}
