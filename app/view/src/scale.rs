//! What a heatmap shows and how its values become positions on a colour map.

use crate::colour::Map;
use std::fmt;
use std::str::FromStr;

/// The tensor that is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// What the source recorded.
    Expected,
    /// What WebGPU computed.
    Actual,
    /// Actual − expected.
    #[default]
    Difference,
    /// |actual − expected| / |expected|.
    Relative,
    /// |actual − expected| in units in the last place.
    Ulp,
}

impl Quantity {
    /// In the order of the tabs.
    pub const ALL: [Quantity; 5] =
        [Quantity::Expected, Quantity::Actual, Quantity::Difference, Quantity::Relative, Quantity::Ulp];

    /// The name in links and attributes.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Expected => "expected",
            Quantity::Actual => "actual",
            Quantity::Difference => "difference",
            Quantity::Relative => "relative",
            Quantity::Ulp => "ulp",
        }
    }

    /// The quantity of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|quantity| quantity.name() == name)
    }
}

/// How the ends of the colour map are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Scale {
    /// By the values of the plane.
    #[default]
    Auto,
    /// The same for every tensor, so that pictures can be compared.
    Fixed {
        /// Value of the map's low end.
        low: f64,
        /// Value of the map's high end; greater than `low`.
        high: f64,
    },
}

impl Scale {
    /// A fixed scale, if the numbers make one.
    pub fn fixed(low: f64, high: f64) -> Option<Self> {
        (low.is_finite() && high.is_finite() && low < high).then_some(Scale::Fixed { low, high })
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scale::Auto => f.write_str("auto"),
            Scale::Fixed { low, high } => write!(f, "{low}..{high}"),
        }
    }
}

impl FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Scale::Auto);
        }
        let ends = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        ends.and_then(|(low, high)| Scale::fixed(low, high))
            .ok_or_else(|| "must be `auto` or two numbers like -1..1".to_owned())
    }
}

/// A colour map with the values of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// The map.
    pub map: Map,
    /// Value at its low end.
    pub low: f64,
    /// Value at its high end; greater than `low`.
    pub high: f64,
}

impl Ramp {
    /// The ramp for finite values from `min` to `max`: magnitudes run from 0 up, signed values spread evenly around 0.
    pub fn new(scale: Scale, min: f64, max: f64) -> Self {
        let (low, high) = match scale {
            Scale::Fixed { low, high } => (low, high),
            Scale::Auto if min < 0.0 => {
                let reach = min.abs().max(max.abs());
                (-reach, reach)
            }
            Scale::Auto => (0.0, max),
        };
        let map = if low < 0.0 { Map::Diverging } else { Map::Sequential };
        // A plane of zeros still needs a width to divide by.
        let high = if high > low { high } else { low + 1.0 };
        Ramp { map, low, high }
    }

    /// Position of a finite value on the map, 0 to 1. On a diverging map 0 is always in the middle.
    pub fn position(&self, value: f64) -> f64 {
        let position = match self.map {
            Map::Diverging => 0.5 + 0.5 * value / self.low.abs().max(self.high.abs()),
            Map::Sequential => (value - self.low) / (self.high - self.low),
        };
        position.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_values_are_centred_at_zero() {
        let ramp = Ramp::new(Scale::Auto, -1.0, 4.0);
        assert_eq!((ramp.map, ramp.low, ramp.high), (Map::Diverging, -4.0, 4.0));
        assert_eq!(ramp.position(0.0), 0.5);
        let fixed = Ramp::new(Scale::Fixed { low: -1.0, high: 4.0 }, 0.0, 0.0);
        assert_eq!(fixed.position(0.0), 0.5);
    }

    #[test]
    fn magnitudes_begin_at_zero() {
        let ramp = Ramp::new(Scale::Auto, 0.25, 0.5);
        assert_eq!((ramp.map, ramp.low, ramp.high), (Map::Sequential, 0.0, 0.5));
        assert_eq!(ramp.position(9.0), 1.0);
    }

    #[test]
    fn a_plane_of_zeros_has_a_colour() {
        assert_eq!(Ramp::new(Scale::Auto, 0.0, 0.0).position(0.0), 0.0);
    }

    #[test]
    fn scales_are_read_as_printed() {
        for scale in [Scale::Auto, Scale::Fixed { low: -1e-7, high: 2.5 }] {
            assert_eq!(scale.to_string().parse(), Ok(scale));
        }
        for text in ["", "1..1", "2..1", "a..b", "NaN..1", "1"] {
            assert!(text.parse::<Scale>().is_err(), "{text}");
        }
    }
}
