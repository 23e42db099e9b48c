//! A device that conforms to WGSL and is as bad as it may be.

/// Which way every built-in errs, by the number of the call: all the same way, or in turn.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bias {
    Up,
    Down,
    InTurn,
}

/// Computes built-ins in f64, rounds them, and moves them by as many ULP as WGSL lets them be off.
#[derive(Debug)]
pub(crate) struct Device {
    bias: Bias,
    calls: usize,
}

impl Device {
    pub(crate) const BIASES: [Bias; 3] = [Bias::Up, Bias::Down, Bias::InTurn];

    pub(crate) fn new(bias: Bias) -> Self {
        Device { bias, calls: 0 }
    }

    fn sign(&mut self) -> f64 {
        self.calls += 1;
        match self.bias {
            Bias::Up => 1.0,
            Bias::Down => -1.0,
            Bias::InTurn => [1.0, -1.0][self.calls % 2],
        }
    }

    /// `exact` moved by `ulps` units in the last place, as an f32 that is not further off than that.
    fn off(&mut self, exact: f64, ulps: f64) -> f32 {
        let bound = ulps * f64::from(ulp(exact));
        let moved = (exact + self.sign() * bound) as f32;
        // Rounding may have gone past the bound: step back towards the exact value.
        if (f64::from(moved) - exact).abs() > bound { toward(moved, exact) } else { moved }
    }

    pub(crate) fn divide(&mut self, x: f32, y: f32) -> f32 {
        self.off(f64::from(x) / f64::from(y), 2.5)
    }

    pub(crate) fn inverse_sqrt(&mut self, x: f32) -> f32 {
        self.off(1.0 / f64::from(x).sqrt(), 2.0)
    }

    pub(crate) fn sqrt(&mut self, x: f32) -> f32 {
        let inverse = self.inverse_sqrt(x);
        self.divide(1.0, inverse)
    }

    pub(crate) fn exp(&mut self, x: f32) -> f32 {
        self.off(f64::from(x).exp(), 3.0 + 2.0 * f64::from(x).abs())
    }

    fn exp2(&mut self, x: f32) -> f32 {
        self.off(f64::from(x).exp2(), 3.0 + 2.0 * f64::from(x).abs())
    }

    fn log2(&mut self, x: f32) -> f32 {
        let exact = f64::from(x).log2();
        if (0.5..=2.0).contains(&x) { (exact + self.sign() * f64::powi(2.0, -21)) as f32 } else { self.off(exact, 3.0) }
    }

    pub(crate) fn pow(&mut self, x: f32, y: f32) -> f32 {
        let log = self.log2(x);
        self.exp2(y * log)
    }

    pub(crate) fn tanh(&mut self, x: f32) -> f32 {
        (f64::from(x).tanh() + self.sign() * 1e-5) as f32
    }

    pub(crate) fn cos(&mut self, x: f32) -> f32 {
        (f64::from(x).cos() + self.sign() * f64::powi(2.0, -11)) as f32
    }
}

/// Size of an f32 ULP at a number.
fn ulp(value: f64) -> f32 {
    let magnitude = (value.abs() as f32).max(f32::MIN_POSITIVE);
    // The exponent of the rounded number may be one too high just below a power of two.
    let magnitude = if f64::from(magnitude) > value.abs() && magnitude > f32::MIN_POSITIVE {
        f32::from_bits(magnitude.to_bits() - 1)
    } else {
        magnitude
    };
    f32::from_bits(magnitude.to_bits() + 1) - magnitude
}

fn toward(value: f32, goal: f64) -> f32 {
    let up = f64::from(value) < goal;
    let away_from_zero = up == (value > 0.0);
    let bits = value.to_bits();
    f32::from_bits(if away_from_zero { bits + 1 } else { bits - 1 })
}
